import { describe, expect, test } from "vitest";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { maxJsonDepth } from "./json-value.ts";
import { defaultMaxJsonBytes, type ParseJsonLimits, parseJsonStrict } from "./parse-json-strict.ts";

const detailsOf = (text: string, limits?: ParseJsonLimits) =>
  refusalOf(() => parseJsonStrict(text, limits)).details;

describe("a refusal says where and why", () => {
  const places: readonly (readonly [
    text: string,
    path: string,
    reason: string,
    line: number,
    column: number,
  ])[] = [
    ["", "", "syntax", 1, 1],
    ["\n\n x", "", "syntax", 3, 2],
    ["{} x", "", "trailing_text", 1, 4],
    ["[1,\n 2,\n x]", "/2", "syntax", 3, 2],
    ["{x:1}", "", "syntax", 1, 2],
    ['{"":x}', "/", "syntax", 1, 5],
    ['{"a":[{"b":\r\n01}]}', "/a/0/b", "syntax", 2, 2],
    ['{"a":1,x}', "", "syntax", 1, 8],
    ['{"o":{"a":1,x}}', "/o", "syntax", 1, 13],
    ['{"a":1,"b":{"c":1,"c":2}}', "/b/c", "duplicate_key", 1, 22],
    ['{"a/b~":[1e999]}', "/a~1b~0/0", "number_overflow", 1, 10],
    ['{"id":9007199254740993}', "/id", "inexact_integer", 1, 7],
    ['["\\ud800"]', "/0", "lone_surrogate", 1, 10],
    ["[[[", "/0/0/0", "syntax", 1, 4],
  ];

  test.each(places)("%j", (text, path, reason, line, column) => {
    expect(detailsOf(text)).toEqual({ path, reason, line, column });
  });

  test("with a path that is short and has no control characters", () => {
    const { message, details } = refusalOf(() => parseJsonStrict(`{"\\n\\u202e${"k".repeat(99)}": x}`));
    const path = `/��${"k".repeat(62)}…`;
    expect([message, details?.path]).toEqual([
      `invalid JSON at line 1, column 113, at ${path}: expected a value`,
      path,
    ]);
  });

  test("in the message as well", () => {
    const error = refusalOf(() => parseJsonStrict('{"a":\n [1, tru]}'));
    expect([error.code, error.retry, error.message]).toEqual([
      "invalid_input",
      "never",
      "invalid JSON at line 2, column 6, at /a/1: expected a value",
    ]);
  });
});

describe("a refusal never quotes the text; its path names keys, as every path does, and of those only the start", () => {
  const canary = "ŽQ7ž";
  const texts = [
    canary,
    `"${canary}`,
    `"${canary}" "${canary}"`,
    `{}${canary}`,
    `[1, ${canary}]`,
    `["${canary}", x]`,
    `["${canary}\\x"]`,
    `["\\u${canary}"]`,
    `["${canary}\n"]`,
    `["${canary}\\ud800"]`,
    `{${canary}: 1}`,
    `{"a": "${canary}", "a": "${canary}"}`,
    `{"a": "${canary}" "${canary}"}`,
    `{"a": 1, "${canary}`,
    `{"a": "${canary}", "b": 9007199254740993}`,
    `{"a": "${canary}", "b": 1e999}`,
    `${"[".repeat(300)}"${canary}"`,
    `{"${"k".repeat(64)}${canary}": x}`,
    `{"${"k".repeat(64)}${canary}": 1, "${"k".repeat(64)}${canary}": 1}`,
    `${`{"a":`.repeat(20)}{"${canary}":${`{"a":`.repeat(20)}x`,
    `"${canary.repeat(9)}"`,
  ];

  test.each(texts)("%j", (text) => {
    const error = refusalOf(() => parseJsonStrict(text, { maxBytes: text === texts.at(-1) ? 20 : 10_000 }));
    const shown = [JSON.stringify(error), error.message, error.stack, String(error), error.cause].join("\n");
    expect(shown).not.toContain(canary);
    expect(error.cause).toBeUndefined();
  });
});

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("limits", () => {
  test("nesting is read to the limit and refused past it", () => {
    expect(parseJsonStrict('[{"a":[]}]', { maxDepth: 3 })).toStrictEqual([{ a: [] }]);
    expect(detailsOf('[{"a":[[]]}]', { maxDepth: 3 })).toMatchObject({ path: "/0/a/0", reason: "too_deep" });
    expect(detailsOf("{}", { maxDepth: 0 })).toMatchObject({ path: "", reason: "too_deep" });
    expect(parseJsonStrict("1", { maxDepth: 0 })).toBe(1);
  });

  test(`nesting of ${maxJsonDepth} is read unless the caller says otherwise`, () => {
    expect(JSON.stringify(parseJsonStrict(nested(maxJsonDepth)))).toBe(nested(maxJsonDepth));
    expect(detailsOf(nested(maxJsonDepth + 1))?.reason).toBe("too_deep");
  });

  test.each(["[", '{"a":', '[{"a":'])("100,000 times %s is a refusal, not a crash", (open) => {
    expect(detailsOf(open.repeat(100_000))?.reason).toBe("too_deep");
    const deep = detailsOf(open.repeat(100_000), { maxDepth: 1_000_000 });
    expect(deep?.reason).toBe("syntax");
  });

  test.each([
    ["ascii", '"abc"', 5],
    ["two bytes", '"é"', 4],
    ["three bytes", '"€"', 5],
    ["a surrogate pair", '"\u{1f602}"', 6],
  ])("bytes are counted in UTF-8: %s", (_, text, bytes) => {
    expect(detailsOf(text, { maxBytes: bytes - 1 })).toEqual({ reason: "too_large", maxBytes: bytes - 1 });
    expect(JSON.stringify(parseJsonStrict(text, { maxBytes: bytes }))).toBe(text);
  });

  test("a text past the default size is refused before it is read", () => {
    expect(detailsOf(" ".repeat(defaultMaxJsonBytes + 1))).toEqual({
      reason: "too_large",
      maxBytes: defaultMaxJsonBytes,
    });
  });
});
