import {
  agentPolicySchema,
  approvalPolicySchema,
  budgetPolicySchema,
  contextHandoffPolicySchema,
  costEffectRank,
  type CostEffect,
  type Gate,
  gateCodes,
  type JsonObject,
  membersIn,
  policyLevelNames,
  type SideEffect,
  sideEffectRank,
  sessionPolicySchema,
  tradeGuardrailsSchema,
  subagentRoutePolicySchema,
  subagentToolPolicySchema,
} from "@spfunctions/contracts";
import { z } from "zod";
import { code, page, table } from "../markdown.ts";
import { printedSchema } from "./named-schemas.ts";
import { fieldsOf, ifLeftOut } from "./schema-fields.ts";
import { docsOfList } from "./source/documented-list.ts";
import { docsOfSchema, docsOfVariants } from "./source/documented-members.ts";
import { docsOfNamed } from "./source/schema-docs.ts";
import { variantsIn } from "./variants.ts";

const folder = "packages/contracts/src";
const policyFile = `${folder}/policy/agent-policy.ts`;

type Part = {
  readonly key: string;
  readonly schema: z.ZodType;
  readonly file: string;
  readonly name: string;
};

/** The whole, and its parts by the key under which they stand. */
const parts: readonly Part[] = [
  { key: "", schema: agentPolicySchema, file: policyFile, name: "agentPolicySchema" },
  { key: "budget", schema: budgetPolicySchema, file: policyFile, name: "budgetPolicySchema" },
  { key: "approvals", schema: approvalPolicySchema, file: policyFile, name: "approvalPolicySchema" },
  { key: "session", schema: sessionPolicySchema, file: policyFile, name: "sessionPolicySchema" },
  {
    key: "trade",
    schema: tradeGuardrailsSchema,
    file: `${folder}/policy/trade-guardrails.ts`,
    name: "tradeGuardrailsSchema",
  },
];

export function policyPage(): string {
  return page(
    "# Policies",
    "Every key that a policy can have. An unknown key, or a value of the wrong type, is `invalid_policy`: no policy is taken in part. `sf policy init` writes one, `sf policy check` reads one to you, `sf policy test` tries it on what was recorded; [governed-call.md](../governed-call.md) and [approvals.md](../approvals.md) show them at work.",
    `A call is judged under every level that there is (${policyLevelNames.map(code).join(", ")}), each on its own: a deny of one wins, and adding a level never allows more.`,
    ...parts.flatMap(partSection),
    ...subagentSection(),
    "## Effects",
    "What a tool does and what it costs are two ranked lists. A ceiling stands for its own class and those before it, but `secret` and `runtime` are brought along by no ceiling above them: it names them itself, or `allowTools` has the tool's full name.",
    table(
      ["rank", "side effect", "meaning"],
      [...docsOfList(`${folder}/effect/side-effect.ts`, "sideEffects")].map(([effect, says]) => [
        String(sideEffectRank(effect as SideEffect)),
        code(effect),
        says,
      ]),
    ),
    table(
      ["rank", "cost", "meaning"],
      [...docsOfList(`${folder}/effect/cost-effect.ts`, "costEffects")].map(([effect, says]) => [
        String(costEffectRank(effect as CostEffect)),
        code(effect),
        says,
      ]),
    ),
    "## Gates",
    "The judge's questions, in the order in which they are asked. The first that is answered with no decides, and the call is refused with its code; the first eleven need no input. [errors.md](errors.md) says what to do about each code.",
    table(
      ["", "gate", "asks", "refused with"],
      [...docsOfList(`${folder}/verdict/verdict.ts`, "gates")].map(([gate, asks], index) => [
        String(index + 1),
        code(gate),
        asks,
        gateCodes[gate as Gate].map((one) => `[${code(one)}](errors.md#${one})`).join(", "),
      ]),
    ),
  );
}

const childFile = `${folder}/package/child-package.ts`;

/** What a parent says of its children: each is one of several, told by its type. */
const ofChildren = {
  subagentToolPolicySchema,
  subagentRoutePolicySchema,
  contextHandoffPolicySchema,
} as const;

function subagentSection(): string[] {
  const docs = docsOfVariants(childFile, "type");
  return [
    "## Subagents",
    "What a parent's package says of its children. A child is judged under its parent's policies, and under one of its own besides; [subagents.md](../subagents.md) says how it is given.",
    ...Object.entries(ofChildren).flatMap(([name, schema]) => {
      const variants = variantsIn(
        z.toJSONSchema(schema, { unrepresentable: "any" }) as JsonObject,
        "type",
        docs,
      );
      return [
        `### ${name.slice(0, -"Schema".length)}`,
        docsOfNamed(name).doc,
        table(
          ["type", "besides", "meaning"],
          variants.map(({ word, schema: one, docs: { doc } }) => [
            code(word),
            membersIn(one, "properties")
              .filter(([key]) => key !== "type")
              .map(([key]) => code(key))
              .join(", "),
            doc,
          ]),
        ),
      ];
    }),
  ];
}

/** Parts have a section of their own; a class of effects is one of a list below. */
const namesOfParts: Readonly<Record<string, string>> = {
  sideEffect: "a [side effect](#effects)",
  costEffect: "a [cost](#effects)",
  budgetPolicy: "object",
  approvalPolicy: "object",
  sessionPolicy: "object",
  tradeGuardrails: "object",
  keyId: "the id of a key",
  permission: "permission, like `world:read`",
  toolPattern: "tool's name, like `world.read` or `world.*`",
};

function nameOfPart(ref: string): string {
  const name = ref.slice(ref.lastIndexOf("/") + 1);
  const told = namesOfParts[name];
  if (told === undefined) throw new Error(`no words for the part ${name}`);
  return told;
}

function partSection({ key, schema, file, name }: Part): string[] {
  const { doc, members } = docsOfSchema(file, name);
  const { schema: json } = printedSchema(schema);
  const inParts = new Set(parts.map((part) => part.key));
  const fields = fieldsOf(json, nameOfPart).filter(
    ({ path }) => !inParts.has(path.split(".")[0] ?? "") || !path.includes("."),
  );
  return [
    key === "" ? "## The keys" : `## ${key}`,
    doc,
    table(
      ["key", "type", "meaning", "left out"],
      fields.map((field) => {
        const said = members.get(field.path);
        if (said === undefined || said === "")
          throw new Error(`${file}: nothing is said of ${key} ${field.path}`);
        const [meaning = "", leftOut] = said.split(/ Left out: /);
        const link = inParts.has(field.path) ? `[${code(field.path)}](#${field.path})` : code(field.path);
        return [link, field.type, meaning, ifLeftOut(field) || (leftOut ?? "").replace(/\.$/, "")];
      }),
    ),
  ];
}
