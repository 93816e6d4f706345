import type { CompletedCommand } from "./completion-tree.ts";
import { pathsBelow, quoted, valueOptions } from "./shell-words.ts";

/** For bash 3.2 and newer. Where it has no answer, bash completes names of files. */
export function bashScript(tree: readonly CompletedCommand[]): string {
  const values = valueOptions(tree);
  const free = values.filter(({ choices }) => choices.length === 0);
  const bound = values.filter(({ choices }) => choices.length > 0);
  return `# Completion of sf in bash, made by: sf completion bash
_sf() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at=sf words= i=1 IFS=$' \\t\\n'
  COMPREPLY=()
  # --option=value comes as three words.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  while (( i < COMP_CWORD )); do
    case "$at \${COMP_WORDS[i]}" in
      ${anyOf(pathsBelow(tree))})
        at="$at \${COMP_WORDS[i]}" ;;
    esac
    i=$((i + 1))
  done
  case "$at $prev" in
${bound.map(({ at, choices }) => `    ${quoted(at)})\n      COMPREPLY=($(compgen -W ${quoted(choices.join(" "))} -- "$cur"))\n      return ;;`).join("\n")}
    ${anyOf(free.map(({ at }) => at))})
      return ;;
  esac
  if [[ $cur == -* ]]; then
    case $at in
${tree.map(({ path, options }) => `      ${quoted(path)}) words=${quoted(options.map(({ word }) => word).join(" "))} ;;`).join("\n")}
    esac
  else
    case $at in
${tree
  .filter(({ commands }) => commands.length > 0)
  .map(
    ({ path, commands }) =>
      `      ${quoted(path)}) words=${quoted(commands.map(({ word }) => word).join(" "))} ;;`,
  )
  .join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _sf sf
`;
}

function anyOf(texts: readonly string[]): string {
  return texts.map(quoted).join("|\\\n      ");
}
