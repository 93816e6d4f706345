import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyJson, anyText, withoutMinusZero } from "../../test-data/any-json.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { encodeToolInput } from "./encode-tool-input.ts";
import { inputReaderOf } from "./input-reader.ts";
import { type ToolRoute, toolRouteOf } from "./tool-route.ts";

type Kind = { readonly schema: JsonObject; readonly values: fc.Arbitrary<JsonValue> };

const numbers = fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0);
// What reads as JSON, and what a URL has its own ideas about.
const texts = fc.oneof(
  anyText,
  fc.constantFrom(
    "5",
    "true",
    "null",
    "[]",
    '["a"]',
    "[",
    "{}",
    '"',
    "a&b=c",
    "+",
    "%",
    "%41",
    "...",
    "/",
    "\\",
    "?#",
  ),
);
const segmentTexts = texts.filter((text) => !["", ".", ".."].includes(text));
const listOf = (items: JsonObject) => ({ type: "array", items });

const scalars: readonly Kind[] = [
  { schema: { type: "string" }, values: segmentTexts },
  { schema: { $ref: "#/$defs/text" }, values: segmentTexts },
  { schema: { enum: ["5", "true"] }, values: fc.constantFrom("5", "true") },
  { schema: { type: "integer" }, values: fc.maxSafeInteger() },
  { schema: { allOf: [{ $ref: "#/$defs/amount" }, { minimum: -1 }] }, values: numbers.map(Math.abs) },
  { schema: { type: "boolean" }, values: fc.boolean() },
  { schema: { enum: [5, true] }, values: fc.constantFrom<JsonValue>(5, true) },
];
const kinds: readonly Kind[] = [
  ...scalars,
  { schema: { type: "string" }, values: texts },
  { schema: { type: ["number", "null"] }, values: fc.option(numbers) },
  { schema: listOf({ type: "string" }), values: fc.array(texts) },
  { schema: listOf({ type: "number" }), values: fc.array(numbers) },
  { schema: listOf({}), values: fc.array(anyJson) },
  { schema: listOf(listOf({ type: "string" })), values: fc.array(fc.array(texts)) },
  { schema: { anyOf: [listOf({ type: "string" }), { type: "null" }] }, values: fc.option(fc.array(texts)) },
  { schema: { oneOf: [listOf({}), { type: "integer" }] }, values: fc.oneof(fc.array(anyJson), fc.integer()) },
  { schema: { type: "object" }, values: fc.dictionary(anyText, anyJson) },
];

const inPath = fc.tuple(fc.constantFrom("a", "b", "constructor", "keyId"), fc.constantFrom(...scalars));
const inRest = fc.tuple(
  fc.oneof(anyText, fc.constantFrom("__proto__", "toString", "a b", "x[]", "c")),
  fc.option(fc.constantFrom(...kinds)),
);

/** A tool, and an input that its schema accepts. */
const anyCall = fc
  .record({
    method: fc.constantFrom<ToolRoute["method"]>("GET", "POST", "PUT", "PATCH", "DELETE"),
    params: fc.uniqueArray(inPath, { maxLength: 3, selector: ([name]) => name }),
    rest: fc.uniqueArray(inRest, { maxLength: 5, selector: ([name]) => name }),
  })
  .chain(({ method, params, rest }) => {
    const names = new Set<string>(params.map(([name]) => name));
    const others = rest.filter(([name]) => !names.has(name));
    const declared = [
      ...params,
      ...others.flatMap(([name, kind]) => (kind === null ? [] : [[name, kind] as const])),
    ];
    const input = {
      type: "object",
      $defs: { text: { type: "string" }, amount: { type: "number" } },
      properties: Object.fromEntries(declared.map(([name, { schema }]) => [name, schema])),
    };
    const path = ["/api/things", ...params.map(([name]) => `{${name}}`), "do"].join("/");
    // What is not declared travels as a string.
    const members = [...params, ...others].map(([name, kind]) =>
      fc.tuple(fc.constant(name), kind === null ? texts : kind.values),
    );
    return fc.record({
      contract: fc.constant({ name: "things.do", http: { method, path }, input }),
      input: fc.tuple(...members).map((entries) => Object.fromEntries(entries)),
    });
  });

test("for any input that fits its schema: what is read is what was written", () => {
  fc.assert(
    fc.property(anyCall, ({ contract, input }) => {
      const route = toolRouteOf(contract) as ToolRoute;
      const { path, body } = encodeToolInput(route, input);
      const url = new URL(`http://h${path}`);
      const read = inputReaderOf(contract)({
        params: paramsIn(route, url),
        query: url.search.slice(1),
        body,
      });
      expect(isDeepStrictEqual(read, withoutMinusZero(input))).toBe(true);
    }),
    { numRuns: 600 },
  );
});

function paramsIn(route: ToolRoute, url: URL): Record<string, string> {
  const segments = url.pathname.split("/");
  const template = route.path.split("/");
  expect(segments).toHaveLength(template.length);
  return Object.fromEntries(
    template.flatMap((part, index) =>
      part.startsWith("{") ? [[part.slice(1, -1), decodeURIComponent(segments[index] as string)]] : [],
    ),
  );
}
