// Writes docs/sources: every line that was asked, and the tests that prove it; and docs/peers-bugs.md. Part of `npm run generate`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { bugsPage } from "../tests/bugs/bugs-page.ts";
import { sourcePages } from "../tests/sources/source-pages.ts";

const root = resolve(import.meta.dirname, "..");
mkdirSync(join(root, "docs/sources"), { recursive: true });
for (const [page, text] of [...sourcePages(), bugsPage()]) writeFileSync(join(root, page), text);
