import { basename } from "node:path";
import { page, plain, table } from "../../scripts/markdown.ts";
import { bugGroups, type Bug } from "./bugs.ts";
import { type Cited, findCited } from "./find-cited.ts";

const made = `Made by \`npm run generate\`. What users of other agent systems have reported, in a line each: it cannot happen here, and the tests that say so have its
letter in their names. A letter that no test is named after fails \`tests/bugs/bugs.test.ts\`.`;

/** The page of `docs` by its path. */
export function bugsPage(): readonly [path: string, text: string] {
  const cited = findCited();
  const parts = bugGroups.flatMap(({ title, bugs }) => [
    `## ${title}`,
    table(
      ["", "bug", "seen in", "tests"],
      bugs.map((bug) => rowOf(bug, cited)),
    ),
  ]);
  return ["docs/peers-bugs.md", page("# Bugs that others have had", made, ...parts)];
}

function rowOf({ letter, what, seen }: Bug, cited: readonly Cited[]): string[] {
  const tests = cited.filter((one) => one.letter === letter).map((one) => link(one));
  return [`**${letter}**`, plain(what), plain(seen), tests.join("<br>")];
}

function link({ file, tests: [first, ...more] }: Cited): string {
  const name = first === undefined ? `all of \`${basename(file)}\`` : plain(first);
  const others = more.length === 0 ? "" : ` and ${more.length} more`;
  return `[${name}](../${file})${others}`;
}
