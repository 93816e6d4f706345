import { basename } from "node:path";
import { cell } from "../sources/print-source.ts";
import { bugGroups, type Bug } from "./bugs.ts";
import { type Cited, findCited } from "./find-cited.ts";

const head = `# Bugs that others have had

Made by \`npm run generate\`. What users of other agent systems have reported, in a line each: it cannot happen here, and the tests that say so have its
letter in their names. A letter that no test is named after fails \`tests/bugs/bugs.test.ts\`.
`;

/** The page of `docs` by its path. */
export function bugsPage(): readonly [path: string, text: string] {
  const cited = findCited();
  const parts = bugGroups.map(({ title, bugs }) => {
    const rows = bugs.map((bug) => row(bug, cited));
    return `## ${title}\n\n| | bug | seen in | tests |\n|---|---|---|---|\n${rows.join("\n")}\n`;
  });
  return ["docs/peers-bugs.md", [head, ...parts].join("\n")];
}

function row({ letter, what, seen }: Bug, cited: readonly Cited[]): string {
  const tests = cited.filter((one) => one.letter === letter).map((one) => link(one));
  return `| **${letter}** | ${cell(what)} | ${cell(seen)} | ${tests.join("<br>")} |`;
}

function link({ file, tests: [first, ...more] }: Cited): string {
  const name = first === undefined ? `all of \`${basename(file)}\`` : cell(first);
  const others = more.length === 0 ? "" : ` and ${more.length} more`;
  return `[${name}](../${file})${others}`;
}
