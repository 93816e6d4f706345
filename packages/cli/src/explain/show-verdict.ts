import { exitCodes, type Verdict } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { type GivenTools, toolsWords } from "../packs/tools-words.ts";
import { printLadder } from "./ladder.ts";

const exits = { allow: exitCodes.done, deny: exitCodes.refused, ask: exitCodes.approvalRequired } as const;

/** Shows what would be decided, gate by gate, and says how `sf` is to exit. */
export function showVerdict(
  tool: string,
  verdict: Verdict,
  options: GivenTools & { readonly json?: true },
  { print }: Pick<CommandContext, "print">,
): number {
  if (options.json === true) print.json(verdict, 2);
  else printLadder(print, tool, verdict, toolsWords(options));
  return exits[verdict.outcome];
}
