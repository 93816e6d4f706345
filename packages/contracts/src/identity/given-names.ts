// S1: names that are kept as they are. They are checked where they come in: what was kept before is read by the schema of the name itself.
import type { z } from "zod";
import { secretKindIn, secretKindInName } from "../redact/secret-kind.ts";
import {
  accountIdSchema,
  agentIdSchema,
  keyIdSchema,
  runIdSchema,
  sessionIdSchema,
  traceIdSchema,
} from "./ids.ts";
import { principalSchema } from "./principal.ts";

/** What is wrong with an id that is kept as it is, without the id; undefined for one that holds no secret. */
export function secretInId(id: string, what: string): string | undefined {
  return problemOf(secretKindInName(id), what);
}

function problemOf(kind: string | undefined, what: string): string | undefined {
  if (kind === undefined) return undefined;
  return `the ${what} holds what looks like a secret (${kind}), and is kept and shown as it is; choose another`;
}

/** The schema of an id that is kept as it is, where it comes in: a secret is refused, and not repeated. `what`: "session id". */
function idWithoutSecret<Schema extends z.ZodType<string>>(schema: Schema, what: string): Schema {
  return refusing(schema, (id) => secretInId(id, what));
}

/** The same of a text in words. There a word and random characters, as in `acme_…`, are taken for a key of somebody's. */
export function withoutSecret<Schema extends z.ZodType<string>>(schema: Schema, what: string): Schema {
  return refusing(schema, (text) => problemOf(secretKindIn(text), what));
}

function refusing<Schema extends z.ZodType<string>>(
  schema: Schema,
  problemIn: (text: string) => string | undefined,
): Schema {
  return schema.check(({ value, issues }) => {
    const message = problemIn(value);
    if (message !== undefined) issues.push({ code: "custom", message, input: value });
  });
}

export const givenAccountIdSchema = idWithoutSecret(accountIdSchema, "account id");
export const givenKeyIdSchema = idWithoutSecret(keyIdSchema, "key id");
export const givenSessionIdSchema = idWithoutSecret(sessionIdSchema, "session id");
export const givenAgentIdSchema = idWithoutSecret(agentIdSchema, "agent id");
export const givenRunIdSchema = idWithoutSecret(runIdSchema, "run id");
export const givenTraceIdSchema = idWithoutSecret(traceIdSchema, "trace id");

/** A principal as a caller names it. */
export const givenPrincipalSchema = principalSchema.check(({ value, issues }) => {
  for (const [path, what] of [
    ["accountId", "account id"],
    ["keyId", "key id"],
    ["runId", "run id"],
  ] as const) {
    const message = secretInId(value[path] ?? "", what);
    if (message !== undefined) issues.push({ code: "custom", message, input: value, path: [path] });
  }
});
