import { CancelledError } from "@spfunctions/contracts";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { Readable } from "node:stream";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { isAtTerminal } from "./person.ts";

/** Goes on only where a person at a terminal says yes. Where there is none, whoever wrote the command has to say so. */
export async function requireConfirmed(question: string, { io, print }: CommandContext): Promise<void> {
  if (!isAtTerminal(io))
    throw badUsage("nobody sits at a terminal who could be asked; give --yes if you are sure");
  print.ask(`${question} [y/N] `);
  const endLine = () => print.err("");
  // Not as a terminal: then Ctrl-C is a signal, like everywhere else.
  const lines = createInterface({ input: Readable.from(io.stdin), terminal: false });
  try {
    const { signal } = io;
    const ended = once(lines, "close", { signal }).then(() => undefined);
    const answer = await Promise.race([lines.question("", { signal }), ended]);
    if (answer === undefined) endLine();
    else if (/^y(?:es)?$/i.test(answer.trim())) return;
  } catch (error) {
    if (!io.signal.aborted) throw error;
    endLine();
  } finally {
    lines.close();
  }
  throw new CancelledError("not confirmed; nothing was changed");
}
