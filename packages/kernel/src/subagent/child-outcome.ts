// What a call that waits for a child comes to.
import { type CallId, CancelledError, errorFor, type RunId } from "@spfunctions/contracts";
import { Unfinished } from "../call/run-once.ts";
import type { LiveRun } from "../run/driver/live-run.ts";
import { readRun } from "../run/journal/read-run.ts";
import { resultOf } from "../run/state/run-result.ts";
import { type Child, wordsIn } from "./fold-child.ts";
import { childIn, phaseOf } from "./follow-child.ts";
import type { SubagentOutput } from "./subagent.ts";

/** While only a person can take the child on, others have the call's place in flight. `faultOf`: why it is looked after here no more. */
export async function outcomeOf(
  live: LiveRun,
  childRunId: RunId,
  callId: string,
  faultOf: () => unknown,
): Promise<SubagentOutput> {
  const place = live.places.get(callId as CallId);
  const isLeft = () => live.closing.aborted || faultOf() !== undefined;
  for (;;) {
    const { changed } = live;
    const child = childIn(live, childRunId);
    const phase = phaseOf(live, childRunId);
    // oxlint-disable-next-line no-await-in-loop -- the last time round
    if (phase === "ended") return await answerOf(live, child);
    if (phase === "detached") return { run: childRunId, status: "detached" };
    if (phase === "asking") return { run: childRunId, status: "asks", question: child.asked?.text ?? "" };
    const fault = faultOf();
    if (fault !== undefined) throw new Unfinished("", { cause: fault });
    if (live.closing.aborted) throw new Unfinished();
    // oxlint-disable-next-line no-await-in-loop -- once for each record
    await (phase === "resting" && place !== undefined
      ? place.idle(async () => await untilMoving(live, childRunId, isLeft))
      : changed);
  }
}

async function untilMoving(live: LiveRun, childRunId: RunId, isLeft: () => boolean): Promise<void> {
  while (phaseOf(live, childRunId) === "resting" && !isLeft()) {
    // oxlint-disable-next-line no-await-in-loop -- once for each record
    await live.changed;
  }
}

/** What a child has answered; how it has ended otherwise is thrown. */
export async function answerOf(
  live: LiveRun,
  { childRunId, started, ended }: Child,
): Promise<SubagentOutput> {
  if (ended?.status === "cancelled") {
    const why = ended.error && wordsIn(live.run.content, ended.error.message);
    throw new CancelledError(
      `${started.subagent}: its run ${childRunId} was cancelled${why === undefined ? "" : `: ${why}`}`,
    );
  }
  const read = await readRun(live.host.store, live.run.opening.accountId, childRunId);
  live.host.requireProven(read);
  const { status, output, error } = resultOf(read.run);
  if (status === "completed") return { run: childRunId, status, output };
  const message = `${started.subagent}: its run ${childRunId} has ended as ${status}: ${error?.message ?? ""}`;
  // What a child could not know is known to be over: it has ended.
  const code = error === undefined || error.code === "recovery_needed" ? "upstream_error" : error.code;
  throw errorFor(code, message, { details: { childRunId, reason: `child_${status}` } });
}
