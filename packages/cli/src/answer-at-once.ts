import { writeSync } from "node:fs";
import { CommanderError } from "commander";
import { exitOfHelp, outlinedProgram } from "./program.ts";

const words: ReadonlySet<string | undefined> = new Set(["--help", "-h", "help", "--version"]);

/**
 * Answers a command line that asks for nothing but what can be asked, in words that are all ours: with the outline alone, before
 * anything else is loaded. Without an answer, which is also when it cannot be written, it is the whole program's to give.
 */
export function answerAtOnce(argv: readonly string[]): number | undefined {
  if (argv.length > 0 && !(argv.length === 1 && words.has(argv[0]))) return undefined;
  try {
    // Into a pipe a page goes whole or not at all: it is shorter than what is written in one piece.
    outlinedProgram((text, to) => void writeSync(to === "stdout" ? 1 : 2, text)).parse(argv, {
      from: "user",
    });
    return undefined;
  } catch (thrown) {
    return thrown instanceof CommanderError ? exitOfHelp(thrown) : undefined;
  }
}
