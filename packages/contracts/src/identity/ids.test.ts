import { describe, expect, test } from "vitest";
import { acceptedBy } from "../../test-data/strict-record.ts";
import {
  accountIdSchema,
  agentIdSchema,
  approvalIdSchema,
  callIdSchema,
  contentRefSchema,
  digestSchema,
  effectIdSchema,
  grantIdSchema,
  keyIdSchema,
  messageIdSchema,
  runIdSchema,
  sessionIdSchema,
  stepIdSchema,
  timestampSchema,
  traceIdSchema,
} from "./ids.ts";

const uuid = "0190a7c4-8d5e-7f3a-9b1c-2d3e4f5a6b7c";

const madeIds = [
  ["run", runIdSchema],
  ["call", callIdSchema],
  ["eff", effectIdSchema],
  ["step", stepIdSchema],
  ["appr", approvalIdSchema],
  ["grant", grantIdSchema],
  ["msg", messageIdSchema],
  ["content", contentRefSchema],
] as const;

const notText = [null, undefined, 7, true, {}, [], ["run_00000000"]];
const strangers = [
  "",
  " ",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "x".repeat(200),
  "run_".repeat(50),
  "日本語のテスト",
  "ruñ_00000000",
  "\ud800",
];

// proves PORT-1.9, PORT-1.10, PORT-1.11
describe.each(madeIds)("an id made here, %s_", (prefix, schema) => {
  test("is its prefix and 8 to 64 letters, digits or dashes", () => {
    for (const part of ["00000000", uuid, "a".repeat(64), "Zz-09Zz-09"]) {
      expect(schema.parse(`${prefix}_${part}`)).toBe(`${prefix}_${part}`);
    }
  });

  test("is nothing else", () => {
    const parts = [
      "",
      "0000000",
      "a".repeat(65),
      "a".repeat(200),
      "0000_0000",
      "0000 0000",
      "0000/0000",
      "éééééééé",
    ];
    const refused = [
      ...notText,
      ...strangers,
      ...parts.map((part) => `${prefix}_${part}`),
      uuid,
      `${prefix.toUpperCase()}_00000000`,
      `${prefix}-00000000`,
      ` ${prefix}_00000000`,
      `${prefix}_00000000\n`,
      `${prefix}_00000000\0`,
    ];
    expect(acceptedBy(schema, refused)).toStrictEqual([]);
  });

  test("is never taken for an id of another kind", () => {
    const others = madeIds.filter(([other]) => other !== prefix).map(([other]) => `${other}_00000000`);
    expect(acceptedBy(schema, others)).toStrictEqual([]);
  });
});

describe.each([
  ["AccountId", accountIdSchema],
  ["KeyId", keyIdSchema],
  ["SessionId", sessionIdSchema],
  ["AgentId", agentIdSchema],
] as const)("an id given from outside, %s", (name, schema) => {
  test("is 1 to 128 letters, digits or . _ : @ -, starting with a letter or digit", () => {
    const given = [
      "a",
      "7",
      "acct_1",
      "org:team.person@example-1",
      "constructor",
      "hasOwnProperty",
      "a".repeat(128),
      uuid,
    ];
    expect(acceptedBy(schema, given)).toStrictEqual(given);
  });

  test("is nothing else, and the refusal says what was expected", () => {
    const refused = [
      ...notText,
      ...strangers.filter((text) => !Object.hasOwn(Object.prototype, text)),
      "__proto__",
      "a".repeat(129),
      "_a",
      "-a",
      ".",
      "a b",
      "a/b",
      "a\n",
      "a\0b",
      "äccount",
    ];
    expect(acceptedBy(schema, refused)).toStrictEqual([]);
    expect(schema.safeParse("").error?.issues[0]?.message).toBe(
      `expected a ${name}: 1 to 128 letters, digits or . _ : @ -, starting with a letter or digit`,
    );
  });
});

test("a TraceId is 32 lower-case hex digits, not all zero", () => {
  const good = ["0123456789abcdef0123456789abcdef", `${"0".repeat(31)}1`];
  const bad = [
    "0".repeat(32),
    "0123456789ABCDEF0123456789ABCDEF",
    "a".repeat(31),
    "a".repeat(33),
    "",
    "g".repeat(32),
  ];
  expect(acceptedBy(traceIdSchema, good)).toStrictEqual(good);
  expect(acceptedBy(traceIdSchema, [...bad, ...notText, ...strangers])).toStrictEqual([]);
});

test("a digest is sha256: and 64 lower-case hex digits", () => {
  const good = [`sha256:${"0".repeat(64)}`, `sha256:${"0123456789abcdef".repeat(4)}`];
  const bad = [
    "a".repeat(64),
    `sha256:${"a".repeat(63)}`,
    `sha256:${"a".repeat(65)}`,
    `SHA256:${"a".repeat(64)}`,
  ];
  const worse = [`sha256:${"A".repeat(64)}`, `sha1:${"a".repeat(64)}`, `sha256:${"a".repeat(64)}\n`];
  expect(acceptedBy(digestSchema, good)).toStrictEqual(good);
  expect(acceptedBy(digestSchema, [...bad, ...worse, ...notText, ...strangers])).toStrictEqual([]);
});

test("a time is ISO 8601 in UTC, and a day that exists", () => {
  const good = ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678Z", "2024-02-29T00:00:00Z"];
  const bad = [
    "2026-01-02",
    "2026-01-02T03:04Z",
    "2026-01-02T03:04:05",
    "2026-01-02T03:04:05+01:00",
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-01-02T24:00:00Z",
    "2026-01-02t03:04:05z",
    "1767323045",
    1_767_323_045,
  ];
  expect(acceptedBy(timestampSchema, good)).toStrictEqual(good);
  expect(acceptedBy(timestampSchema, [...bad, ...notText, ...strangers])).toStrictEqual([]);
});
