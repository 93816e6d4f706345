import { page, plain, table } from "../../scripts/markdown.ts";
import type { Proof } from "./find-proofs.ts";
import type { Source, SourceLine } from "./source-line.ts";

/** The page of a source: each of its lines, and the tests that prove it. */
export function printSource({ title, sections }: Source, proofs: readonly Proof[]): string {
  const parts = sections.flatMap((section) => [
    `## ${section.title}`,
    table(
      ["line", "kind", "what it asks", "proven by"],
      section.lines.map((line) => rowOf(line, proofs)),
    ),
  ]);
  const made = "Made by `npm run generate` from the lists in `tests/sources` and the tags in the tests.";
  return page(`# ${title}`, made, ...parts);
}

/** The page that leads to those. */
export function printIndex(sources: readonly Source[]): string {
  const rows = sources.map(({ name, title, sections }) => {
    const lines = sections.flatMap((section) => section.lines);
    const departures = lines.filter(({ kind }) => kind === "departure");
    return [`[${title}](${name}.md)`, String(lines.length), String(departures.length)];
  });
  return page(
    "# What was asked, and the test that proves it",
    `Made by \`npm run generate\`. The product was built from five documents. Each line of them that asks something is listed in its page in words
of our own, with the tests that prove it; a line without one fails \`tests/sources/sources.test.ts\`. A departure is a line that is kept in
another way than asked; what is listed is what is done instead, and where that was decided. A test names the lines that it proves in a comment above it:
\`// proves KEY-4.3\`.`,
    table(["document", "lines", "of them departures"], rows),
  );
}

function rowOf({ id, kind, says, decided, outside }: SourceLine, proofs: readonly Proof[]): string[] {
  const tests = proofs
    .filter(({ line }) => line === id)
    .map(({ file, test }) => `[${plain(test)}](../../${file})`);
  const proven = outside === undefined ? tests.join("<br>") : `not of the product: ${outside}`;
  const why = decided === undefined ? "" : ` ([decided](../decisions/${decided}.md))`;
  return [id, kind, `${plain(says)}${why}`, proven];
}
