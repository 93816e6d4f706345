import type { RuntimeRunResult } from "@spfunctions/contracts";
import { momentText } from "../approvals/approval-facts.ts";
import { type AskedPlace, howToAnswerAt } from "../approvals/say-what-is-asked.ts";
import { optionsFor } from "../effects/what-to-do.ts";
import type { Printer } from "../io/printer.ts";
import { howToDecide, howToResumeWith } from "../runs/what-it-needs.ts";
import type { OpenRun } from "./open-run.ts";
import type { RunCommandOptions } from "./run-options.ts";

/** Says what a run needs that is left as it is, and how it goes on then. */
export async function sayHowToGoOn(
  { runId, status }: Pick<RuntimeRunResult, "runId" | "status">,
  { runtime, where }: Pick<OpenRun, "runtime" | "where">,
  { options, place }: { readonly options: RunCommandOptions; readonly place: AskedPlace },
  { err }: Pick<Printer, "err">,
): Promise<void> {
  if (status !== "requires_approval" && status !== "recovery_needed") return;
  const { approvals, unknown } = await (await runtime.get(runId)).result();
  for (const { approvalId, elsewhere, expiresAt } of approvals) {
    const there = elsewhere === undefined ? "" : `, at ${where}, which asks for itself`;
    err(`  ${approvalId} waits for an answer until ${momentText(expiresAt, Date.now())}${there}`);
    const isSent = elsewhere !== undefined;
    for (const line of howToAnswerAt(approvalId, place, isSent)) err(`  ${line}`);
  }
  for (const effectId of unknown)
    err(`  nobody knows what became of ${effectId}: ${howToDecide(runId, effectId, optionsFor(place))}`);
  const { pack, ...driving } = options;
  const resume = howToResumeWith(runId, { ...driving, ...(pack && { tools: pack }) }, optionsFor(place));
  err(`  then it goes on: ${resume}`);
}
