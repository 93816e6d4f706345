import { CancelledError } from "@spfunctions/contracts";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { Readable } from "node:stream";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { isAtTerminal } from "./person.ts";

/** Asks a person at a terminal for a yes. Anything else, Ctrl-C and the end of the input are a no. */
export type Confirming = {
  readonly isYes: (question: string) => Promise<boolean>;
  readonly close: () => void;
};

/** Opens the terminal for one question or several. Refused if nobody sits there: then whoever wrote the command has to say so. */
export function openConfirming({ io, print }: CommandContext): Confirming {
  if (!isAtTerminal(io))
    throw badUsage("nobody sits at a terminal who could be asked; give --yes if you are sure");
  // Not as a terminal: then Ctrl-C is a signal, like everywhere else.
  const lines = createInterface({ input: Readable.from(io.stdin), terminal: false });
  const waiting: string[] = [];
  lines.on("line", (line) => waiting.push(line));
  const closed = once(lines, "close");
  const next = async (signal: AbortSignal): Promise<string | undefined> => {
    if (waiting.length === 0) await Promise.race([once(lines, "line", { signal }), closed]);
    return waiting.shift();
  };
  const isYes = async (question: string) => {
    print.ask(`${question} [y/N] `);
    try {
      const answer = await next(io.signal);
      if (answer === undefined) print.err("");
      return answer !== undefined && /^y(?:es)?$/i.test(answer.trim());
    } catch (error) {
      if (!io.signal.aborted) throw error;
      print.err("");
      return false;
    }
  };
  return { isYes, close: () => lines.close() };
}

/** Goes on only if a person at a terminal says yes. */
export async function requireConfirmed(question: string, context: CommandContext): Promise<void> {
  const confirming = openConfirming(context);
  try {
    if (await confirming.isYes(question)) return;
  } finally {
    confirming.close();
  }
  throw notConfirmed();
}

export function notConfirmed(): CancelledError {
  return new CancelledError("not confirmed; nothing was changed");
}
