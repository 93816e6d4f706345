import type { CompletedCommand, CompletedOption } from "./completion-tree.ts";

/** A text as one word of bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The paths of all commands below the program itself. */
export function pathsBelow(tree: readonly CompletedCommand[]): string[] {
  return tree.slice(1).map(({ path }) => path);
}

/** Options that a value follows, each with the path of its command. */
export function valueOptions(
  tree: readonly CompletedCommand[],
): { readonly at: string; readonly choices: readonly string[] }[] {
  return tree.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }: CompletedOption) => takesValue)
      .map(({ word, choices }) => ({ at: `${path} ${word}`, choices })),
  );
}
