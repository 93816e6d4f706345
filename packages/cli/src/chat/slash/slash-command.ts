import type { CommandContext } from "../../command-line/command-context.ts";
import type { OpenChat } from "../open-chat.ts";

/** What a command at the prompt works with. */
export type SlashDesk = Pick<CommandContext, "print" | "io"> & {
  readonly chat: OpenChat;
  /** Where everything is kept. */
  readonly where: string;
  /** A session of another name, as a command of a shell. */
  readonly chatOf: (sessionId: string) => string;
  /** Goes on with a turn that was left. */
  readonly resume: () => Promise<void>;
};

export type SlashCommand = {
  readonly name: string;
  /** What may follow it. */
  readonly takes?: string;
  readonly about: string;
  /** `rest`: what stands after its name, without blanks around it. */
  readonly run: (rest: string, desk: SlashDesk) => void | Promise<void>;
};

/** What was typed is not what it should be. */
export class BadWords extends Error {}

export function wordsOf(rest: string, most: number, takes: string): string[] {
  const words = rest.split(/\s+/).filter((word) => word !== "");
  if (words.length > most) throw new BadWords(takes);
  return words;
}

/** The number of a revision. */
export function revisionOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(word))
    throw new BadWords("a revision is a whole number, as /history lists them");
  return Number(word);
}
