// Looking after one child: it begins once, and what it comes to is on its parent's record, as far as that is not there yet.
import { canonicalJson, type JsonValue, NotFoundError, type RunId } from "@spfunctions/contracts";
import { readPayload } from "../journal/read-payload.ts";
import type { RecordDraft } from "../journal/record-draft.ts";
import type { LiveRun, WatchRun } from "../run/driver/live-run.ts";
import { readRun } from "../run/journal/read-run.ts";
import type { RunHandle } from "../run/run-handle.ts";
import type { RunResult } from "../run/state/run-result.ts";
import { isWaitedFor } from "../run/state/run-shape.ts";
import { hasEnded, type RunState } from "../run/state/run-states.ts";
import type { ChildHost, NeverBegins } from "./child-host.ts";
import type { ChildProgress } from "./child-progress.ts";
import { endedRecord, messageRecord, neverBegunRecord, restedRecord, wokenRecord } from "./child-records.ts";
import { type ChildPhase, type ChildShape, childTransitions, isAttached } from "./child-states.ts";
import type { Child } from "./fold-child.ts";
import { readContent } from "./parent-history.ts";
import { whyWithheld } from "./withheld-answer.ts";

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
    { runId, parent, depth: started.depth, tree: live.tree },
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
    if (hasEnded(result.status as RunState)) return await noteEnd(live, child, signal);
    await note(live, childRunId, ({ phase }) => restRecords(live, childRunId, phase, result));
    const isMoving = await host.untilPast(childRunId, seq, signal);
    if (signal.aborted) return;
    if (isMoving)
      await note(live, childRunId, ({ phase }) => (isStill(phase) ? [wokenRecord(live, childRunId)] : []));
  }
  /* oxlint-enable no-await-in-loop */
}

/** What is on record already is not said again, and nothing of one that goes. What has changed while it rested is a rest of its own. */
function restRecords(
  live: LiveRun,
  childRunId: RunId,
  phase: ChildPhase,
  result: RunResult,
): readonly RecordDraft[] {
  const isHeard = phase === "running" || isStill(phase);
  if (!isHeard || isSaid(childIn(live, childRunId), phase, result)) return [];
  const { asks } = result;
  return [
    ...(isStill(phase) ? [wokenRecord(live, childRunId)] : []),
    asks === undefined
      ? restedRecord(live, childRunId, result)
      : messageRecord(live, childRunId, "clarification", asks),
  ];
}

/** Whether it waits for somebody, as its parent's records have it. */
function isStill(phase: ChildPhase): boolean {
  return childTransitions["subagent.woken"].includes(phase);
}

/** Whether its parent's records say what it waits for. */
function isSaid({ approvals, unknown, asked }: Child, phase: ChildPhase, result: RunResult): boolean {
  if (result.asks !== undefined) return asked?.messageId === result.asks.messageId;
  const isSame = canonicalJson([approvals, unknown]) === canonicalJson([result.approvals, result.unknown]);
  return phase === "resting" && isSame;
}

/** Nothing of one that was let go before that could be said. */
async function noteEnd(live: LiveRun, child: Child, signal: AbortSignal): Promise<void> {
  const { childRunId } = child;
  const { store, requireProven } = live.host;
  const read = await readRun(store, live.run.opening.accountId, childRunId);
  requireProven(read);
  for (let isOver = false; !isOver; ) {
    const wasWaited = isWaitedFor(live.run.shape, childRunId);
    // oxlint-disable-next-line no-await-in-loop -- once more where the call that waited for it has ended
    const withheld = wasWaited ? undefined : await whyWithheld(live, child, read.run);
    if (signal.aborted) return;
    isOver = true;
    // oxlint-disable-next-line no-await-in-loop -- see above
    await note(live, childRunId, (shape) => {
      if (!isAttached(shape)) return [];
      isOver = !wasWaited || isWaitedFor(live.run.shape, childRunId);
      return isOver ? [endedRecord(live, child, read.run, withheld)] : [];
    });
  }
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
  await noteEnd(live, child, signal);
}

/**
 * Writes what is to be said of a child by how it stands: where that, or who waits for it, has changed by the time it would be written,
 * it is looked at anew. Nothing is to be said any more: nothing is written.
 */
export async function note(
  live: LiveRun,
  childRunId: RunId,
  look: (shape: ChildShape) => readonly RecordDraft[],
): Promise<void> {
  for (;;) {
    const { shape } = live.run;
    const seen = shapeOf(live, childRunId);
    const isWaited = isWaitedFor(shape, childRunId);
    const records = look(seen);
    if (records.length === 0) return;
    const isSo = () =>
      shapeOf(live, childRunId) === seen && isWaitedFor(live.run.shape, childRunId) === isWaited;
    // oxlint-disable-next-line no-await-in-loop -- until it is so when it is written
    if (await live.journal.appendIf(isSo, { durability: "process", records })) return;
  }
}

export async function append(live: LiveRun, ...records: readonly RecordDraft[]): Promise<void> {
  await live.journal.append({ durability: "process", records });
}

export function childIn({ run }: LiveRun, childRunId: string): Child {
  const child = run.children.get(childRunId as RunId);
  if (child !== undefined) return child;
  throw noChild(run, childRunId);
}

function noChild({ opening }: LiveRun["run"], childRunId: string): NotFoundError {
  return new NotFoundError(`${childRunId.slice(0, 100)} is no child of ${opening.runId}`, {
    details: { reason: "no_child" },
  });
}

/** How a child stands, as its parent's records have it. */
export function shapeOf({ run }: LiveRun, childRunId: RunId): ChildShape {
  const shape = run.shape.children.get(childRunId);
  if (shape !== undefined) return shape;
  throw noChild(run, childRunId);
}

export function phaseOf(live: LiveRun, childRunId: RunId): ChildPhase {
  return shapeOf(live, childRunId).phase;
}
