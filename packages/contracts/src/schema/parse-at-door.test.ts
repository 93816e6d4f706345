import { describe, expect, test } from "vitest";
import { z } from "zod";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { ContractViolationError, InvalidInputError, InvalidPolicyError } from "../error/error-classes.ts";
import { parseAtDoor } from "./parse-at-door.ts";
import { strictObject } from "./strict-object.ts";

const schema = strictObject({
  name: z.string(),
  size: z.int().default(1),
  tags: z.array(z.string()),
  inner: strictObject({ deep: z.array(strictObject({ leaf: z.boolean() })) }).optional(),
});
const parse = (value: unknown) => parseAtDoor(schema, value, "thing", InvalidInputError);
const whole = { name: "a", size: 2, tags: ["x"], inner: { deep: [{ leaf: true }] } };

test("what is not given at all is called missing, with what it is made of", () => {
  expect(() => parse(undefined)).toThrow(/^thing is missing: give \{ name, tags \}$/);
  const parsed = (one: z.ZodType) => () => parseAtDoor(one, undefined, "law", InvalidPolicyError);
  expect(parsed(strictObject({ a: z.string().optional() }))).toThrow(/^law is missing; the least is \{\}$/);
  expect(parsed(z.string())).toThrow(/^law is missing$/);
});

describe("what fits", () => {
  test("is copied, filled with its defaults, and frozen to the last leaf", () => {
    const given = structuredClone(whole);
    const parsed = parse(given);
    given.tags.push("y");
    given.inner.deep.length = 0;
    expect(parsed).toStrictEqual(whole);
    const parts = [parsed, parsed.tags, parsed.inner, parsed.inner?.deep, parsed.inner?.deep[0]];
    expect(parts.map(Object.isFrozen)).toStrictEqual(parts.map(() => true));
    expect(parse({ name: "a", tags: [] })).toStrictEqual({ name: "a", size: 1, tags: [] });
  });

  test("is read exactly once: what a getter would answer the second time is never seen (G4)", () => {
    const answers = ["first", "second"];
    const parsed = parse({
      tags: [],
      get name() {
        return answers.shift();
      },
    });
    expect([parsed.name, answers]).toStrictEqual(["first", ["second"]]);
  });
});

describe("what does not fit", () => {
  test("is one error of the class asked for, with every path and no value", () => {
    const value = {
      name: 7,
      tags: ["x", "a private value", 8],
      inner: { deep: [{ leaf: "a private value" }] },
    };
    const error = refusalOf(() => parseAtDoor(schema, value, "thing", InvalidPolicyError));
    expect(error).toBeInstanceOf(InvalidPolicyError);
    expect(error.toJSON()).toStrictEqual({
      name: "InvalidPolicyError",
      code: "invalid_policy",
      message:
        "invalid thing: /name: Invalid input: expected string, received number; " +
        "/tags/2: Invalid input: expected string, received number; " +
        "/inner/deep/0/leaf: Invalid input: expected boolean, received string",
      retry: "after_user_action",
      details: {
        path: "/name",
        reason: "schema_mismatch",
        problems: [
          { path: "/name", message: "Invalid input: expected string, received number" },
          { path: "/tags/2", message: "Invalid input: expected string, received number" },
          { path: "/inner/deep/0/leaf", message: "Invalid input: expected boolean, received string" },
        ],
      },
    });
  });

  test("is named up to the tenth fault, and counted after that", () => {
    const error = refusalOf(() => parse({ name: "a", tags: Array.from({ length: 25 }, () => 0) }));
    expect(error.message.match(/\/tags\/\d+/g)).toHaveLength(10);
    expect(error.message).toMatch(/ \(and 15 more\)$/);
    expect(error.details?.problems).toHaveLength(10);
  });

  test("is named by a JSON pointer, also where a key has a slash", () => {
    const record = z.record(z.string(), z.number());
    const error = refusalOf(() => parseAtDoor(record, { "a/b~c": "x" }, "thing", InvalidInputError));
    expect(error.details?.path).toBe("/a~1b~0c");
  });

  test("is named by a short path without control characters", () => {
    const record = z.record(z.string(), z.number());
    const key = `\u001b[2J\n${"k".repeat(99)}`;
    const error = refusalOf(() => parseAtDoor(record, { [key]: "x" }, "thing", InvalidInputError));
    const path = `/�[2J�${"k".repeat(59)}…`;
    const message = "Invalid input: expected number, received string";
    expect(error.message).toBe(`invalid thing: ${path}: ${message}`);
    expect(error.details).toStrictEqual({ path, reason: "schema_mismatch", problems: [{ path, message }] });
  });

  test("in a union is named where the closest member of the union stops fitting", () => {
    const union = z.array(
      z.union([strictObject({ a: z.number(), b: z.number() }), strictObject({ c: z.number() })]),
    );
    const error = refusalOf(() => parseAtDoor(union, [{ c: 1 }, { a: 1 }], "thing", InvalidInputError));
    expect(error.message).toBe("invalid thing: /1/b: missing; expected number");
  });

  test("is what a value only inherits", () => {
    expect(refusalOf(() => parse(Object.create(whole)))).toBeInstanceOf(InvalidInputError);
  });

  test("as JSON is refused with its path before any schema sees it", () => {
    const cases: [value: unknown, path: string][] = [
      [() => 1, ""],
      [{ ...whole, size: Number.NaN }, "/size"],
      [{ ...whole, tags: [() => 1] }, "/tags/0"],
      [{ ...whole, inner: new Map() }, "/inner"],
    ];
    for (const [value, path] of cases) {
      const error = refusalOf(() => parseAtDoor(schema, value, "thing", ContractViolationError));
      expect(error).toBeInstanceOf(ContractViolationError);
      expect(error.message).toMatch(/^invalid thing: /);
      expect(error.details).toStrictEqual({ path, reason: "not_json" });
    }
  });
});
