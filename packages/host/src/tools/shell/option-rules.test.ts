// B27, arguments that execute: a rule that is wrong about which option takes a value would check one word and pass on another. So the
// programs themselves are asked.
import { execFile } from "node:child_process";
import { describe, expect, test } from "vitest";
import { checkCommand, shellCommands } from "./check-command.ts";
import { namesIn } from "./check-options.ts";
import { locateProgram } from "./locate-program.ts";
import { type OptionRules, optionRules } from "./option-rules.ts";

/** What a program says of its arguments. */
function said(name: string, words: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(`/usr/bin/${name}`, words, { env: { LC_ALL: "C" } }, (_, out, err) =>
      resolve(out + err),
    );
    child.stdin?.end();
  });
}

const takesNone = /doesn't allow an argument/;
const takesOne = /requires an argument/;
const here = Object.entries<OptionRules>(optionRules).filter(
  ([name]) => process.platform === "linux" && locateProgram(name) !== undefined,
);

describe.each(here)("%s says itself which of its options take a value:", (name, rules) => {
  const letters = (of = "") => Array.from(of);

  test("the letters", async () => {
    const flags = letters(rules.flags).map(async (letter) => [
      letter,
      await said(name, [`-${letter}\u0001`]),
    ]);
    const values = letters(rules.values).map(async (letter) => [letter, await said(name, [`-${letter}`])]);
    for (const [letter, words] of await Promise.all(flags))
      expect([letter, words]).toEqual([letter, expect.stringMatching(/invalid option -- '\u0001'/)]);
    for (const [letter, words] of await Promise.all(values))
      expect([letter, words]).toEqual([letter, expect.stringMatching(takesOne)]);
  });

  test("the names", async () => {
    const ask = (names: string | undefined, wordOf: (option: string) => string) =>
      Promise.all(
        namesIn(names).map(async (option) => [option, await said(name, [wordOf(option)])] as const),
      );
    for (const [option, words] of await ask(rules.longFlags, (each) => `--${each}=x`))
      expect([option, words]).toEqual([option, expect.stringMatching(takesNone)]);
    for (const [option, words] of await ask(rules.longValues, (each) => `--${each}`))
      expect([option, words]).toEqual([option, expect.stringMatching(takesOne)]);
    for (const [option, words] of await ask(rules.longAttached, (each) => `--${each}`))
      expect([option, words]).not.toEqual([option, expect.stringMatching(takesOne)]);
  });
});

// proves LIVE-4.34
test("every command has its rules", () => {
  const ruled = [...Object.keys(optionRules), "find", "echo"];
  expect(ruled.toSorted()).toStrictEqual(shellCommands.toSorted());
});

test("B27: what is never allowed is on no list", () => {
  for (const [name, { never = {}, ...rules }] of here) {
    for (const option of Object.keys(never)) {
      const listed = option.startsWith("--")
        ? [rules.longFlags, rules.longValues, rules.longAttached].flatMap((each) => namesIn(each))
        : Array.from(`${rules.flags ?? ""}${rules.values ?? ""}${rules.attached ?? ""}`);
      expect([name, listed]).not.toEqual([name, expect.arrayContaining([option.replace(/^--?/, "")])]);
    }
  }
});

describe("a refusal names the word, why, and what is allowed:", () => {
  test.each([
    ["sort", ["-o", "x", "f"], /sort: "-o" is refused: it writes; allowed are -b.* --key/],
    ["sort", ["--compress-program=sh", "f"], /"--compress-program" is refused: it runs another program/],
    ["sort", ["--compress-prog=sh", "f"], /"--compress-prog" is refused: it is not on the list/],
    [
      "find",
      [".", "-exec", "id", ";"],
      /find: "-exec" is refused: it runs another program; allowed are ! \(/,
    ],
    ["find", [".", "-print", "x"], /folders come first/],
    ["tail", ["-5f", "x"], /"-5" is refused/],
    ["tail", ["-cf", "x"], /"-cf" is refused: it would never end/],
    ["tail", ["+5f", "x"], /write -n \+5/],
    ["uniq", ["a", "b"], /"b" is refused: it would write to the second/],
    ["date", ["0101"], /it would set the clock/],
    ["cat", ["--number=1"], /it takes no value/],
  ] as const)("%s %j", (name, words, why) => {
    expect(() => checkCommand([name, ...words], shellCommands)).toThrow(why);
  });
});

describe("a value is a value, whatever it looks like:", () => {
  test.each([
    ["ls", ["-la", "--", "-x", "--y"]],
    ["head", ["-5", "-n5", "-n", "-3", "--lines", "2", "--lines=2"]],
    ["grep", ["-rn5", "-A", "-o", "-e", "--files0-from", "x"]],
    ["tail", ["--", "+5f"]],
    ["find", ["-L", "a", "b", "-name", "-exec", "-newermt", "-delete"]],
  ] as const)("%s %j", (name, words) => {
    expect(checkCommand([name, ...words], shellCommands)).toBe(name);
  });
});

test.each([
  "LS",
  "Ls",
  "ls ",
  "/bin/ls",
  "./ls",
  "ls\u200b",
  "lѕ",
  "sh",
  "env",
  "xargs",
  "__proto__",
  "constructor",
  "",
])("%j is not the name of a command", (name) => {
  expect(() => checkCommand([name], shellCommands)).toThrow("is not an allowed command; allowed are ls cat");
});

test("a setting shortens the list", () => {
  expect(checkCommand(["ls"], ["ls"])).toBe("ls");
  expect(() => checkCommand(["cat"], ["ls"])).toThrow("allowed are ls, by these names");
});
