// docs/invariants.md says where each promise is kept and tested, docs/security.md where each attack is tried. What they name is there, and cites the number.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "./package-graph.ts";

const page = readFileSync(join(root, "docs/invariants.md"), "utf8");
const rows = [...page.matchAll(/^\| \*\*(\w+)\*\* \|([^|]+)\|([^|]+)\|([^|]+)\|$/gm)].map(
  ([, number = "", , kept = "", tested = ""]) => ({ number, kept, tested }),
);
const link = /\[[^\]]*\]\(\.\.\/([^)]+)\)/g;
const filesIn = (cell: string) => [...cell.matchAll(link)].map(([, file = ""]) => file);

test("every promise of the architecture is there, in its order", () => {
  const numbers = "J1 J2 J3 J4 G1 G2 G3 G4 R1 R2 S1 S2 I1 A1 A2 X1";
  expect(rows.map(({ number }) => number).join(" ")).toBe(numbers);
});

describe.each(rows)("$number", ({ number, kept, tested }) => {
  const cites = (file: string) =>
    existsSync(join(root, file)) &&
    new RegExp(`\\b${number}\\b`).test(readFileSync(join(root, file), "utf8"));

  test("names files and nothing else, such as what is to come later", () => {
    for (const cell of [kept, tested]) expect(cell.replaceAll(link, "").replaceAll(/[\s,]/g, "")).toBe("");
  });

  test("is kept in files that are there and say so", () => {
    expect(filesIn(kept)).not.toEqual([]);
    expect(filesIn(kept).filter((file) => file.includes(".test.") || !cites(file))).toEqual([]);
  });

  test("is tested in files that are there and cite it", () => {
    expect(filesIn(tested).filter((file) => file.endsWith(".test.ts"))).not.toEqual([]);
    const isTest = (file: string) => file.endsWith(".test.ts") || file.includes("/conformance/");
    expect(filesIn(tested).filter((file) => !isTest(file) || !cites(file))).toEqual([]);
  });
});

describe("docs/security.md", () => {
  const text = readFileSync(join(root, "docs/security.md"), "utf8");
  const attacks = [...text.matchAll(/^\| (.+?) \| .* \| (.*) \|$/gm)]
    .map(([, attack = "", tried = ""]) => ({ attack, tried }))
    .filter(({ tried }) => tried !== "tried in");

  test("has what each table is about", () => {
    expect(text.match(/ \| tried in \|$/gm)).toHaveLength(6);
    expect(text.match(/^\| /gm)).toHaveLength(attacks.length + 6);
  });

  test.each(attacks)("$attack: it is tried, in tests that are there", ({ tried }) => {
    expect(tried.replaceAll(link, "").replaceAll(/[\s,]/g, "")).toBe("");
    expect(filesIn(tried)).not.toEqual([]);
    expect(
      filesIn(tried).filter((file) => !file.endsWith(".test.ts") || !existsSync(join(root, file))),
    ).toEqual([]);
  });

  test("cites promises that there are", () => {
    const cited = [...text.matchAll(/\*\*([A-Z]\d)\*\*/g)].map(([, number = ""]) => number);
    expect(cited.filter((number) => !rows.some((row) => row.number === number))).toEqual([]);
  });
});
