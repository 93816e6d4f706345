import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../package-graph.ts";
import { findProofs, proofsIn } from "./find-proofs.ts";
import { sources } from "./sources.ts";

const lines = sources.flatMap(({ sections }) => sections.flatMap((section) => section.lines));
const proofs = findProofs();

describe("the lines of the sources", () => {
  test("each is proven by a test", () => {
    const proven = new Set(proofs.map(({ line }) => line));
    const bare = lines.filter(({ id, outside }) => outside === undefined && !proven.has(id));
    expect(bare.map(({ id, says }) => `${id}: ${says}`)).toEqual([]);
  });

  test("each has a name of its own", () => {
    const ids = lines.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test("a departure says where it was decided, and nothing else does", () => {
    const wrong = lines.filter(({ kind, decided }) => (kind === "departure") !== (decided !== undefined));
    expect(wrong.map(({ id }) => id)).toEqual([]);
    const lost = lines.filter(
      ({ decided }) => decided !== undefined && !existsSync(join(root, `docs/decisions/${decided}.md`)),
    );
    expect(lost.map(({ id }) => id)).toEqual([]);
  });

  test("no test claims to prove a line that there is not", () => {
    const known = new Set(lines.filter(({ outside }) => outside === undefined).map(({ id }) => id));
    expect(proofs.filter(({ line }) => !known.has(line))).toEqual([]);
  });
});

describe("a tag", () => {
  test("names the test below it", () => {
    const text =
      '  // proves KEY-1.2, RUN-3.4\n  // A word about it.\n  test.each(rows)("holds %s", () => {});\n';
    expect(proofsIn("a.test.ts", text)).toEqual([
      { line: "KEY-1.2", file: "a.test.ts", test: "holds %s" },
      { line: "RUN-3.4", file: "a.test.ts", test: "holds %s" },
    ]);
  });

  test("names a test by its words, not by its rows", () => {
    const rows = '  test.each(["a", "b"])("holds %s", () => {});\n';
    const many = '  describe.each([\n    ["a", () => call("b")],\n  ] as const)(\n    "holds %s",\n';
    const single = "  test('holds %s', () => {});\n";
    for (const text of [rows, many, single])
      expect(proofsIn("a.test.ts", `  // proves KEY-1.2\n${text}`)).toEqual([
        { line: "KEY-1.2", file: "a.test.ts", test: "holds %s" },
      ]);
  });

  test.each([
    ["above no test", "// proves KEY-1.2\nconst x = 1;\n"],
    ["above a test that is not run", '// proves KEY-1.2\ntest.skip("x", () => {});\n'],
    ["with a name that is none", '// proves KEY-1.2 and more\ntest("x", () => {});\n'],
  ])("%s is an error", (_, text) => {
    expect(() => proofsIn("a.test.ts", text)).toThrow(/a\.test\.ts/);
  });
});
