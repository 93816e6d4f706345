import { exitCodes } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { errorOf, printError } from "../io/report-error.ts";

/** The answer is given: what fails while everything is let go of is told beside it. */
export async function closedWith(
  exit: number,
  close: () => Promise<void>,
  { print, io }: CommandContext,
): Promise<number> {
  try {
    await close();
    return exit;
  } catch (error) {
    printError(print, errorOf(error), io.env);
    return exit === exitCodes.done ? exitCodes.failed : exit;
  }
}
