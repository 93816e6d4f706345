// G1: schemas are compiled for the first value, and none that cannot be is found out then: its tool is refused when it is defined.
import { InvalidManifestError, type JsonObject } from "@spfunctions/contracts";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { Deck } from "../../test-data/call-deck.ts";
import { kindsOf, openDesk } from "../../test-data/call-desk.ts";
import { tinySchema, toolWith } from "../../test-data/tool-samples.ts";
import { compileCheck } from "./schema-check.ts";
import type { ToolSchema } from "./standard-schema.ts";
import { checksOf } from "./tool-checks.ts";

afterEach(() => vi.restoreAllMocks());

const where = { tool: "notes.read", side: "input" };
const givenAs: readonly [string, (schema: JsonObject) => ToolSchema][] = [
  ["JSON Schema", (schema) => schema],
  ["a library's schema", (schema) => tinySchema(schema)],
];

describe.each(givenAs)("a schema that is taken as %s can be compiled:", (_, given) => {
  const name = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 4 }),
    fc.constantFrom("a.b", "a b", "é", "ſ", "K", "constructor", "__proto__", "\n", "$ref"),
  );
  const leaf = fc.dictionary(
    fc.oneof(
      name.map((mark) => `x-${mark}`),
      fc.constantFrom("title", "default", "const", "pattern", "format"),
    ),
    fc.oneof(fc.boolean(), fc.integer(), name),
    { maxKeys: 2 },
  );
  const schema = fc.oneof(
    leaf,
    fc.dictionary(name, leaf, { maxKeys: 2 }).map((properties) => ({ properties })),
    fc.dictionary(name, leaf, { maxKeys: 2 }).map(($defs) => ({ $defs, anyOf: [{ type: "string" }] })),
    fc.tuple(leaf, leaf).map((anyOf) => ({ items: { anyOf } })),
  );

  test("whatever its marks, members and formats are called", () => {
    fc.assert(
      fc.property(schema, (one) => {
        const tool = taken(() =>
          toolWith({ input: given(one as JsonObject), output: given(one as JsonObject) }),
        );
        if (tool === undefined) return;
        const { input, output } = checksOf(tool);
        expect(() => [input({}), output({})]).not.toThrow();
      }),
      { numRuns: 100 },
    );
  });

  test.each(["x-a.b", "x-a b", "x-é", "x-ſ", "x-a\n"])("one with the mark %j is not taken", (mark) => {
    const marked = given({ type: "object", [mark]: true });
    for (const schemas of [{ input: marked }, { output: marked }]) {
      const error = refusalOf(() => toolWith({ sideEffect: "user_write", ...schemas }));
      expect(error).toBeInstanceOf(InvalidManifestError);
      expect(error.message).toMatch(/^invalid tool notes\.read: (in|out)put: not a usable JSON Schema/);
    }
  });
});

test("a schema that is larger than a validator can be is not taken, and nothing is printed", () => {
  const printed = vi.spyOn(console, "error");
  const members = Array.from({ length: 5000 }, (__, at) => [`p${at}`, { type: "string" }] as const);
  const wide = { type: "object", properties: Object.fromEntries(members) };
  expect(refusalOf(() => compileCheck(wide, wide, where))).toBeInstanceOf(InvalidManifestError);
  expect(printed).not.toHaveBeenCalled();
});

describe("J1: where a schema cannot be compiled all the same, nothing has run:", () => {
  test.each(["input", "output"])("its %s", async (side) => {
    vi.spyOn(Ajv2020.prototype, "compile").mockImplementation((schema) => {
      if ((schema as JsonObject)["title"] === `${side} of the tool with a late ${side}`)
        throw new Error("no room");
      return (() => true) as never;
    });
    const late = (one: string) => ({ title: `${one} of the tool with a late ${side}`, type: "object" });
    const tool = { name: "notes.late", sideEffect: "user_write" } as const;
    const deck = new Deck(undefined, [{ ...tool, input: late("input"), output: late("output") }]);
    const desk = openDesk({ deck });
    await expect(desk.call({ tool: "notes.late", input: {} })).rejects.toMatchObject({
      code: "invalid_manifest",
    });
    expect(deck.runs).toStrictEqual([]);
    expect(await kindsOf(desk)).not.toContain("call.intended");
  });
});

function taken<Value>(act: () => Value): Value | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof InvalidManifestError) return undefined;
    throw error;
  }
}
