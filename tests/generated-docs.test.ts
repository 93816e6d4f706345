import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generatedPages } from "../scripts/generated-pages.ts";
import { root } from "./package-graph.ts";

test.each([...generatedPages()])("%s is what `npm run generate` makes", (page, text) => {
  expect(readFileSync(join(root, page), "utf8")).toBe(text);
});
