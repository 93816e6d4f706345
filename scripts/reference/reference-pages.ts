import { commandLinePage } from "./command-line-page.ts";
import { errorsPage } from "./errors-page.ts";
import { eventsPage } from "./events-page.ts";
import { limitsPage } from "./limits-page.ts";
import { optionsPage } from "./options-page.ts";
import { policyPage } from "./policy-page.ts";
import { readmePage } from "./readme-page.ts";
import { toolGroups } from "./tool-groups.ts";
import { toolsPage } from "./tools-page.ts";

const made = '<!-- Made by scripts/reference from the code: change that, and run "npm run generate". -->\n\n';

/** The pages of `docs/reference` by their path. The same code gives the same text. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  const pages = {
    "README.md": readmePage(),
    "tools.md": toolsPage(await toolGroups()),
    "policy.md": policyPage(),
    "options.md": optionsPage(),
    "events.md": eventsPage(),
    "errors.md": errorsPage(),
    "command-line.md": await commandLinePage(),
    "limits.md": limitsPage(),
  };
  return new Map(Object.entries(pages).map(([name, text]) => [`docs/reference/${name}`, made + text]));
}
