// A chat as a command of a shell: what was given goes on it again, so that a turn finds the tools and the law that it was begun with.
import { networkWords } from "../command-line/network-options.ts";
import { asWord } from "../io/as-word.ts";
import { toldWord } from "../io/told-word.ts";
import type { ChatOptions } from "./chat-options.ts";

/** `place`: what is added so that the same store is found. */
export function chatWords(how: "--resume" | "--cancel" | "", options: ChatOptions, place: string): string {
  const { session, model, pack = [], policy, constraint = [], instructions, toolCalling } = options;
  const words = [
    ...(how === "" ? [] : [how]),
    ...(session === "chat" ? [] : [`--session ${asWord(session)}`]),
    ...(model === undefined ? [] : [`--model ${toldWord(model)}`]),
    ...pack.map((name) => `--pack ${asWord(name)}`),
    ...(policy === undefined ? [] : [`--policy ${asWord(policy)}`]),
    ...constraint.map((text) => `--constraint ${toldWord(text)}`),
    ...(instructions === undefined ? [] : [`--instructions ${toldWord(instructions)}`]),
    ...(toolCalling === "text" ? [] : [`--tool-calling ${toolCalling}`]),
    ...networkWords(options),
  ];
  return `${["sf chat", ...words].join(" ")}${place}`;
}
