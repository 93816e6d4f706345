import { canonicalJson, type JsonObject, type JsonValue } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { freezeDeep } from "../../test-data/tool-samples.ts";
import { defaultsOf } from "./fill-defaults.ts";

/** What an input is after filling; it, and the schema, are frozen all the way down. */
function filled(schema: JsonObject, value: JsonValue): JsonValue {
  const fill = defaultsOf(freezeDeep(schema));
  return fill === undefined ? value : fill(freezeDeep(value));
}

const a = { properties: { a: { default: 1 } } } as const;
const parsed = (text: string) => JSON.parse(text) as JsonObject;

describe("declared defaults are filled in", () => {
  test.each<[string, JsonObject, JsonValue, JsonValue]>([
    ["a missing member", a, {}, { a: 1 }],
    ["beside others", a, { b: 2 }, { a: 1, b: 2 }],
    ["a member that is there", a, { a: 2 }, { a: 2 }],
    ["null is there", a, { a: null }, { a: null }],
    [
      "false and empty are there",
      { properties: { x: { default: 1 }, y: { default: 1 } } },
      { x: false, y: "" },
      { x: false, y: "" },
    ],
    ["null as a default", { properties: { a: { default: null } } }, {}, { a: null }],
    ["a whole object as a default", { properties: { o: { default: { b: [1] } } } }, {}, { o: { b: [1] } }],
    ["nested", { properties: { o: a } }, { o: {} }, { o: { a: 1 } }],
    ["no parent, no nested default", { properties: { o: a } }, {}, {}],
    [
      "a parent's default gets its members' too",
      { properties: { o: { ...a, default: {} } } },
      {},
      { o: { a: 1 } },
    ],
    [
      "a parent's default that says otherwise",
      { properties: { o: { ...a, default: { a: 2 } } } },
      {},
      { o: { a: 2 } },
    ],
    [
      "behind a reference",
      { $defs: { A: a }, properties: { o: { $ref: "#/$defs/A" } } },
      { o: {} },
      { o: { a: 1 } },
    ],
    ["behind two references", { $defs: { A: { $ref: "#/$defs/B" }, B: a }, $ref: "#/$defs/A" }, {}, { a: 1 }],
    [
      "beside a reference",
      { $defs: { A: a }, $ref: "#/$defs/A", properties: { b: { default: 2 } } },
      {},
      { a: 1, b: 2 },
    ],
    ["in every part of an allOf", { allOf: [a, { properties: { b: { default: 2 } } }] }, {}, { a: 1, b: 2 }],
    ["the first part that says one", { allOf: [a, { properties: { a: { default: 2 } } }] }, {}, { a: 1 }],
    ["in every item", { items: a }, [{}, { a: 2 }, 5], [{ a: 1 }, { a: 2 }, 5]],
    ["in items of items", { items: { items: a } }, [[{}], []], [[{ a: 1 }], []]],
    ["in items after the first ones", { prefixItems: [{}], items: a }, [{}, {}], [{}, { a: 1 }]],
    [
      "a member called __proto__",
      parsed('{"properties":{"__proto__":{"default":1}}}'),
      {},
      parsed('{"__proto__":1}'),
    ],
    [
      "inside a member called __proto__",
      parsed('{"properties":{"__proto__":{"properties":{"a":{"default":1}}}}}'),
      parsed('{"__proto__":{}}'),
      parsed('{"__proto__":{"a":1}}'),
    ],
    [
      "a member called like what every object has",
      { properties: { toString: { default: 1 } } },
      {},
      { toString: 1 },
    ],
    ["not where the value is something else", a, [1], [1]],
    ["not for null", a, null, null],
    ["not for a text", a, "text", "text"],
    ["not for something in its place", { properties: { o: a } }, { o: 5 }, { o: 5 }],
    ["a default at the root is for nobody", { default: { a: 1 } }, {}, {}],
    ["not under anyOf, oneOf, if: it depends", { anyOf: [a, {}], oneOf: [{}, a], if: a, else: a }, {}, {}],
    ["not under not", { not: a }, {}, {}],
  ])("%s", (_, schema, value, expected) => {
    const result = filled(schema, value);
    expect(result).toStrictEqual(expected);
    expect(canonicalJson(result)).toBe(canonicalJson(expected));
  });

  test.each<[string, JsonObject, JsonValue, JsonValue]>([
    [
      "a default that stands at the reference's target",
      { $defs: { A: { default: 1 } }, properties: { a: { $ref: "#/$defs/A" } } },
      {},
      { a: 1 },
    ],
    ["in the first items", { prefixItems: [a] }, [{}, {}], [{ a: 1 }, {}]],
    [
      "in each of the first items by its own schema",
      { prefixItems: [a, { properties: { b: { default: 2 } } }], items: a },
      [{}, {}, {}],
      [{ a: 1 }, { b: 2 }, { a: 1 }],
    ],
    ["in members by pattern", { patternProperties: { "^x": a } }, { x1: {}, y: {} }, { x1: { a: 1 }, y: {} }],
    [
      "in every other member",
      { properties: { y: {} }, additionalProperties: a },
      { x: {}, y: {} },
      { x: { a: 1 }, y: {} },
    ],
    [
      "through a reference to the whole",
      { properties: { a: { default: 1 }, next: { $ref: "#" } } },
      { next: { next: {} } },
      { a: 1, next: { a: 1, next: { a: 1 } } },
    ],
    [
      "as deep as a recursive value goes",
      {
        $defs: { N: { properties: { a: { default: 1 }, list: { items: { $ref: "#/$defs/N" } } } } },
        $ref: "#/$defs/N",
      },
      { list: [{ list: [{ list: [] }] }] },
      { a: 1, list: [{ a: 1, list: [{ a: 1, list: [] }] }] },
    ],
    ["behind a reference whose name is escaped", { $defs: { "a/b": a }, $ref: "#/$defs/a~1b" }, {}, { a: 1 }],
  ])("%s", (_, schema, value, expected) => {
    expect(filled(schema, value)).toStrictEqual(expected);
  });

  const orNull = { anyOf: [{ type: "object", ...a }, { type: "null" }] } as const;
  const tagged = (t: JsonValue, n: number) => ({ properties: { t: { const: t }, n: { default: n } } });
  const either = { oneOf: [tagged("x", 1), tagged("y", 2)] } as const;

  test.each<[string, JsonObject, JsonValue, JsonValue]>([
    ["or null", { properties: { o: orNull } }, { o: {} }, { o: { a: 1 } }],
    ["or null, given null", { properties: { o: orNull } }, { o: null }, { o: null }],
    ["or null, first", { anyOf: [{ type: "null" }, a] }, {}, { a: 1 }],
    ["an object or null by its types", { type: ["object", "null"], ...a }, {}, { a: 1 }],
    [
      "or null, behind a reference",
      { $defs: { A: { $ref: "#/$defs/B" }, B: orNull }, items: { $ref: "#/$defs/A" } },
      [{}, null],
      [{ a: 1 }, null],
    ],
    [
      "a default of what may be null",
      { properties: { n: { anyOf: [{ default: 3 }, { type: "null" }] } } },
      {},
      { n: 3 },
    ],
    [
      "a default of what may be null gets its members' too",
      { properties: { o: { ...orNull, default: {} } } },
      {},
      { o: { a: 1 } },
    ],
    [
      "beside a text and a list",
      { anyOf: [{ type: ["string", "array"] }, { type: "object", ...a }] },
      {},
      { a: 1 },
    ],
    [
      "in a list beside an object",
      {
        oneOf: [
          { type: "array", items: a },
          { type: "object", ...a },
        ],
      },
      [{}],
      [{ a: 1 }],
    ],
    ["what a member chooses", either, { t: "x" }, { t: "x", n: 1 }],
    ["what a member chooses otherwise", either, { t: "y" }, { t: "y", n: 2 }],
    ["a member that chooses nothing", either, { t: "z" }, { t: "z" }],
    ["no member that chooses", either, {}, {}],
    ["a member that only others have", either, { n: 3 }, { n: 3 }],
    ["what is given stays", either, { t: "x", n: 9 }, { t: "x", n: 9 }],
    [
      "a member that is one of several",
      { oneOf: [{ properties: { t: { enum: [1, 2] }, n: { default: 1 } } }, tagged(3, 2)] },
      { t: 2 },
      { t: 2, n: 1 },
    ],
    [
      "a member by reference",
      {
        $defs: { T: { enum: ["y"] } },
        oneOf: [tagged("x", 1), { properties: { t: { $ref: "#/$defs/T" } } }],
      },
      { t: "x" },
      { t: "x", n: 1 },
    ],
    [
      "a choice in a choice",
      { anyOf: [{ anyOf: [tagged("v", 5), tagged("w", 6)] }, either, { type: "null" }] },
      { t: "y" },
      { t: "y", n: 2 },
    ],
    [
      "a member that chooses by a default",
      { ...either, properties: { t: { default: "x" } } },
      {},
      { t: "x", n: 1 },
    ],
    ["not where two are chosen", { anyOf: [tagged("x", 1), tagged("x", 2)] }, { t: "x" }, { t: "x" }],
    ["a choice of itself", { anyOf: [{ $ref: "#" }, { type: "null" }], ...a }, {}, { a: 1 }],
  ])("in a choice that is none: %s", (_, schema, value, expected) => {
    expect(filled(schema, value)).toStrictEqual(expected);
  });

  test("one default that two refer to gets what stands beside each reference", () => {
    const x = { $ref: "#/$defs/A", properties: { p: { default: 1 } } };
    const y = { $ref: "#/$defs/A", properties: { q: { default: 2 } } };
    const schema = { $defs: { A: { default: {} } }, properties: { x, y } };
    expect(filled(schema, {})).toStrictEqual({ x: { p: 1 }, y: { q: 2 } });
  });

  test("nothing to fill in: no filler", () => {
    const schemas: JsonObject[] = [
      {},
      { properties: {} },
      { properties: { b: { type: "string" } } },
      { default: { a: 1 } },
      { $ref: "#/$defs/none" },
      { $ref: "https://example.com/x.json" },
      { $defs: { A: a } },
    ];
    expect(schemas.map((schema) => defaultsOf(schema))).toStrictEqual(schemas.map(() => undefined));
  });

  test("only by own names: a reference to what every object has fills nothing", () => {
    for (const name of ["toString", "__proto__", "constructor"]) {
      expect(defaultsOf({ $defs: {}, $ref: `#/$defs/${name}` })).toBeUndefined();
    }
  });

  test("every call gets a default of its own: what one does to it, no other sees", () => {
    const fill = defaultsOf({ properties: { o: { default: { list: [1] } } } });
    const first = fill?.({}) as { o: { list: number[] } };
    first.o.list.push(2);
    expect(fill?.({})).toStrictEqual({ o: { list: [1] } });
  });

  test("references in a circle end, also where each default calls for the next", () => {
    const circle = { $defs: { A: { $ref: "#/$defs/B" }, B: { $ref: "#/$defs/A" } }, $ref: "#/$defs/A" };
    expect(filled(circle, {})).toStrictEqual({});
    const own = { $defs: { A: { properties: { next: { $ref: "#/$defs/A" } } } }, $ref: "#/$defs/A" };
    expect(filled(own, { next: {} })).toStrictEqual({ next: {} });
    const endless = {
      $defs: { A: { properties: { next: { $ref: "#/$defs/A", default: {} } } } },
      $ref: "#/$defs/A",
    };
    const inside = { default: { b: {} }, properties: { b: { properties: { a: { $ref: "#/$defs/A" } } } } };
    const growing = { $defs: { A: inside }, properties: { a: { $ref: "#/$defs/A" } } };
    const listing = {
      $defs: { N: { properties: { list: { default: [{}], items: { $ref: "#/$defs/N" } } } } },
      $ref: "#/$defs/N",
    };
    for (const one of [endless, growing, listing]) {
      const once = filled(one, {});
      expect(filled(one, once)).toStrictEqual(once);
    }
  });
});

describe("where several ways lead to the same place, it is filled once for each, however many there are:", () => {
  /** Objects in each other by one key, each with the members given. */
  const chain = (depth: number, members: JsonObject = {}): JsonObject =>
    depth === 0 ? members : { ...members, next: chain(depth - 1, members) };
  const next = { $ref: "#" };
  const named = (count: number, keyword: string) =>
    Array.from({ length: count }, (_, at) => [
      `d${at}`,
      {
        type: "object",
        properties: { [`p${at}`]: { default: at } },
        [keyword]: Array.from({ length: count }, (__, other) => ({ $ref: `#/$defs/d${other}` })),
      },
    ]);

  test.each<[string, JsonObject]>([
    ["a part", { properties: { a: { default: 1 }, next }, allOf: [{ properties: { next } }] }],
    [
      "parts that say more of it",
      {
        allOf: [
          { properties: { next } },
          { properties: { next: { allOf: [next, next] } } },
          { additionalProperties: next },
        ],
        properties: { a: { default: 1 } },
      },
    ],
    [
      "a branch",
      {
        properties: { a: { default: 1 }, next },
        anyOf: [{ type: "null" }, { type: "object", properties: { next } }],
      },
    ],
    [
      "a pattern",
      { properties: { a: { default: 1 } }, patternProperties: { "^n": next, t$: next, "^nex": next } },
    ],
  ])("%s, in a value as deep as one can be", (_, schema) => {
    for (const depth of [0, 1, 3, 200])
      expect(filled(schema, chain(depth))).toStrictEqual(chain(depth, { a: 1 }));
  });

  test("parts that all name each other", () => {
    const all = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`p${at}`, at]));
    const schema = { $defs: Object.fromEntries(named(15, "allOf")), $ref: "#/$defs/d0" } as JsonObject;
    expect(filled(schema, {})).toStrictEqual(all);
    expect(filled(schema, { p7: "given" })).toStrictEqual({ ...all, p7: "given" });
  });

  test("branches that all name each other, of which one is left", () => {
    const parts = Object.fromEntries(named(15, "allOf"));
    const out = { type: "object", properties: { t: { const: "x" } }, $ref: "#/$defs/d0" };
    const schema = { $defs: parts, anyOf: [out, { type: "object", ...a, $ref: "#/$defs/d3" }] } as JsonObject;
    expect(filled(schema, { t: "y" })).toMatchObject({ t: "y", a: 1, p14: 14 });
    const neither = filled({ ...schema, anyOf: [...(schema["anyOf"] as JsonValue[]), out] }, { t: "x" });
    expect(neither).toStrictEqual({ t: "x" });
  });
});

const key = fc.constantFrom("a", "b", "next", "__proto__", "toString");
const value: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<JsonValue[]>(null, 0, "", true, "text"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc
      .uniqueArray(fc.tuple(key, tie("value")), { maxLength: 4, selector: ([name]) => name })
      .map((members) => Object.fromEntries(members)),
  ),
})).value;

const schema: fc.Arbitrary<JsonObject> = fc
  .letrec<{ schema: JsonObject }>((tie) => ({
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constant({}),
      fc.record({ default: value }),
      fc.constantFrom({ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }, { $ref: "#" }),
      fc.tuple(tie("schema"), value).map(([inner, fallback]) => ({ ...inner, default: fallback })),
      fc
        .uniqueArray(fc.tuple(key, tie("schema")), { maxLength: 3, selector: ([name]) => name })
        .map((members) => ({ properties: Object.fromEntries(members) })),
      fc.record({ items: tie("schema") }),
      fc.record({ prefixItems: fc.array(tie("schema"), { maxLength: 2 }), items: tie("schema") }),
      fc.array(tie("schema"), { maxLength: 3 }).map((allOf) => ({ allOf })),
      fc.array(tie("schema"), { maxLength: 2 }).map((anyOf) => ({ anyOf })),
      tie("schema").map((inner) => ({ anyOf: [inner, { type: "null" }] })),
      fc.tuple(tie("schema"), tie("schema")).map(([one, other]) => ({
        oneOf: [
          { type: "object", ...one },
          { type: "array", ...other },
        ],
      })),
    ),
  }))
  .schema.chain((root) =>
    fc
      .tuple(fc.constant(root), fc.constant(root))
      .map(([one]) => ({ $defs: { A: one, B: { properties: { a: one } } }, ...one })),
  );

/** Whether everything of one value is in another, at its place. */
function isWithin(less: JsonValue, more: JsonValue): boolean {
  if (typeof less !== "object" || less === null || typeof more !== "object" || more === null)
    return less === more;
  if (Array.isArray(less) !== Array.isArray(more)) return false;
  if (Array.isArray(less) && less.length !== (more as readonly JsonValue[]).length) return false;
  return Object.entries(less).every(
    ([name, member]) =>
      Object.hasOwn(more, name) && isWithin(member as JsonValue, (more as JsonObject)[name] as JsonValue),
  );
}

describe("for any schema and any input", () => {
  test("filling twice is filling once, nothing given is changed, and nothing given is lost", () => {
    fc.assert(
      fc.property(schema, value, (anySchema, input) => {
        const before = [canonicalJson(anySchema), canonicalJson(input)];
        const once = filled(anySchema, input);
        expect([canonicalJson(anySchema), canonicalJson(input)]).toStrictEqual(before);
        expect(isWithin(input, once)).toBe(true);
        expect(canonicalJson(filled(anySchema, once))).toBe(canonicalJson(once));
      }),
      { numRuns: 2000 },
    );
  });
});
