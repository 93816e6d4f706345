import { expect, test } from "vitest";
import type { z } from "zod";
import { InvalidInputError } from "../src/error/error-classes.ts";
import { canonicalJson } from "../src/json/canonical-json.ts";
import { parseAtDoor } from "../src/schema/parse-at-door.ts";
import { refusalOf } from "./refusal-of.ts";

/** Those of the values that a schema accepts. */
export function acceptedBy<Value>(schema: z.ZodType, values: readonly Value[]): Value[] {
  return values.filter((value) => schema.safeParse(value).success);
}

/** The promises of a record's shape, for a sample that has every field: which of them may be missing, and no other. */
export function keepsItsShape(
  what: string,
  schema: z.ZodType,
  sample: Record<string, unknown>,
  { optional = [] }: { readonly optional?: readonly string[] } = {},
): void {
  const parse = (value: unknown) => parseAtDoor(schema, value, what, InvalidInputError);
  const without = (field: string) =>
    Object.fromEntries(Object.entries(sample).filter(([key]) => key !== field));
  const required = Object.keys(sample).filter((field) => !optional.includes(field));

  test(`${what}: a whole one is accepted, unchanged to the byte and frozen`, () => {
    const parsed = parse(sample);
    expect(parsed).toStrictEqual(sample);
    expect(canonicalJson(parsed)).toBe(canonicalJson(sample));
    expect(Object.isFrozen(parsed)).toBe(true);
  });

  test(`${what}: what may be missing is ${optional.join(", ") || "nothing"}`, () => {
    for (const field of optional) expect(parse(without(field))).toStrictEqual(without(field));
    const refused = required.map((field) => refusalOf(() => parse(without(field))).details?.path);
    expect(refused).toStrictEqual(required.map((field) => `/${field}`));
  });

  test(`${what}: an unknown key is refused by name`, () => {
    const error = refusalOf(() => parse({ ...sample, zzzzzzzz: 1 }));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.message).toBe(`invalid ${what}: unknown key "zzzzzzzz"`);
    expect(error.details?.path).toBe("");
  });
}
