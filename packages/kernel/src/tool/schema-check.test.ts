import { heldSecrets, InvalidManifestError, type JsonObject, type JsonValue } from "@spfunctions/contracts";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { freezeDeep, tinySchema } from "../../test-data/tool-samples.ts";
import { compileCheck, type SchemaProblem } from "./schema-check.ts";
import type { ToolSchema } from "./standard-schema.ts";

const where = { tool: "notes.read", side: "input" };
const problem = (schema: JsonObject, value: unknown) =>
  compileCheck(schema, schema, where)(value as JsonValue);

/** The library's own checks alone: its contract takes anything. */
const ownProblem = (schema: ToolSchema, value: unknown): SchemaProblem | undefined =>
  compileCheck({}, schema, where)(value as JsonValue);

const parsed = (text: string) => JSON.parse(text) as JsonValue;

describe("what does not fit is said by its place and its reason", () => {
  test.each<[string, JsonObject, unknown, SchemaProblem | undefined]>([
    ["what fits", { type: "object" }, {}, undefined],
    ["a type", { type: "object" }, 5, { path: "", reason: "type", message: "must be object" }],
    [
      "a member's type",
      { properties: { "a/b": { type: "string" } } },
      { "a/b": 5 },
      { path: "/a~1b", reason: "type", message: "must be string" },
    ],
    [
      "what is not declared",
      { properties: { a: true }, additionalProperties: false },
      { "x/y": 1 },
      { path: "/x~1y", reason: "additionalProperties", message: "is not declared" },
    ],
    [
      "what is missing",
      { required: ["a"] },
      {},
      { path: "", reason: "required", message: "must have required property 'a'" },
    ],
    [
      "an item",
      { items: { enum: ["a", "b"] } },
      ["a", "c"],
      { path: "/1", reason: "enum", message: 'must be one of "a", "b"' },
    ],
    [
      "an item of more than can be told",
      { items: { enum: Array.from({ length: 99 }, (_, at) => `n${at}`) } },
      ["a"],
      { path: "/0", reason: "enum", message: "must be equal to one of the allowed values" },
    ],
    [
      "one value",
      { properties: { v: { const: 2 } } },
      { v: 1 },
      { path: "/v", reason: "const", message: "must be 2" },
    ],
    [
      "a pattern that a format has brought",
      { properties: { "a/b": { type: "string", format: "date-time", pattern: "^[0-9]{4}-.*Z$" } } },
      { "a/b": "tomorrow" },
      { path: "/a~1b", reason: "pattern", message: 'must match format "date-time"' },
    ],
    [
      "a pattern",
      { properties: { id: { type: "string", pattern: "^a+$" } } },
      { id: "b" },
      { path: "/id", reason: "pattern", message: 'must match pattern "^a+$"' },
    ],
    [
      "a text that is too short",
      { properties: { name: { type: "string", minLength: 1 } } },
      { name: "" },
      { path: "/name", reason: "minLength", message: "must have at least 1 character" },
    ],
    [
      "a list that is too long",
      { type: "array", maxItems: 2 },
      [1, 2, 3],
      { path: "", reason: "maxItems", message: "must have at most 2 items" },
    ],
    [
      "a format",
      { properties: { mail: { type: "string", format: "email" } } },
      { mail: "nobody" },
      { path: "/mail", reason: "format", message: 'must match format "email"' },
    ],
  ])("%s", (_, schema, value, expected) => {
    expect(problem(schema, value)).toStrictEqual(expected);
  });

  test("a library's problem has its place too", () => {
    const schema = z.object({ list: z.array(z.string().min(3)) });
    expect(ownProblem(schema, { list: ["abc", "ab"] })).toMatchObject({
      path: "/list/1",
      reason: "schema_mismatch",
    });
    const withKeys = tinySchema({}, () => ({ issues: [{ message: "no", path: [{ key: "a" }, 0, "b/c"] }] }));
    expect(ownProblem(withKeys, {})).toMatchObject({ path: "/a/0/b~1c", reason: "schema_mismatch" });
  });
});

// proves KEY-15.7
describe("no problem shows a value (S1)", () => {
  const value = "correct horse battery";
  afterEach(() => heldSecrets.remove(value));

  test.each<[string, JsonObject, unknown]>([
    ["a type", { type: "number" }, value],
    ["a constant", { const: 1 }, value],
    ["an enum", { enum: [1] }, value],
    ["a pattern", { type: "string", pattern: "^x$" }, value],
    ["a format", { type: "string", format: "email" }, value],
    ["a length", { type: "string", maxLength: 1 }, value],
    ["a not", { not: { type: "string" } }, value],
    ["a choice", { oneOf: [{ type: "number" }, { type: "null" }] }, value],
    ["repeated items", { uniqueItems: true }, [value, value]],
    ["a name", { propertyNames: { maxLength: 3 } }, { [value]: 1 }],
  ])("%s", (_, schema, given) => {
    const found = problem(schema, given);
    expect(found).toBeDefined();
    expect(JSON.stringify(found)).not.toContain(value);
  });

  test("a library's message about a value is not passed on", () => {
    const schemas = [
      z.object({ a: z.string().refine(() => false, { error: ({ input }) => `not ${String(input)}` }) }),
      tinySchema({}, (given: unknown) => ({ issues: [{ message: `not ${JSON.stringify(given)}` }] })),
    ];
    for (const schema of schemas) {
      expect(JSON.stringify(ownProblem(schema, { a: value }))).not.toContain(value);
    }
  });

  test("a value that would be changed is not shown, nor what it would become", () => {
    const schema = z.object({ a: z.string().overwrite((text) => `${text}${text}`) });
    const found = ownProblem(schema, { a: value });
    expect(found).toMatchObject({ path: "/a", reason: "schema_changes_value" });
    expect(JSON.stringify(found)).not.toContain(value);
  });

  test("a key that is a secret this process holds is hidden in the path", () => {
    heldSecrets.add(value, "word");
    const closed = { type: "object", additionalProperties: false } as const;
    const inside = { additionalProperties: { type: "number" } } as const;
    const own = tinySchema({}, () => ({ issues: [{ message: "no", path: [value] }] }));
    for (const found of [
      problem(closed, { [value]: 1 }),
      problem(inside, { [value]: "x" }),
      ownProblem(own, {}),
    ]) {
      expect(found).toBeDefined();
      expect(JSON.stringify(found)).not.toContain(value);
    }
  });

  test("a key without end makes no path without end", () => {
    const key = "k".repeat(1_000_000);
    const found = problem({ type: "object", additionalProperties: false }, { [key]: 1 });
    expect(JSON.stringify(found).length).toBeLessThan(1000);
  });
});

describe("a check changes nothing (B2)", () => {
  test("what is looked at may be frozen, and stays as it is", () => {
    const schema = { properties: { a: { default: 1 } }, additionalProperties: true } as const;
    const value = freezeDeep({ b: { c: [1] } });
    expect(problem(schema, value)).toBeUndefined();
    expect(value).toStrictEqual({ b: { c: [1] } });
  });

  test("a library that changes what it is given changes a copy, and is found out", () => {
    const paying = tinySchema({}, (given: { to: string }) => {
      given.to = "mallory";
      return { value: given };
    });
    const value = { to: "alice" };
    expect(ownProblem(paying, value)?.reason).toBe("schema_changes_value");
    expect(value).toStrictEqual({ to: "alice" });
  });

  test("one that changes its copy in secret, at once or later, has changed nothing", () => {
    let kept: { to: string } | undefined;
    const sly = tinySchema({}, (given: { to: string }) => {
      const answer = { value: { ...given } };
      given.to = "mallory";
      kept = given;
      return answer;
    });
    const value = { to: "alice" };
    expect(ownProblem(sly, value)).toBeUndefined();
    if (kept !== undefined) kept.to = "eve";
    expect(value).toStrictEqual({ to: "alice" });
  });

  test("a refinement that writes is found out", () => {
    const schema = z.looseObject({ to: z.string() }).refine((order) => {
      order["to"] = "mallory";
      return true;
    });
    const value = { to: "alice" };
    expect(ownProblem(schema, value)?.reason).toBe("schema_changes_value");
    expect(value).toStrictEqual({ to: "alice" });
  });

  test.each<[string, JsonValue, unknown, string, string]>([
    ["an added member", { a: 1 }, { a: 1, b: 2 }, "/b", "filled in"],
    ["a lost member", { a: 1 }, {}, "/a", "left out"],
    ["another number", { a: 1 }, { a: 2 }, "/a", "changed"],
    ["a text for a number", { a: 1 }, { a: "1" }, "/a", "made a string"],
    ["null for a member", { a: 1 }, { a: null }, "/a", "made null"],
    ["a date for a text", { a: "1" }, { a: new Date(0) }, "/a", "made an object"],
    ["a list", { a: 1 }, [1], "", "made a list"],
    ["nothing", { a: 1 }, undefined, "", "left out"],
    ["an item too many", [1], [1, 2], "/1", "filled in"],
    ["a text without its spaces", { a: [" x"] }, { a: ["x"] }, "/a/0", "trimmed"],
    ["a text in lower case", { a: "X" }, { a: "x" }, "/a", "put in lower case"],
    ["a text in upper case", { a: "x" }, { a: "X" }, "/a", "put in upper case"],
    ["a text in another form", { a: "o\u0308" }, { a: "ö" }, "/a", "normalized"],
    ["another text", { a: "x" }, { a: "y" }, "/a", "changed"],
  ])("%s is a change, said by its place and its kind", (_, value, answer, path, how) => {
    const schema = tinySchema({}, () => ({ value: answer }));
    expect(ownProblem(schema, value)).toStrictEqual({
      path,
      reason: "schema_changes_value",
      message: `would be ${how} by the schema, and a tool's schema only checks: give it as the schema would have it`,
    });
  });

  test.each([
    ["members in another order", { b: 2, a: 1 }],
    ["absent members written as undefined", { a: 1, b: 2, c: undefined }],
  ])("%s are none", (_, answer) => {
    expect(
      ownProblem(
        tinySchema({}, () => ({ value: answer })),
        { a: 1, b: 2 },
      ),
    ).toBeUndefined();
  });

  test("a member called __proto__ is a member: losing it is a change", () => {
    const value = parsed('{"__proto__":"x"}');
    expect(ownProblem(z.any(), value)).toBeUndefined();
    expect(ownProblem(z.looseObject({}), value)?.reason).toBe("schema_changes_value");
  });
});

describe("only a clear yes is a yes (G1)", () => {
  test.each<[string, unknown]>([
    ["a promise", async () => ({ value: {} })],
    ["a promise that fails", () => Promise.reject(new Error("late"))],
    // oxlint-disable-next-line unicorn/no-thenable -- it is what is tried
    ["a thenable", { then: () => undefined }],
    ["issues without an issue", { issues: [] }],
    ["issues that are no list", { issues: {} }],
    ["issues that are null", { issues: null }],
    ["issues of nothing", { issues: [null] }],
    ["an issue without a message", { issues: [{}] }],
    ["an issue whose message is no text", { issues: [{ message: 5 }] }],
    ["an issue at nowhere", { issues: [{ message: "no", path: [null] }] }],
    ["an issue at a symbol", { issues: [{ message: "no", path: [Symbol("s")] }] }],
    ["nothing", undefined],
    ["null", null],
    ["true", true],
  ])("%s is a no, as a problem", (_, answer) => {
    const found = ownProblem(tinySchema({}, typeof answer === "function" ? answer : () => answer), {});
    expect(found).toMatchObject({ reason: expect.any(String), message: expect.any(String) });
    expect(typeof found?.path).toBe("string");
  });

  test("a library that throws has said no, and what it threw is not shown", () => {
    const schema = tinySchema({}, (given: unknown) => {
      throw new Error(`cannot read ${JSON.stringify(given)}`);
    });
    const found = ownProblem(schema, { a: "correct horse" });
    expect(found?.path).toBe("");
    expect(JSON.stringify(found)).not.toContain("correct horse");
  });
});

describe("what is inherited is not there", () => {
  test.each(["toString", "constructor", "__proto__", "valueOf", "hasOwnProperty"])("%s", (name) => {
    const member = (value: unknown) => parsed(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`);
    expect(problem({ required: [name] }, {})?.reason).toBe("required");
    expect(problem({ required: [name] }, member(1))).toBeUndefined();
    expect(problem({ dependentRequired: member(["b"]) }, {})).toBeUndefined();
    expect(problem({ additionalProperties: false }, member(1))?.reason).toBe("additionalProperties");
    expect(problem({ additionalProperties: { type: "string" } }, member(1))?.reason).toBe("type");
    expect(problem({ const: {} }, member(1))).toBeDefined();
    expect(problem({ uniqueItems: true }, [member(1), member(1)])).toBeDefined();
    expect(problem({ properties: { a: true }, unevaluatedProperties: false }, member(1))?.reason).toBe(
      "unevaluatedProperties",
    );
  });

  test.each(["toString", "constructor", "valueOf", "hasOwnProperty"])("a declared %s is checked", (name) => {
    const text = JSON.stringify(name);
    const schema = parsed(`{"properties":{${text}:{"type":"string"}}}`) as JsonObject;
    expect(problem(schema, parsed(`{${text}:5}`))?.reason).toBe("type");
    expect(problem(schema, {})).toBeUndefined();
  });

  test("a declared __proto__ could not be checked, so that it cannot be declared", () => {
    const schema = parsed('{"properties":{"__proto__":{"type":"string"}}}') as JsonObject;
    expect(refusalOf(() => compileCheck(schema, schema, where))).toBeInstanceOf(InvalidManifestError);
  });

  test.each(["toString", "constructor", "__proto__"])(
    "an undeclared %s does not slip past a choice and unevaluatedProperties",
    (name) => {
      const schema = {
        type: "object",
        anyOf: [
          { properties: { b: true }, required: ["b"] },
          { properties: { c: true }, required: ["c"] },
        ],
        unevaluatedProperties: false,
      } as const;
      expect(problem(schema, { b: 1 })).toBeUndefined();
      expect(problem(schema, parsed(`{"b":1,"other":2}`))?.reason).toBe("unevaluatedProperties");
      expect(problem(schema, parsed(`{"b":1,${JSON.stringify(name)}:2}`))).toBeDefined();
    },
  );
});

const nest = (depth: number, leaf: JsonValue): JsonValue => {
  let value = leaf;
  for (let level = 0; level < depth; level++) value = { next: value };
  return value;
};

describe("deep values", () => {
  const chain = {
    type: ["object", "null"],
    properties: { next: { $ref: "#" } },
    additionalProperties: false,
  } as const;

  test("are checked to the ground, by the contract and by the library", () => {
    expect(problem(chain, nest(250, null))).toBeUndefined();
    expect(problem(chain, nest(250, { other: 1 }))?.reason).toBe("additionalProperties");
    expect(problem(chain, nest(250, 5))?.path).toContain("/next/next");
    expect(ownProblem(z.any(), nest(250, null))).toBeUndefined();
    const same = tinySchema({}, (value: unknown) => ({ value: structuredClone(value) }));
    expect(ownProblem(same, nest(250, null))).toBeUndefined();
  });
});
