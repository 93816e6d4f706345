// docs/reference says what the code says: it is made from it, and here it is made again.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { generateReference, referenceFolder } from "../scripts/generate-reference.ts";
import { anchor } from "../scripts/reference/markdown.ts";

const pages = await generateReference();
const textOf = (name: string) => readFileSync(join(referenceFolder, name), "utf8");

describe("the reference and the code", () => {
  test("have the same pages; if not, run npm run generate", () => {
    expect(readdirSync(referenceFolder).toSorted()).toStrictEqual([...pages.keys()].toSorted());
  });

  test.each([...pages])("%s is what the code says now; if not, run npm run generate", (name, text) => {
    expect(textOf(name)).toBe(text);
  });
});

test.each([...pages])("every place that %s points to within the reference is there", (name, text) => {
  const dead = [...text.matchAll(/\]\(([\w-]+\.md)?#([^)]+)\)/g)].filter(([, file = name, place = ""]) => {
    const headings = [...(pages.get(file) ?? "").matchAll(/^#+ (.+)$/gm)];
    return !headings.some(([, heading = ""]) => anchor(heading) === place);
  });
  expect(dead.map(([link]) => link)).toStrictEqual([]);
});
