// Writes the pages that are made of code: part of `npm run generate`.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { generatedPages } from "./generated-pages.ts";

const root = resolve(import.meta.dirname, "..");
for (const [page, text] of await generatedPages()) {
  mkdirSync(dirname(join(root, page)), { recursive: true });
  writeFileSync(join(root, page), text);
}
