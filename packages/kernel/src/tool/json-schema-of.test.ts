import { InvalidManifestError, type JsonObject } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { hostileValues } from "../../../contracts/test-data/hostile-values.ts";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { tinySchema, toolWith } from "../../test-data/tool-samples.ts";
import type { ToolSchema } from "./standard-schema.ts";
import { checksOf } from "./tool-checks.ts";

const inputOf = (input: ToolSchema): JsonObject => toolWith({ input }).contract.input;
const refused = (input: unknown) => refusalOf(() => toolWith({ input: input as ToolSchema }));

const part = (key: string) => ({
  type: "object",
  properties: { [key]: { type: "string" } },
  required: [key],
});

/** What becomes of an input: filled, and then fine or refused for a reason. */
function outcomeOf(input: ToolSchema, value: never): unknown {
  const checks = checksOf(toolWith({ input }));
  const filled = checks.fillDefaults?.(value) ?? value;
  return checks.input(filled)?.reason ?? filled;
}
const given = (input: ToolSchema, value: unknown) => outcomeOf(input, value as never);

describe("three ways to say a schema", () => {
  test("zod: as it says itself, without $schema", () => {
    expect(inputOf(z.object({ id: z.string(), lines: z.int().default(10) }))).toStrictEqual({
      type: "object",
      properties: {
        id: { type: "string" },
        lines: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, default: 10 },
      },
      required: ["id"],
      additionalProperties: false,
    });
  });

  test("any other Standard Schema that can say itself", () => {
    const schema = tinySchema({ type: "object", properties: { a: { type: "string" } } }, (value: unknown) =>
      (value as { a?: unknown }).a === "right" ? { value } : { issues: [{ message: "wrong", path: ["a"] }] },
    );
    expect(inputOf(schema)).toStrictEqual({
      type: "object",
      properties: { a: { type: "string" } },
      additionalProperties: false,
    });
    expect([{ a: "right" }, { a: "left" }, { a: 1 }].map((value) => given(schema, value))).toStrictEqual([
      { a: "right" },
      "schema_mismatch",
      "type",
    ]);
  });

  test("JSON Schema: kept to the letter, also where it is open", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { a: { type: "object", properties: { b: true } } },
    };
    expect(inputOf(schema)).toStrictEqual(schema);
  });

  test("a library that cannot say itself is told what to do", () => {
    const silent = { "~standard": { version: 1, vendor: "mute", validate: (value: unknown) => ({ value }) } };
    expect(refused(silent).message).toBe(
      "invalid tool notes.read: input: the mute schema cannot say itself as JSON Schema; give JSON Schema instead",
    );
  });

  test("what a library throws is the cause of the refusal, not the fault", () => {
    const throwing = tinySchema();
    const broken = {
      "~standard": {
        ...throwing["~standard"],
        jsonSchema: {
          input: () => {
            throw new Error("cannot");
          },
          output: () => ({}),
        },
      },
    };
    expect(refused(broken).message).toBe(
      "invalid tool notes.read: input: the tiny schema has no JSON Schema (cannot); a tool's schema checks, it does not transform",
    );
  });

  const inherited = ["__proto__ as a key", "constructor.prototype as keys", "every name of Object.prototype"];
  const others = hostileValues.filter(([name]) => !inherited.includes(name));

  test.each(others)("%s is no schema", (_, make) => {
    const made: unknown[] = [];
    for (const input of [make(), tinySchema(make() ?? null)]) {
      try {
        made.push(toolWith({ input: input as ToolSchema }));
      } catch {}
    }
    expect(made).toStrictEqual([]);
  });

  test.each(inherited)("%s of a schema is an unknown keyword", (name) => {
    const [, make = () => undefined] = hostileValues.find(([one]) => one === name) ?? [];
    expect(refused(make())).toBeInstanceOf(InvalidManifestError);
    expect(refused(tinySchema(make()))).toBeInstanceOf(InvalidManifestError);
  });
});

describe("a library's objects are closed where they are silent: nothing of an input gets lost (G4)", () => {
  const ab = { a: z.string(), b: z.string() };
  const extra = { a: "1", b: "2", more: 3 };

  test.each<[string, ToolSchema, unknown, unknown]>([
    ["plain", z.object(ab), extra, "additionalProperties"],
    ["empty", z.object({}), { more: 1 }, "additionalProperties"],
    ["nested", z.object({ in: z.object(ab) }), { in: extra }, "additionalProperties"],
    ["in an array", z.object({ in: z.array(z.object(ab)) }), { in: [extra] }, "additionalProperties"],
    ["in a tuple", z.tuple([z.object(ab)]), [extra], "additionalProperties"],
    ["in a record", z.record(z.string(), z.object(ab)), { k: extra }, "additionalProperties"],
    ["optional", z.object({ in: z.object(ab).optional() }), { in: extra }, "additionalProperties"],
    ["strict", z.strictObject(ab), extra, "additionalProperties"],
    [
      "an intersection",
      z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
      extra,
      "additionalProperties",
    ],
    ["loose: declared open", z.looseObject(ab), extra, extra],
    [
      "catchall of its kind",
      z.object({ a: z.string() }).catchall(z.number()),
      { a: "1", n: 2 },
      { a: "1", n: 2 },
    ],
    ["catchall of another", z.object({ a: z.string() }).catchall(z.number()), { a: "1", n: "2" }, "type"],
    ["a record is open by nature", z.record(z.string(), z.number()), { x: 1, y: 2 }, { x: 1, y: 2 }],
    ["anything", z.any(), extra, extra],
  ])("%s", (_, schema, value, outcome) => {
    expect(given(schema, value)).toStrictEqual(outcome);
  });

  test("every branch of a union on its own", () => {
    const schema = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    expect(given(schema, { a: "1" })).toStrictEqual({ a: "1" });
    expect(given(schema, { b: "1" })).toStrictEqual({ b: "1" });
    expect(typeof given(schema, { a: "1", b: "2" })).toBe("string");
    const told = z.discriminatedUnion("t", [
      z.object({ t: z.literal("x"), a: z.string() }),
      z.object({ t: z.literal("y") }),
    ]);
    expect(given(told, { t: "y" })).toStrictEqual({ t: "y" });
    expect(typeof given(told, { t: "y", a: "1" })).toBe("string");
  });

  test("an intersection takes what its parts take together", () => {
    const union = z.union([z.object({ a: z.string() }), z.object({ x: z.string() })]);
    const schema = z.intersection(union, z.object({ b: z.string() }));
    expect(given(schema, { a: "1", b: "2" })).toStrictEqual({ a: "1", b: "2" });
    expect(typeof given(schema, { a: "1", b: "2", more: 3 })).toBe("string");
  });

  test("an intersection with a named part takes what its parts take together", () => {
    const named = z.object({ a: z.string() }).meta({ id: "NamedPart" });
    const schema = z.intersection(named, z.object({ b: z.string() }));
    expect(given(schema, { a: "1", b: "2" })).toStrictEqual({ a: "1", b: "2" });
    expect(typeof given(schema, { a: "1", b: "2", more: 3 })).toBe("string");
  });

  test("a part of an allOf that holds a union of objects", () => {
    const schema = tinySchema({ allOf: [{ anyOf: [part("a"), part("x")] }, part("b")] });
    expect(given(schema, { a: "1", b: "2" })).toStrictEqual({ a: "1", b: "2" });
  });

  test("an intersection with a part that is named, by a name of its own or as a choice of named ones", () => {
    const named = z.object({ a: z.string() }).meta({ id: "PartOfUnion" });
    const other = z.object({ x: z.string() }).meta({ id: "OtherPartOfUnion" });
    const either = z.union([named, other]).meta({ id: "UnionOfParts" });
    const schema = z.intersection(either, z.object({ b: z.string() }));
    expect(given(schema, { a: "1", b: "2" })).toStrictEqual({ a: "1", b: "2" });
    expect(typeof given(schema, { a: "1", b: "2", more: 3 })).toBe("string");
    const chained = tinySchema({
      $defs: { A: { $ref: "#/$defs/B" }, B: part("a") },
      allOf: [{ $ref: "#/$defs/A" }, part("b")],
    });
    expect(given(chained, { a: "1", b: "2" })).toStrictEqual({ a: "1", b: "2" });
    const beside = tinySchema({ $defs: { A: part("a") }, $ref: "#/$defs/A", ...part("b") });
    expect(given(beside, { a: "1", b: "2" })).toStrictEqual({ a: "1", b: "2" });
  });

  test("recursive by getter and by lazy, as deep as the value goes", () => {
    const node = z.object({
      name: z.string(),
      get children() {
        return z.array(node).optional();
      },
    });
    const fine = { name: "a", children: [{ name: "b", children: [{ name: "c" }] }] };
    expect(given(node, fine)).toStrictEqual(fine);
    const lost = { name: "a", children: [{ name: "b", children: [{ name: "c", more: 1 }] }] };
    expect(given(node, lost)).toBe("additionalProperties");
    type Chain = { name: string; next?: Chain | undefined };
    const chain: z.ZodType<Chain> = z.object({ name: z.string(), next: z.lazy(() => chain).optional() });
    const wrapped = z.object({ root: chain });
    expect(given(wrapped, { root: { name: "a", next: { name: "b", more: 1 } } })).toBe(
      "additionalProperties",
    );
    expect(given(wrapped, { root: { name: "a", next: { name: "b" } } })).toStrictEqual({
      root: { name: "a", next: { name: "b" } },
    });
  });

  test("what is data in a schema is left alone", () => {
    const data = { properties: { x: 1 } };
    const schema = tinySchema({ enum: [data], default: data, examples: [data], const: data });
    expect(inputOf(schema)).toStrictEqual({ enum: [data], default: data, examples: [data], const: data });
  });

  test("properties that are called like keywords are properties", () => {
    const schema = z.object({
      properties: z.object({ allOf: z.string() }),
      const: z.object({ a: z.string() }),
    });
    const value = { properties: { allOf: "x" }, const: { a: "1" } };
    expect(given(schema, value)).toStrictEqual(value);
    expect(given(schema, { ...value, const: { a: "1", more: 2 } })).toBe("additionalProperties");
  });

  test("an output is not closed by us", () => {
    const output = tinySchema({ type: "object", properties: { a: { type: "string" } } });
    expect(toolWith({ output }).contract.output).toStrictEqual({
      type: "object",
      properties: { a: { type: "string" } },
    });
  });
});

describe("a schema checks; what would change values is refused (B2)", () => {
  const number = (fallback: number) => z.int().default(fallback);
  const shapes = z.object({
    s: z
      .discriminatedUnion("t", [
        z.object({ t: z.literal("x"), n: number(1) }),
        z.object({ t: z.enum(["y", "z"]), n: number(2) }),
      ])
      .nullish(),
  });
  const undecided = z.object({
    u: z.union([z.object({ a: z.string(), n: number(1) }), z.object({ b: z.string(), n: number(2) })]),
  });

  test.each<[string, ToolSchema]>([
    ["a transform", z.string().transform((text) => text.length)],
    ["a transform inside", z.object({ a: z.string().transform(Number) })],
    ["a date", z.object({ a: z.date() })],
    ["a bigint", z.object({ a: z.bigint() })],
    ["a map", z.object({ a: z.map(z.string(), z.string()) })],
    ["an instance", z.object({ a: z.instanceof(Date) })],
    ["undefined", z.object({ a: z.undefined() })],
  ])("%s is refused when the tool is defined", (_, schema) => {
    const error = refused(schema);
    expect(error).toBeInstanceOf(InvalidManifestError);
    expect(error.message).toMatch(
      /^invalid tool notes\.read: input: the zod schema has no JSON Schema \(.*\)/,
    );
    expect(error.details).toStrictEqual({ tool: "notes.read", path: "/input", reason: "bad_schema" });
  });

  test.each<[string, ToolSchema, unknown, unknown]>([
    [
      "a pipe into another type",
      z.object({ a: z.string().pipe(z.coerce.number()) }),
      { a: "5" },
      "schema_changes_value",
    ],
    [
      "a text that stands for a boolean",
      z.object({ a: z.stringbool() }),
      { a: "yes" },
      "schema_changes_value",
    ],
    ["trim", z.object({ a: z.string().trim() }), { a: " x " }, "schema_changes_value"],
    ["trim of what is trimmed", z.object({ a: z.string().trim() }), { a: "x" }, { a: "x" }],
    ["lower case", z.object({ a: z.string().toLowerCase() }), { a: "X" }, "schema_changes_value"],
    ["overwrite", z.object({ a: z.number().overwrite((n) => n + 1) }), { a: 1 }, "schema_changes_value"],
    ["coercion", z.object({ a: z.coerce.number() }), { a: "5" }, "type"],
    ["coercion of what is one", z.object({ a: z.coerce.number() }), { a: 5 }, { a: 5 }],
    ["catch", z.object({ a: z.string().catch("c") }), { a: 5 }, "type"],
    ["preprocess", z.object({ a: z.preprocess(Number, z.number()) }), { a: "3" }, "type"],
    [
      "preprocess that still changes",
      z.object({ a: z.preprocess((n) => Number(n) + 1, z.number()) }),
      { a: 3 },
      "schema_changes_value",
    ],
    [
      "an asynchronous check",
      z.object({ a: z.string().refine(async () => true) }),
      { a: "x" },
      "async_schema",
    ],
    [
      "readonly changes nothing",
      z.object({ a: z.array(z.string()).readonly() }).readonly(),
      { a: ["x"] },
      { a: ["x"] },
    ],
    ["absent optional members", z.object({ a: z.string().optional() }), {}, {}],
    ["null is a value", z.object({ a: z.string().nullable() }), { a: null }, { a: null }],
    [
      "a default that is declared is filled in before",
      z.object({ a: z.string().default("d") }),
      {},
      { a: "d" },
    ],
    [
      "so is one below nullable",
      z.object({ p: z.object({ n: z.int().default(3) }).nullable() }),
      { p: {} },
      { p: { n: 3 } },
    ],
    ["and one that may be null", z.object({ n: z.int().default(3).nullish() }), {}, { n: 3 }],
    ["and one in a union that a literal decides", shapes, { s: { t: "x" } }, { s: { t: "x", n: 1 } }],
    ["or several literals", shapes, { s: { t: "z" } }, { s: { t: "z", n: 2 } }],
    ["but none that nothing decides", undecided, { u: { a: "1" } }, "schema_changes_value"],
  ])("%s", (_, schema, value, outcome) => {
    expect(given(schema, value)).toStrictEqual(outcome);
  });
});

describe("JSON Schema 2020-12 that cannot be relied on is refused when the tool is defined", () => {
  test.each<[string, JsonObject, RegExp]>([
    ["an unknown keyword", { type: "object", requird: ["a"] }, /unknown keyword: "requird"/],
    ["an unknown keyword inside", { properties: { a: { minLenght: 3 } } }, /unknown keyword: "minLenght"/],
    ["an unknown format", { type: "string", format: "shoe-size" }, /unknown format "shoe-size"/],
    ["a reference to nowhere", { $ref: "#/$defs/none" }, /can't resolve reference #\/\$defs\/none/],
    ["a reference to elsewhere", { $ref: "https://example.com/x.json" }, /can't resolve reference https:/],
    ["a reference to what every object has", { $ref: "#/constructor" }, /can't resolve reference/],
    [
      "a reference to a definition that every object has",
      { $defs: {}, $ref: "#/$defs/toString" },
      /can't resolve reference/,
    ],
    [
      "a format that every object has",
      { type: "string", format: "constructor" },
      /unknown format "constructor"/,
    ],
    ["a reference to a document that every object has", { $ref: "toString" }, /can't resolve reference/],
    [
      "the same with an empty fragment",
      { properties: { a: { $ref: "valueOf#" } } },
      /can't resolve reference/,
    ],
    [
      "a reference to nowhere, in an old keyword",
      { dependencies: { a: { $ref: "#/constructor" } } },
      /can't resolve reference/,
    ],
    [
      "another dialect",
      { $schema: "http://json-schema.org/draft-04/schema#" },
      /: it is marked http:\/\/json-schema.org\/draft-04\/schema#; a contract holds 2020-12, and defineTool converts draft-07 alone$/,
    ],
    ["a dialect of nobody", { $schema: "https://example.com/mine" }, /no schema with key or ref/],
    ["a type that is none", { type: "text" }, /schema is invalid/],
    ["a pattern that is none", { type: "string", pattern: "(" }, /Invalid regular expression/],
    [
      "the name of the dialect itself",
      { $id: "https://json-schema.org/draft/2020-12/schema" },
      /already exists/,
    ],
    [
      "asynchronous inside",
      { properties: { a: { $async: true, type: "string" } } },
      /async schema in sync schema/,
    ],
    ["asynchronous", { $async: true, type: "object" }, /async/],
  ])("%s", (_, schema, message) => {
    const error = refused(schema);
    expect(error).toBeInstanceOf(InvalidManifestError);
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/^invalid tool notes\.read: input: not a usable JSON Schema 2020-12: /);
    expect(error.details).toStrictEqual({ tool: "notes.read", path: "/input", reason: "bad_schema" });
  });

  test("keywords with x- are notes, wherever they stand", () => {
    const schema = {
      "x-note": "n",
      properties: { a: { "x-sf-public": true, type: "string" } },
      type: "object",
    };
    expect(inputOf(schema)).toStrictEqual(schema);
  });

  test("properties may be called x-anything", () => {
    const schema = {
      type: "object",
      properties: { "x-über": { type: "string" }, "x-a b": { type: "string" } },
    };
    expect(given(schema, { "x-über": 1 })).toBe("type");
    expect(given(schema, { "x-über": "1", "x-a b": "2" })).toStrictEqual({ "x-über": "1", "x-a b": "2" });
  });

  test("two tools, or both sides of one, may have the same $id and never meet", () => {
    const id = { $id: "https://example.com/same" };
    const first = { ...id, type: "object", properties: { a: { type: "string" } } } as const;
    const second = { ...id, type: "object", properties: { a: { type: "number" } } } as const;
    expect(given(first, { a: 1 })).toBe("type");
    expect(given(second, { a: 1 })).toStrictEqual({ a: 1 });
    expect(given(first, { a: 1 })).toBe("type");
    expect(toolWith({ input: first, output: second }).contract.output).toStrictEqual(second);
  });

  test("zod's own text formats can be said: they are checked by zod", () => {
    const schema = z.object({ picture: z.base64(), phone: z.e164(), id: z.ulid() });
    const value = { picture: "aGVsbG8=", phone: "+4912345678", id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" };
    expect(given(schema, value)).toStrictEqual(value);
    expect(typeof given(schema, { ...value, phone: "none" })).toBe("string");
  });
});
