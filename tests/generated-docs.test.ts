import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { generatedPages } from "../scripts/generated-pages.ts";
import { anchor } from "../scripts/markdown.ts";
import { root } from "./package-graph.ts";

const pages = await generatedPages();

test.each([...pages])("%s is what `npm run generate` makes", (page, text) => {
  expect(readFileSync(join(root, page), "utf8")).toBe(text);
});

test("the reference has these pages and no other", () => {
  const made = [...pages.keys()].filter((page) => page.startsWith("docs/reference/"));
  expect(globSync("docs/reference/*", { cwd: root }).toSorted()).toEqual(made.toSorted());
});

const links = /\]\(([\w-]+\.md)?#([^)]+)\)/g;

test.each([...pages])("every place that %s points to is there", (page, text) => {
  const dead = [...text.matchAll(links)].filter(([, file, place = ""]) => {
    const there = file === undefined ? page : join(dirname(page), file);
    const headings = [...(pages.get(there) ?? "").matchAll(/^#+ (.+)$/gm)];
    return !headings.some(([, heading = ""]) => anchor(heading) === place);
  });
  expect(dead.map(([link]) => link)).toEqual([]);
});
