// Writes docs/reference: `npm run generate`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { commandLinePage } from "./reference/command-line-page.ts";
import { errorsPage } from "./reference/errors-page.ts";
import { eventsPage } from "./reference/events-page.ts";
import { limitsPage } from "./reference/limits-page.ts";
import { policyPage } from "./reference/policy-page.ts";
import { readmePage } from "./reference/readme-page.ts";
import { toolGroups } from "./reference/tool-groups.ts";
import { toolsPage } from "./reference/tools-page.ts";

export const referenceFolder = resolve(import.meta.dirname, "../docs/reference");

const made =
  '<!-- Made by scripts/generate-reference.ts from the code: change that, and run "npm run generate". -->\n\n';

/** The pages by the names of their files. The same code gives the same text. */
export async function generateReference(): Promise<ReadonlyMap<string, string>> {
  const pages = {
    "README.md": readmePage(),
    "tools.md": toolsPage(await toolGroups()),
    "policy.md": policyPage(),
    "events.md": eventsPage(),
    "errors.md": errorsPage(),
    "command-line.md": await commandLinePage(),
    "limits.md": limitsPage(),
  };
  return new Map(Object.entries(pages).map(([name, text]) => [name, made + text]));
}

if (process.argv[1] === import.meta.filename) {
  mkdirSync(referenceFolder, { recursive: true });
  for (const [name, text] of await generateReference()) writeFileSync(join(referenceFolder, name), text);
}
