import { setTimeout as after } from "node:timers/promises";
import { type Approval, CancelledError } from "@spfunctions/contracts";
import type { Operator, RunHandle, RunResult } from "@spfunctions/kernel";
import { statusNow } from "../approvals/approval-facts.ts";
import type { FoundRun } from "./look-at-runs.ts";
import { readRunStory } from "./run-story.ts";

const lookEveryMs = 25;

export type RestTerms = Pick<FoundRun, "store" | "document"> & {
  readonly operator: Pick<Operator, "get">;
  /** How a question stands that another place has asked, where that can be known. */
  readonly elsewhere?: ((approvalId: string) => Promise<Approval | undefined>) | undefined;
  readonly signal: AbortSignal;
  readonly now: () => number;
};

/** What a run has come to where only a person can take it on, and nobody has yet: otherwise it goes on by itself. */
export async function restOfRun(handle: RunHandle, terms: RestTerms): Promise<RunResult> {
  const { signal } = terms;
  /* oxlint-disable no-await-in-loop -- until it rests */
  for (;;) {
    await handle.wait({ for: "rest", signal });
    if (!(await hasErrands(terms))) {
      // As it is once all that was left for it is taken.
      const result = await handle.wait({ for: "rest", signal });
      if (!(await goesOn(result, terms))) return result;
    }
    await after(lookEveryMs, undefined, { signal }).catch(() => {
      throw new CancelledError("nobody waits for it any more");
    });
  }
  /* oxlint-enable no-await-in-loop */
}

/** J3: what others want of a run, and nobody has taken yet. */
async function hasErrands({ store, document: { runId, starter } }: RestTerms): Promise<boolean> {
  const { accountId } = starter;
  return (await store.documents({ kind: "inbox", accountId, status: runId, limit: 1 })).length > 0;
}

/** One that was told to stop is on its way to its end; one whose question was answered or has run out, to its next step. */
async function goesOn(result: RunResult, terms: RestTerms): Promise<boolean> {
  const { status, approvals } = result;
  if (status !== "requires_approval" && status !== "recovery_needed") return false;
  if ((await readRunStory(terms)).cancelledBy !== undefined) return true;
  if (status === "recovery_needed") return false;
  if ((await unanswered(terms, result)).length < askedHere(approvals).length) return true;
  return await isAnsweredElsewhere(approvals, terms);
}

/** What another place has asked is asked for there by the run itself, which goes on once there is an answer. */
async function isAnsweredElsewhere(
  approvals: RunResult["approvals"],
  { elsewhere, now }: RestTerms,
): Promise<boolean> {
  const there = approvals.filter((asked) => asked.elsewhere !== undefined);
  const found = await Promise.all(there.map(async ({ approvalId }) => await elsewhere?.(approvalId)));
  return found.some((approval) => approval !== undefined && statusNow(approval, now()) !== "pending");
}

/** The questions of a run that were put to somebody here, as far as nobody has answered them yet. */
export async function unanswered(
  { operator, now }: Pick<RestTerms, "operator" | "now">,
  { approvals }: RunResult,
): Promise<Approval[]> {
  const all = await Promise.all(askedHere(approvals).map(({ approvalId }) => operator.get(approvalId)));
  return all.filter((approval) => statusNow(approval, now()) === "pending");
}

function askedHere(approvals: RunResult["approvals"]): RunResult["approvals"] {
  return approvals.filter(({ elsewhere }) => elsewhere === undefined);
}
