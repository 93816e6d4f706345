import { describe, expect, test } from "vitest";
import {
  errorEnvelope,
  manifestSaying,
  runtimeSession,
  standingGrant,
  toolDefinition,
} from "../../test-data/samples.ts";
import { acceptedBy } from "../../test-data/strict-record.ts";
import { InvalidInputError } from "../error/error-classes.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import { httpEnvelopeSchema } from "../http/http-envelope.ts";
import { runtimeSessionSchema } from "../record/session.ts";
import { standingGrantSchema } from "../record/approval.ts";
import { manifestSchema } from "../tool/manifest.ts";
import { jsonObjectSchema, jsonPointerSchema } from "./json-schemas.ts";
import { parseAtDoor } from "./parse-at-door.ts";

const hidden = JSON.parse(
  '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"a":{"__proto__":null}}',
) as Record<string, never>;

describe("a member that is any JSON object", () => {
  test("is an object, and nothing else", () => {
    const objects = [{}, { a: 1 }, hidden];
    expect(
      acceptedBy(jsonObjectSchema, [...objects, [], [{}], null, "{}", 7, true, undefined]),
    ).toStrictEqual(objects);
    expect(jsonObjectSchema.safeParse([]).error?.issues[0]?.message).toBe("expected a JSON object");
  });

  test.each([
    ["a session's summary", runtimeSessionSchema, { ...runtimeSession, policySummary: hidden }],
    [
      "a refusal's details",
      httpEnvelopeSchema,
      { ...errorEnvelope, error: { ...errorEnvelope.error, details: hidden } },
    ],
    ["a grant's input", standingGrantSchema, { ...standingGrant, fixedInput: { "/a": hidden } }],
    ["a tool's schema", manifestSchema, manifestSaying([toolDefinition({ input: hidden, output: hidden })])],
  ])("keeps every key, also __proto__: %s", (_, schema, value) => {
    const parsed = parseAtDoor(schema, value, "value", InvalidInputError);
    expect(canonicalJson(parsed)).toBe(canonicalJson(value));
    expect(canonicalJson(parsed)).toContain('"__proto__":{"polluted":true}');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

test("a member that is a JSON pointer is nothing else", () => {
  const pointers = ["", "/", "/order/quantity", "/a~1b~0c", "/__proto__"];
  const others = ["order", "#/order", "/a~2", " /a", null, 7, ["/a"]];
  expect(acceptedBy(jsonPointerSchema, [...pointers, ...others])).toStrictEqual(pointers);
  expect(jsonPointerSchema.safeParse("order").error?.issues[0]?.message).toBe(
    "expected a JSON pointer, like /order/quantity",
  );
});
