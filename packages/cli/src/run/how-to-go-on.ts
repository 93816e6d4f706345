import type { RuntimeRunResult } from "@spfunctions/contracts";
import { momentText } from "../approvals/approval-facts.ts";
import { type AskedPlace, howToAnswerAt } from "../approvals/say-what-is-asked.ts";
import { optionsFor } from "../effects/what-to-do.ts";
import { type Printer, whole } from "../io/printer.ts";
import { askerOf, childText, holderOf, readRunTree } from "../children/run-tree.ts";
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
  const tree = await readRunTree(async (id) => await runtime.get(id), runId);
  const { approvals, unknown } = tree.result;
  for (const { approvalId, elsewhere, expiresAt } of approvals) {
    const child = askerOf(tree, approvalId);
    const by = child === undefined ? "" : `, asked by ${childText(child)}`;
    const there = elsewhere === undefined ? "" : `, at ${where}, which asks for itself`;
    err(`  ${approvalId} waits for an answer until ${momentText(expiresAt, Date.now())}${by}${there}`);
    const isSent = elsewhere !== undefined;
    for (const line of howToAnswerAt(approvalId, place, isSent)) err(whole(`  ${line}`));
  }
  for (const effectId of unknown) {
    const decide = howToDecide(holderOf(tree, effectId)?.runId ?? runId, effectId, optionsFor(place));
    err(whole(`  nobody knows what became of ${effectId}: ${decide}`));
  }
  err(whole(`  then it goes on: ${howToResumeWith(runId, options, optionsFor(place))}`));
}
