import type { CompletedCommand, CompletedOption } from "./completion-tree.ts";
import { pathsBelow } from "./shell-words.ts";

/** To be kept as `sf.fish` among fish's completions. */
export function fishScript(tree: readonly CompletedCommand[]): string {
  return `# Completion of sf in fish, made by: sf completion fish
function __sf_is_at
    set -l at sf
    set -l words (commandline -opc)
    for word in $words[2..-1]
        switch "$at $word"
            case ${anyOf(pathsBelow(tree))}
                set at "$at $word"
        end
    end
    test "$at" = "$argv"
end
complete -c sf -e
${tree.flatMap(linesOf).join("\n")}
`;
}

function linesOf({ path, commands, options }: CompletedCommand): string[] {
  const here = `complete -c sf -n ${quoted(`__sf_is_at ${path}`)}`;
  return [
    ...commands.map(({ word, about }) => `${here} -f -a ${quoted(word)} -d ${quoted(about)}`),
    ...options.map((option) => `${here} ${flagOf(option)}${valueOf(option)} -d ${quoted(option.about)}`),
  ];
}

function flagOf({ word }: CompletedOption): string {
  return word.startsWith("--") ? `-l ${quoted(word.slice(2))}` : `-s ${quoted(word.slice(1))}`;
}

/** Where its values are not known, it may be a file. */
function valueOf({ takesValue, choices }: CompletedOption): string {
  if (!takesValue) return "";
  return choices.length === 0 ? " -r" : ` -x -a ${quoted(choices.join(" "))}`;
}

function anyOf(texts: readonly string[]): string {
  return texts.map(quoted).join(" ");
}

/** A text as one word of fish. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
}
