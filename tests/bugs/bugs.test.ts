import { describe, expect, test } from "vitest";
import { bugGroups } from "./bugs.ts";
import { citedIn, findCited } from "./find-cited.ts";

const letters = bugGroups.flatMap(({ bugs }) => bugs.map(({ letter }) => letter));
const named = new Set(findCited().flatMap(({ letter, tests }) => (tests.length === 0 ? [] : [letter])));

describe("the bugs that others have had", () => {
  test("are numbered without a gap", () => {
    expect(letters).toEqual(Array.from({ length: 34 }, (_, index) => `B${index + 1}`));
  });

  test("each is in the name of a test", () => {
    expect(letters.filter((letter) => !named.has(letter))).toEqual([]);
  });

  test("no test is named after one that there is not", () => {
    expect([...named].filter((letter) => !letters.includes(letter))).toEqual([]);
  });
});

test("a letter is found in the names of tests, groups, tables and cases, and in comments", () => {
  const text = `// B1: all of it.
describe("B2, B3: a group", () => {
  test.each(["B4"])("holds %s (B5)", () => {});
  test.skipIf(isWindows)(
    \`B6: \${what}\`,
    () => {},
  );
  const price = ["B7", "KX-B8.5"];
});
const one = { name: "B9: a case" };`;
  expect(citedIn("a.test.ts", text).map(({ letter, tests }) => [letter, tests])).toEqual([
    ["B2", ["B2, B3: a group"]],
    ["B3", ["B2, B3: a group"]],
    ["B5", ["holds %s (B5)"]],
    ["B6", ["B6: ${what}"]],
    ["B9", ["B9: a case"]],
    ["B1", []],
  ]);
});
