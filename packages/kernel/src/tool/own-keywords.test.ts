import type { JsonObject, JsonValue } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { compileCheck } from "./schema-check.ts";

const where = { tool: "notes.read", side: "input" };
const reasonFor = (schema: JsonObject, value: unknown) =>
  compileCheck(schema, schema, where)(value as JsonValue)?.reason;

describe("a list without repetitions", () => {
  test("is told in time that grows with it: comparing each with each would take minutes", () => {
    const items = Array.from({ length: 100_000 }, (_, at) => ({ at }));
    expect(reasonFor({ uniqueItems: true }, items)).toBeUndefined();
    expect(reasonFor({ uniqueItems: true }, [...items, { at: 5 }])).toBe("uniqueItems");
  });

  test.each<[boolean, string]>([
    [true, '[1,"1",true,null,"null",[1],{"a":1},{"a":"1"}]'],
    [true, '[{"valueOf":1},{"valueOf":2},{"toString":1},{"constructor":1}]'],
    [false, "[0,-0]"],
    [false, '[{"a":1,"b":[]},{"b":[],"a":1}]'],
    [false, '[{"valueOf":1},{"valueOf":1}]'],
  ])("is one: %s, %s", (isUnique, text) => {
    expect(reasonFor({ uniqueItems: true }, JSON.parse(text))).toBe(isUnique ? undefined : "uniqueItems");
    expect(reasonFor({ uniqueItems: false }, JSON.parse(text))).toBeUndefined();
  });
});

describe("a multiple", () => {
  test.each<[number, number]>([
    [0.01, 0.07],
    [0.01, 19.99],
    [0.1, 0.3],
    [1e-7, 3e-7],
    [0.5, -2.5],
    [3, 0],
    [1e20, 3e21],
  ])("of %d is %d", (multipleOf, value) => {
    expect(reasonFor({ multipleOf }, value)).toBeUndefined();
  });

  test.each<[number, number]>([
    [0.01, 0.075],
    [100, 1_000_000_000_000_050],
    [1e12, 1e15 + 1],
    [3, 1e-7],
  ])("of %d is not %d", (multipleOf, value) => {
    expect(reasonFor({ multipleOf }, value)).toBe("multipleOf");
  });

  test("of cents is every price in cents, as zod has it", () => {
    const price = z.object({ price: z.number().multipleOf(0.01) });
    const check = compileCheck(z.toJSONSchema(price) as JsonObject, price, where);
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (cents) => {
        expect(check({ price: Number((cents / 100).toFixed(2)) })).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });
});
