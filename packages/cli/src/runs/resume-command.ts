import {
  errorFor,
  exitCodes,
  isSimpleFunctionsError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import type { RunResult } from "@spfunctions/kernel";
import type { CommandContext } from "../command-line/command-context.ts";
import { printError, reportError } from "../io/report-error.ts";
import { loadPacks } from "../packs/load-packs.ts";
import { driveHere } from "./drive-here.ts";
import { loadModel } from "./load-model.ts";
import { atRun, type FoundRun } from "./look-at-runs.ts";
import { stateOf, stateText } from "./run-states.ts";
import { requireRunId, type RunsOptions } from "./runs-options.ts";
import { howToDecide, howToResume } from "./what-it-needs.ts";

export type RunsResumeOptions = RunsOptions & {
  readonly tools?: readonly string[];
  readonly model: string;
  readonly waitForApproval?: true;
  readonly wait: number;
};

/** How `sf` is to exit. */
export async function resumeRun(
  runId: string,
  options: RunsResumeOptions,
  context: CommandContext,
): Promise<number> {
  requireRunId(runId);
  const { io, print } = context;
  const { tools: names = [], account, wait: waitMs, waitForApproval } = options;
  // Everything that can be wrong before anything is opened.
  const tools = names.length === 0 ? [] : await loadPacks(names, io);
  const loaded = await loadModel(options.model, io);
  return await atRun(runId, options, context, async (found) => {
    try {
      const isPatient = waitForApproval === true;
      const result = await driveHere(found, { ...loaded, tools, account, waitMs, isPatient }, context);
      printResult(result, found, options, context);
      return exitOf(result);
    } catch (error) {
      if (!isSimpleFunctionsError(error) || !isRefusal(error)) throw error;
      reportError(print, error, options.json === true ? "json" : "human", io.env);
      return exitCodes.refused;
    }
  });
}

/** It is there, and it is not taken on here: it is under way elsewhere, or this is not what it was started with. */
function isRefusal(error: SimpleFunctionsError): boolean {
  const reasons: readonly unknown[] = ["driven", "other_package", "other_ports"];
  return reasons.includes(error.details?.reason);
}

function exitOf({ status }: RunResult): number {
  if (status === "completed") return exitCodes.done;
  return status === "requires_approval" ? exitCodes.approvalRequired : exitCodes.failed;
}

/** The answer alone on the standard output; what is said about it goes beside. */
function printResult(
  result: RunResult,
  { folder, options: added }: FoundRun,
  { json }: RunsResumeOptions,
  { print, io }: CommandContext,
): void {
  const { runId, status, output, error, unknown } = result;
  if (json === true) print.json({ ok: status === "completed", where: folder, result }, 2);
  else if (typeof output === "string") for (const line of output.split("\n")) print.out(line);
  else if (output !== undefined) print.json(output, 2);
  if (error !== undefined) printError(print, errorFor(error.code, error.message), io.env, added);
  print.err({
    text: `${runId}  ${stateText(stateOf(result))}`,
    style: status === "completed" ? "green" : "yellow",
  });
  for (const effectId of unknown)
    print.err(`  nobody knows what became of ${effectId}: ${howToDecide(runId, effectId, added)}`);
  if (status === "requires_approval" || status === "recovery_needed")
    print.err(`  it is left as it is; once that is answered: ${howToResume(runId, added)}`);
}
