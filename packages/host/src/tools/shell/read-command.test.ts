// B27: the words that are checked are the words that bash would pass on, or there are none.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dataFolder } from "../../../test/data-folder.ts";
import { readCommand } from "./read-command.ts";

describe("words are read as bash reads them:", () => {
  test.each<[string, readonly string[]]>([
    ["ls", ["ls"]],
    ["  ls \t -la  ", ["ls", "-la"]],
    ['grep "a;b" file', ["grep", "a;b", "file"]],
    ["grep 'a|b>c<d&e' file", ["grep", "a|b>c<d&e", "file"]],
    [`echo 'it'"'"'s'`, ["echo", "it's"]],
    ['echo a\\ b "c\\"d" "e\\nf" "\\\\" "\\$x"', ["echo", "a b", 'c"d', "e\\nf", "\\", "$x"]],
    ['grep "end$" f', ["grep", "end$", "f"]],
    ["grep '^[a-z]*$' f", ["grep", "^[a-z]*$", "f"]],
    ["find . ! -name '*.ts'", ["find", ".", "!", "-name", "*.ts"]],
    ["find . \\( -name a -o -name b \\)", ["find", ".", "(", "-name", "a", "-o", "-name", "b", ")"]],
    ["echo '' \"\"", ["echo", "", ""]],
    ["cat a#b notes.txt~ c=d é漢🙂", ["cat", "a#b", "notes.txt~", "c=d", "é漢🙂"]],
    ["cut -d '\t' f", ["cut", "-d", "\t", "f"]],
    ['"ls" -a', ["ls", "-a"]],
    ["l's'", ["ls"]],
    ["\\ls", ["ls"]],
    ["echo '~' \\~ \"*\" \\*", ["echo", "~", "~", "*", "*"]],
  ])("%s", (text, words) => {
    expect(readCommand(text)).toStrictEqual(words);
  });
});

/** Everything that means something to a shell, and some that only looks like it. */
const nasty = Array.from("ab0 \t'\"\\$*?[]{}~!#=:;|&<>()^%@+,-./_`é漢🙂\u00a0\u3000’“｜");
const raw = fc.array(fc.constantFrom(...nasty), { maxLength: 12 }).map((characters) => characters.join(""));
const quotable = fc
  .array(fc.constantFrom(...nasty.filter((each) => !"'\"\\`$".includes(each))), { maxLength: 5 })
  .map((characters) => characters.join(""));
const literal = fc.oneof(
  fc.constantFrom("a", "-la", "x=y", "a.b", "é", "a#b", "a~", "%s", "a:b", "!", "^", "@", "+x", ","),
  fc.constantFrom(...nasty.filter((each) => each !== "`")).map((each) => `\\${each}`),
  fc.tuple(quotable, fc.constantFrom("", '"', "\\", "$", "$x")).map((parts) => `'${parts.join("")}'`),
  fc
    .tuple(quotable, fc.constantFrom("", "\\\\", '\\"', "\\$", "\\n", "\\a", "'", "$"), quotable)
    .map((parts) => `"${parts.join("")}"`),
);
const word = fc.array(literal, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
const built = fc.array(word, { maxLength: 5 }).map((words) => words.join(" "));

// proves LIVE-4.33
test("B27: whatever is accepted, bash passes on the same words", () => {
  const folder = dataFolder();
  for (const name of ["a", "b", "ab", "0"]) writeFileSync(join(folder, name), "");
  let compared = 0;
  fc.assert(
    fc.property(fc.array(fc.oneof(raw, built), { minLength: 300, maxLength: 300 }), (texts) => {
      const accepted = texts.flatMap((text) => {
        const words = wordsOf(`echo ${text}`);
        return words === undefined ? [] : [{ text, words: words.slice(1) }];
      });
      compared += accepted.length;
      expect(
        bashWords(
          folder,
          accepted.map(({ text }) => text),
        ),
      ).toStrictEqual(accepted.map(({ words }) => words));
    }),
    { numRuns: 10 },
  );
  expect(compared).toBeGreaterThan(1000);
});

function wordsOf(text: string): readonly string[] | undefined {
  try {
    return readCommand(text);
  } catch (error) {
    if (isSimpleFunctionsError(error)) return undefined;
    throw error;
  }
}

function bashWords(folder: string, texts: readonly string[]): string[][] {
  const lines = texts.map((text) => `said ${text}`);
  const script = [`said() { printf '%s\\0' "$#" "$@"; }`, ...lines, ""].join("\n");
  const told = execFileSync("/bin/bash", ["-c", script], {
    cwd: folder,
    env: { LC_ALL: "C.UTF-8", HOME: "/home/of-somebody", PATH: "/usr/bin" },
    encoding: "utf8",
  }).split("\0");
  return texts.map(() => told.splice(0, 1 + Number(told[0])).slice(1));
}

// proves LIVE-4.21
describe("is refused, and said what to do instead:", () => {
  test.each([
    ["ls *.ts", "find -name"],
    ["ls {a,b}", "write the words out"],
    ["cat ~/x", "nobody has a home here"],
    ["cat $HOME", "there are no variables"],
    ["ls; id", "once for each command"],
    ["ls > x", "what a command prints is returned"],
    ["A=b ls", "there are no variables"],
    ["ls $(id)", "wherever it stands"],
    [`grep "$[1]" f`, "in single quotes"],
    ["ls\nid", "one line"],
    ["ls 'a", "unterminated"],
    ["", "empty"],
    ["ls # all", "something stands after it"],
    [`echo ${"a".repeat(9000)}`, "at most 8192 characters"],
    [`echo ${"a ".repeat(300)}`, "at most 256 words"],
    ["echo a\u202Eb", "nobody can see"],
    ["echo \uD800", "half a character"],
  ])("%j", (text, remedy) => {
    expect(() => readCommand(text)).toThrow(remedy);
  });
});

test("whatever the text is, it is read or refused", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), fc.string(), raw), (text) => {
      expect(wordsOf(text)?.length).not.toBe(0);
    }),
    { numRuns: 800 },
  );
});
