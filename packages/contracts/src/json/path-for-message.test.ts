import * as fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { heldSecrets } from "../redact/held-secrets.ts";
import { isJsonPointer, toJsonPointer } from "./json-pointer.ts";
import { keyForMessage, pathForMessage } from "./path-for-message.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("a path in a message", () => {
  test("is the JSON pointer, where that is short and plain", () => {
    for (const path of [[], ["a"], ["", "a/b", "m~n", 0], ["naïve 𝄞", "日本"], numbers(32)]) {
      expect(pathForMessage(path)).toBe(toJsonPointer(path));
    }
    expect(pathForMessage(["a", Symbol("s")])).toBe("/a/Symbol(s)");
  });

  test("of more than 32 segments is its first 16 and its last 15", () => {
    expect(pathForMessage(numbers(33))).toBe(toJsonPointer([...numbers(16), "…", ...numbers(33).slice(18)]));
    expect(pathForMessage(numbers(1000))).toBe(
      toJsonPointer([...numbers(16), "…", ...numbers(1000).slice(985)]),
    );
  });

  test("has of a key the first 64 characters", () => {
    expect(keyForMessage("k".repeat(64))).toBe("k".repeat(64));
    expect(keyForMessage("k".repeat(65))).toBe(`${"k".repeat(64)}…`);
    expect(pathForMessage(["a", "k".repeat(10_000_000), "b"])).toBe(`/a/${"k".repeat(64)}…/b`);
  });

  test("has no half of a character, also where a key is cut", () => {
    const key = `${"k".repeat(63)}\u{1f602}kk`;
    expect(keyForMessage(key)).toBe(`${"k".repeat(63)}�…`);
    expect(keyForMessage("\u{1f602}")).toBe("\u{1f602}");
  });

  test.each([
    ["a line break", "a\nb\r\nc", "a�b��c"],
    ["a terminal's escape", "\u001b[2J", "�[2J"],
    ["NUL and DEL", "\0\u007f", "��"],
    ["a control character past ASCII", "\u0085\u009b", "��"],
    ["a separator of lines", "\u2028\u2029", "��"],
    ["a mark that turns the text around", "\u202e\u2066", "��"],
    ["what takes no room", "\u200b\u200d\ufeff\u00ad", "����"],
    ["a lone surrogate", "\ud800a\udfff", "�a�"],
  ])("has no %s", (_, key, shown) => {
    expect(pathForMessage([key])).toBe(`/${shown}`);
  });

  test("for any keys is a JSON pointer, well-formed, in one line, and bounded", () => {
    const unit = fc.constantFrom("a", "~", "/", "\n", "\u0000", "\u202e", "\ud83d", "\ude02", "é");
    const key = fc.string({ unit, maxLength: 200 });
    fc.assert(
      fc.property(fc.array(key, { maxLength: 100 }), (path) => {
        const shown = pathForMessage(path);
        expect([isJsonPointer(shown), shown.isWellFormed()]).toStrictEqual([true, true]);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
        // Each of 65 characters may be one that is escaped.
        expect(shown.length).toBeLessThanOrEqual(32 * (1 + 2 * 65));
      }),
    );
  });
});

describe("S1: a held secret that is a key is not in a path", () => {
  const secrets: [what: string, secret: string][] = [
    ["that the pointer would escape", "left/right~up/down"],
    ["longer than what is shown of a key", "a passphrase of many words, which ".repeat(3)],
    ["with a line break", "two lines of\na passphrase"],
  ];
  afterEach(() => {
    for (const [, secret] of secrets) heldSecrets.remove(secret);
  });

  test.each(secrets)("%s", (_, secret) => {
    expect(pathForMessage(["a", secret])).not.toContain("[redacted:test]");
    heldSecrets.add(secret, "test");
    expect(pathForMessage(["a", secret, `b ${secret}`])).toBe("/a/[redacted:test]/b [redacted:test]");
  });
});
