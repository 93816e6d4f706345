// S1 where names come in: a name is kept as it is, so that one which holds a secret is refused, and not repeated.
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { idsOf } from "../../test-data/redaction/ids.ts";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { words } from "../../test-data/redaction/words.ts";
import { InvalidInputError } from "../error/error-classes.ts";
import { heldSecrets } from "../redact/held-secrets.ts";
import { parseAtDoor } from "../schema/parse-at-door.ts";
import {
  givenAccountIdSchema,
  givenAgentIdSchema,
  givenKeyIdSchema,
  givenPrincipalSchema,
  givenRunIdSchema,
  givenSessionIdSchema,
  givenTraceIdSchema,
  withoutSecret,
} from "./given-names.ts";
import { sessionIdSchema } from "./ids.ts";

const held = "plum9-Orchard-77-quay";
const token = `sf_live_${"k3Y".repeat(10)}ab`;

function hold(secret: string, kind = "held"): void {
  heldSecrets.add(secret, kind);
  onTestFinished(() => heldSecrets.remove(secret));
}

const names = [
  ["account id", givenAccountIdSchema],
  ["key id", givenKeyIdSchema],
  ["session id", givenSessionIdSchema],
  ["agent id", givenAgentIdSchema],
] as const;

describe.each(names)("an %s", (what, schema) => {
  test("that is or holds a held secret or a token is refused with its kind, and without the name", () => {
    hold(held, "api_key");
    for (const [name, kind] of [
      [held, "api_key"],
      [`mine-${held}-2`, "api_key"],
      [token, "simplefunctions_key"],
      [`session:${token}`, "simplefunctions_key"],
    ] as const) {
      const error = refusalOf(() => parseAtDoor(schema, name, "name", InvalidInputError));
      expect(error.message).toBe(
        `invalid name: the ${what} holds what looks like a secret (${kind}), and is kept and shown as it is; choose another`,
      );
      expect(JSON.stringify(error) + error.stack).not.toContain(name);
    }
  });

  test("that was kept before is read by the schema of the name itself", () => {
    expect(sessionIdSchema.parse(token)).toBe(token);
  });
});

test("a run id and a trace id that hold a held secret are refused", () => {
  hold("00ab94e1c3d2f8a7b6c5d4e3f2a1b0c9", "installation");
  expect(givenTraceIdSchema.safeParse("00ab94e1c3d2f8a7b6c5d4e3f2a1b0c9").success).toBe(false);
  expect(givenRunIdSchema.safeParse("run_00ab94e1c3d2f8a7b6c5d4e3f2a1b0c9").success).toBe(false);
  expect(givenTraceIdSchema.safeParse("4bf92f3577b34da6a3ce929d0e0e4736").success).toBe(true);
});

test("a principal is refused for each of its names, at its place", () => {
  const principal = { accountId: "home", keyId: "me", scopes: [], kind: "key", runId: "run_00000000" };
  expect(givenPrincipalSchema.safeParse(principal).success).toBe(true);
  for (const [name, what] of [
    ["accountId", "account id"],
    ["keyId", "key id"],
  ] as const) {
    const error = refusalOf(() =>
      parseAtDoor(givenPrincipalSchema, { ...principal, [name]: token }, "principal", InvalidInputError),
    );
    expect(error.details?.path).toBe(`/${name}`);
    expect(error.message).toContain(`/${name}: the ${what} holds what looks like a secret`);
  }
});

test("any other text that is kept as it is can be held to the same", () => {
  const schema = withoutSecret(z.string().max(64), "name of a list");
  expect(schema.parse("monday")).toBe("monday");
  expect(schema.safeParse(token).error?.issues[0]?.message).toContain("the name of a list holds");
});

describe("ordinary names are taken", () => {
  const ids = [...idsOf(Array.from({ length: 20 }, (_, index) => 3000 + index))].map(({ id }) => id);
  const plain = words.filter((word) => /^[a-z]{3,9}$/.test(word));
  const word = (at: number) => plain[(at * 7919) % plain.length] ?? "word";
  const made = ids.flatMap((id, at) => [
    id,
    `session-${id}`,
    `user:${id}`,
    `${word(at)}_${id}`,
    `tenant-${word(at)}:${id}`,
  ]);
  const spoken = plain.flatMap((one, at) => [
    `${one}-${word(at)}`,
    `${one}.${word(at)}@example.com`,
    `${one}_${word(at)}_${at % 100}`,
    `team:${one}:${word(at + 1)}-2026-11-${String((at % 28) + 1).padStart(2, "0")}`,
    `${one}-token-${word(at)}`,
    `key-of-${one}`,
  ]);

  test("at most 0.5 % of generated ids are refused, and no name of words", () => {
    const fitting = made.filter((id) => sessionIdSchema.safeParse(id).success);
    expect(fitting.length).toBeGreaterThan(5000);
    const refused = fitting.filter((id) => !givenSessionIdSchema.safeParse(id).success);
    console.log(`${refused.length} of ${fitting.length} ids refused`);
    expect(refused.length / fitting.length).toBeLessThanOrEqual(0.005);
    expect(spoken.filter((name) => !givenSessionIdSchema.safeParse(name).success)).toStrictEqual([]);
  });

  test("also where an ordinary word confirms an order, and not where that word is a secret by itself", () => {
    hold("live", "confirm");
    hold("Quay7x-Plum-orchard", "confirm");
    expect(givenSessionIdSchema.safeParse("live").success).toBe(true);
    expect(givenSessionIdSchema.safeParse("go-live").success).toBe(true);
    expect(givenSessionIdSchema.safeParse("Quay7x-Plum-orchard").success).toBe(false);
  });
});
