import { exitCodes, type Explanation } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { type GivenTools, toolsWords } from "../packs/tools-words.ts";
import { printLadder } from "./ladder.ts";

const exits = { allow: exitCodes.done, deny: exitCodes.refused, ask: exitCodes.approvalRequired } as const;

/** Of what was not asked nothing is known; that a person must approve it is known all the same. */
function exitOf({ outcome, code }: Explanation): number {
  if (outcome !== "unchecked") return exits[outcome];
  return code === "approval_required" ? exitCodes.approvalRequired : exitCodes.done;
}

/** Shows what would be decided, gate by gate, and says how `sf` is to exit. */
export function showVerdict(
  tool: string,
  verdict: Explanation,
  options: GivenTools & { readonly json?: true },
  { print }: Pick<CommandContext, "print">,
): number {
  if (options.json === true) print.json(verdict, 2);
  else printLadder(print, tool, verdict, toolsWords(options));
  return exitOf(verdict);
}
