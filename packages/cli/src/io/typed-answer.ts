import { cutText } from "@spfunctions/contracts";

/**
 * What follows a no at the terminal.
 * @limit cli.noteChars | it is cut | fixed: one line of a terminal
 */
const longestNote = 1000;

/** What a person types where they are asked: a word, or its first letter, and what follows it. */
export type TypedAnswer = { readonly is: (whole: string) => boolean; readonly rest: string };

export function typedAnswer(line: string): TypedAnswer {
  const [, word = "", rest = ""] = /^\s*(\S+)\s*(.*?)\s*$/s.exec(line) ?? [];
  return {
    is: (whole) => [whole, whole.slice(0, 1)].includes(word.toLowerCase()),
    rest: cutText(rest, longestNote),
  };
}
