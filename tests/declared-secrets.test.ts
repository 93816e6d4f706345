// G4: `x-sf-secret` explains what is hidden in its own place alone. A branch of the schema that does not apply to the input, or what is
// said of other members, lets nothing run unseen.
import { defineTool, govern } from "@spfunctions/agent";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { createMemoryStore, newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const installation = openInstallation(newInstallationSecret());
const principal = { accountId: "office", keyId: "clerk", scopes: ["read", "write"], kind: "local" } as const;

/** Calls a tool with such an input: why the call stopped, or that it ran. */
async function outcomeOf(input: object, given: object): Promise<unknown> {
  const send = defineTool({
    name: "mail.send",
    description: "Sends a letter.",
    input: input as { type: "object" },
    output: {},
    permissions: ["mail"],
    sideEffect: "user_write",
    costEffect: "none",
    run: () => ({}),
  });
  const policy = { maxSideEffect: "user_write" } as const;
  const office = govern({ packs: [send], policy, principal, store: createMemoryStore(), installation });
  try {
    await office.call("mail.send", given);
    return "ran";
  } catch (error) {
    if (isSimpleFunctionsError(error)) return error.details?.["reason"] ?? error.message;
    throw error;
  }
}

const text = { type: "string" } as const;
const secret = { type: "string", "x-sf-secret": true } as const;
const members = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const kind = (name: string) => ({ const: name });

/** What is declared beside the place, and what is hidden there nevertheless. */
const elsewhere: readonly (readonly [string, object, object])[] = [
  ["other members", members({ to: text }, { additionalProperties: secret }), { to: "mallory" }],
  [
    "members that a pattern names",
    members({ to: text }, { patternProperties: { "^x-": secret }, additionalProperties: false }),
    { to: "mallory" },
  ],
  [
    "members that nothing else names",
    members({ to: text }, { unevaluatedProperties: secret }),
    { to: "mallory" },
  ],
  [
    "later items",
    members({ to: { type: "array", prefixItems: [text], items: secret } }),
    { to: ["mallory"] },
  ],
  [
    "another branch of anyOf",
    members(
      {},
      {
        anyOf: [
          members({ how: kind("login"), to: secret }),
          members({ how: kind("mail"), to: text }, { required: ["how"] }),
        ],
      },
    ),
    { how: "mail", to: "mallory" },
  ],
  [
    "another branch of oneOf",
    {
      type: "object",
      oneOf: [
        members({ how: kind("login"), to: secret }, { required: ["how"] }),
        members({ how: kind("mail"), to: text }, { required: ["how"] }),
      ],
    },
    { how: "mail", to: "mallory" },
  ],
  [
    "then, where the condition does not hold",
    members(
      { how: text, to: text },
      {
        if: members({ how: kind("login") }, { required: ["how"] }),
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { properties: { to: secret } },
      },
    ),
    { how: "mail", to: "mallory" },
  ],
  [
    "else, where the condition holds",
    members(
      { how: text, to: text },
      {
        if: members({ how: kind("mail") }, { required: ["how"] }),
        else: { properties: { to: secret } },
      },
    ),
    { how: "mail", to: "mallory" },
  ],
  [
    "the schema of a member that is not there",
    members({ to: text, login: text }, { dependentSchemas: { login: { properties: { to: secret } } } }),
    { to: "mallory" },
  ],
  [
    "the same name at a depth that the schema says nothing of",
    members({ password: secret, child: { $ref: "#" }, other: { type: "object" } }),
    { other: { password: "mallory" } },
  ],
  [
    "a schema that begins another document",
    members(
      { to: text, login: { $ref: "#/$defs/login" } },
      { $defs: { login: { $id: "sf:login", ...secret } } },
    ),
    { to: "mallory" },
  ],
];

describe("what is hidden because a schema declares a secret elsewhere is approved by a person:", () => {
  test.each(elsewhere)("%s", async (_where, input, given) => {
    expect(await outcomeOf(input, given)).toBe("hidden_parts");
  });
});

const login = z.string().meta({ "x-sf-secret": true });

/** What is declared in exactly the place. */
const there: readonly (readonly [string, object, object])[] = [
  ["a member", members({ login: secret }), { login: "mallory" }],
  [
    "an object with all in it",
    members({ login: { type: "object", "x-sf-secret": true } }),
    { login: { user: { name: "anna" } } },
  ],
  ["other members", members({ to: text }, { additionalProperties: secret }), { login: "mallory" }],
  ["members that a pattern names", members({}, { patternProperties: { "^x-": secret } }), { "x-a": "mal" }],
  ["items", members({ logins: { type: "array", items: secret } }), { logins: ["mallory"] }],
  [
    "items that are contained",
    members({ logins: { type: "array", contains: { ...secret, minLength: 5 } } }),
    { logins: ["mallory"] },
  ],
  [
    "a reference, at any depth",
    members({ password: secret, child: { $ref: "#" } }),
    { child: { child: { password: "mallory" } } },
  ],
  [
    "the branch that applies",
    {
      type: "object",
      oneOf: [
        members({ how: kind("login"), to: secret }, { required: ["how"] }),
        members({ how: kind("mail"), to: text }, { required: ["how"] }),
      ],
    },
    { how: "login", to: "mallory" },
  ],
  [
    "then, where the condition holds",
    members(
      { how: text, to: text },
      {
        if: members({ how: kind("login") }, { required: ["how"] }),
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { properties: { to: secret } },
      },
    ),
    { how: "login", to: "mallory" },
  ],
  [
    "the schema of a member that is there",
    members({ to: text, login: text }, { dependentSchemas: { login: { properties: { to: secret } } } }),
    { to: "mallory", login: "anna" },
  ],
  ["a member that may be null, of a library", z.object({ login: login.nullable() }), { login: "mallory" }],
  [
    "a branch of a library's union",
    z.object({
      by: z.discriminatedUnion("how", [
        z.object({ how: z.literal("login"), login }),
        z.object({ how: z.literal("mail"), to: z.email() }),
      ]),
    }),
    { by: { how: "login", login: "mallory" } },
  ],
];

describe("what is hidden in the place where its schema declares it stops nothing:", () => {
  test.each(there)("%s", async (_where, input, given) => {
    expect(await outcomeOf(input, given)).toBe("ran");
  });
});
