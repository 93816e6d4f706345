import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Comment, type Node, parseSync, type Program } from "oxc-parser";

export const root = resolve(import.meta.dirname, "../../..");

export type ParsedSource = {
  /** From the root of the repository. */
  readonly file: string;
  readonly text: string;
  readonly program: Program;
  readonly comments: readonly Comment[];
};

/** A source of this repository, once. */
export function parsedSource(file: string): ParsedSource {
  const known = sources.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(join(root, file), "utf8");
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const source = { file, text, program, comments };
  sources.set(file, source);
  return source;
}
const sources = new Map<string, ParsedSource>();

/** The doc comment right before a node, as plain text with its lines. */
export function docBefore(
  { text, comments }: ParsedSource,
  { start }: Pick<Node, "start">,
): string | undefined {
  const before = comments.findLast(
    (comment) => comment.end <= start && text.slice(comment.end, start).trim() === "",
  );
  if (before?.type !== "Block" || !before.value.startsWith("*")) return undefined;
  return before.value
    .slice(1)
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n")
    .trim();
}

/** A doc comment as one line. */
export function inOneLine(doc: string | undefined): string {
  return (doc ?? "").replaceAll(/\s+/g, " ");
}
