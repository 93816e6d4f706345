import { redactText } from "@spfunctions/contracts";
import { asWord } from "./as-word.ts";

/** S1: a text as one word of a command that is told; where it may hold a secret, it is for whoever has it to fill in. */
export function toldWord(text: string): string {
  return redactText(text) === text ? asWord(text) : "…";
}
