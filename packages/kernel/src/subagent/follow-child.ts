// Looking after one child: it begins once, and what it comes to is on its parent's record, as far as that is not there yet.
import {
  canonicalJson,
  InvalidTransitionError,
  type JsonValue,
  NotFoundError,
  type RunId,
} from "@spfunctions/contracts";
import { readPayload } from "../journal/read-payload.ts";
import type { RecordDraft } from "../journal/record-draft.ts";
import type { LiveRun, WatchRun } from "../run/live-run.ts";
import { readRun } from "../run/read-run.ts";
import type { RunHandle } from "../run/run-handle.ts";
import type { RunResult } from "../run/run-result.ts";
import { hasEnded, type RunState } from "../run/run-states.ts";
import type { ChildHost, NeverBegins } from "./child-host.ts";
import type { ChildProgress } from "./child-progress.ts";
import { endedRecord, messageRecord, neverBegunRecord, restedRecord, wokenRecord } from "./child-records.ts";
import type { ChildPhase } from "./child-states.ts";
import type { Child } from "./fold-child.ts";
import { readContent } from "./parent-history.ts";

export async function beginChild(
  live: LiveRun,
  child: Child,
  host: ChildHost,
  { mayAsk, watch }: { readonly mayAsk: boolean; readonly watch: WatchRun },
): Promise<RunHandle | NeverBegins> {
  const { childRunId: runId, started } = child;
  const { opening } = live.run;
  const parent = { runId: opening.runId, mayAsk };
  const objective = async () => await objectiveOf(live, child);
  return await host.beginChild(
    { runId, parent, depth: started.depth },
    { objective, traceId: opening.traceId, watch },
  );
}

/** All that it is told, as its parent's record has it. */
async function objectiveOf({ host, run }: LiveRun, { started }: Child): Promise<JsonValue | undefined> {
  const { texts } = await readContent(host.store, run.opening);
  const text = texts.get(started.input.ref);
  return text === undefined ? undefined : readPayload(text);
}

/** Until it has ended, or nobody looks after it any more. */
export async function followChild(
  live: LiveRun,
  child: Child,
  host: ChildHost,
  handle: RunHandle,
  signal: AbortSignal,
): Promise<void> {
  const { childRunId } = child;
  /* oxlint-disable no-await-in-loop -- from one rest to the next */
  for (;;) {
    const seq = host.seqOf(childRunId);
    const result = await handle.wait({ for: "rest", signal });
    if (signal.aborted) return;
    if (hasEnded(result.status as RunState)) return await noteEnd(live, child);
    await noteRest(live, childRunId, result);
    const isMoving = await host.untilPast(childRunId, seq, signal);
    if (signal.aborted) return;
    if (isMoving && phaseOf(live, childRunId) === "resting") await note(live, wokenRecord(live, childRunId));
  }
  /* oxlint-enable no-await-in-loop */
}

/** What is on record already is not said again. What has changed while it rested is a rest of its own. */
async function noteRest(live: LiveRun, childRunId: RunId, result: RunResult): Promise<void> {
  const phase = phaseOf(live, childRunId);
  if (isSaid(childIn(live, childRunId), phase, result)) return;
  const { asks } = result;
  await note(
    live,
    ...(phase === "resting" ? [wokenRecord(live, childRunId)] : []),
    asks === undefined
      ? restedRecord(live, childRunId, result)
      : messageRecord(live, childRunId, "clarification", asks),
  );
}

/** Whether its parent's records say what it waits for. */
function isSaid({ approvals, unknown, asked }: Child, phase: ChildPhase, result: RunResult): boolean {
  if (result.asks !== undefined) return asked?.messageId === result.asks.messageId;
  const isSame = canonicalJson([approvals, unknown]) === canonicalJson([result.approvals, result.unknown]);
  return phase === "resting" && isSame;
}

async function noteEnd(live: LiveRun, child: Child): Promise<void> {
  const { store, requireProven } = live.host;
  const read = await readRun(store, live.run.opening.accountId, child.childRunId);
  requireProven(read);
  await note(live, endedRecord(live, child, read.run));
}

/** Of a run that can only be given up here, its children are, too. */
export async function giveUpChild(
  live: LiveRun,
  child: Child,
  own: Pick<ChildHost, "get" | "cancel">,
  progress: ChildProgress,
  signal: AbortSignal,
): Promise<void> {
  const { childRunId } = child;
  const handle = await own.get(childRunId).catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  });
  if (handle === undefined)
    return await append(live, neverBegunRecord(live, child, "its parent was given up"));
  progress.begin(handle);
  await own.cancel(childRunId, live.run.cancelledBy);
  await handle.wait({ signal });
  await noteEnd(live, child);
}

/** What is so no more by the time it would be written is not said: it was told to stop, or was let go, meanwhile. */
export async function note(live: LiveRun, ...records: readonly RecordDraft[]): Promise<void> {
  try {
    await append(live, ...records);
  } catch (error) {
    if (!(error instanceof InvalidTransitionError)) throw error;
  }
}

export async function append(live: LiveRun, ...records: readonly RecordDraft[]): Promise<void> {
  await live.journal.append({ durability: "process", records });
}

export function childIn({ run }: LiveRun, childRunId: string): Child {
  const child = run.children.get(childRunId as RunId);
  if (child !== undefined) return child;
  throw new NotFoundError(`${childRunId.slice(0, 100)} is no child of ${run.opening.runId}`, {
    details: { reason: "no_child" },
  });
}

export function phaseOf({ run }: LiveRun, childRunId: RunId): ChildPhase {
  return run.shape.children.get(childRunId)?.phase ?? "ended";
}
