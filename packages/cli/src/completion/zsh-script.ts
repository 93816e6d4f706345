import type { CompletedCommand, Word } from "./completion-tree.ts";
import { pathsBelow, quoted, valueOptions } from "./shell-words.ts";

/** To be kept as `_sf` where zsh looks for functions, or to be read after compinit. */
export function zshScript(tree: readonly CompletedCommand[]): string {
  const values = valueOptions(tree);
  const free = values.filter(({ choices }) => choices.length === 0);
  const bound = values.filter(({ choices }) => choices.length > 0);
  return `#compdef sf
# Completion of sf in zsh, made by: sf completion zsh
_sf() {
  local at=sf option=\${words[CURRENT-1]} i=2
  local -a commands options
  while (( i < CURRENT )); do
    case "$at \${words[i]}" in
      (${anyOf(pathsBelow(tree))})
        at="$at \${words[i]}" ;;
    esac
    i=$((i + 1))
  done
  # --option=value is one word.
  if [[ \${words[CURRENT]} == --*=* ]]; then
    option=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  case "$at $option" in
${bound.map(({ at, choices }) => `    (${quoted(at)}) compadd -- ${choices.map(quoted).join(" ")}; return ;;`).join("\n")}
    (${anyOf(free.map(({ at }) => at))}) _files; return ;;
  esac
  case $at in
${tree.map((node) => `    (${quoted(node.path)})\n      commands=(${described(node.commands)})\n      options=(${described(node.options)}) ;;`).join("\n")}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe -o option options
  elif (( $#commands )); then
    _describe command commands
  else
    _files
  fi
}
if [[ \${funcstack[1]} == _sf ]]; then
  _sf "$@"
else
  compdef _sf sf
fi
`;
}

function anyOf(texts: readonly string[]): string {
  return texts.map(quoted).join("|");
}

/** Name and description, with a colon between. */
function described(words: readonly Word[]): string {
  return words.map(({ word, about }) => quoted(`${word}:${about}`)).join(" ");
}
