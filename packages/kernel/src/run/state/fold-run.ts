// A run is the fold of its journal: live and after a crash it is the same code over the same records. What was folded stays as it
// was: the same run with the same record is the same run again.
import {
  type CallId,
  type ContentRow,
  type Digest,
  JournalCorruptError,
  type JournalRecord,
  type JsonValue,
  type MessageId,
  type Principal,
} from "@spfunctions/contracts";
import { type CallState, foldCalls } from "../../journal/fold-calls.ts";
import type { Head } from "../../store/store.ts";
import {
  type ChildMessage,
  type ChildRecord,
  type Children,
  foldChild,
  noteIn,
  spentBy,
  wordsIn,
} from "../../subagent/fold-child.ts";
import { isTellingParent, noShape, type RunShape, shapeAfter } from "./run-shape.ts";
import { nothingSpent, spend, type Spending } from "./run-spent.ts";
import { payloadIn, type ProposedCall, type RunStep, stepOf, withAlone, withResult } from "./run-step.ts";

type RecordOf<Kind extends JournalRecord["kind"]> = Extract<JournalRecord, { kind: Kind }>;

export type Run = {
  readonly opening: RecordOf<"run.opened">;
  /** What it was asked to do, as it is kept. */
  readonly objective: JsonValue;
  readonly shape: RunShape;
  readonly head: Head;
  readonly steps: readonly RunStep[];
  /** What its model is shown no more as it was, and what in its place. */
  readonly condensed?: Condensed;
  /** The model's attempt that is under way, or was last. */
  readonly attempt?: RecordOf<"model.intended">;
  /** How often in a row a model has failed. */
  readonly failures: number;
  readonly lastFailure?: RecordOf<"model.settled">;
  /** Those of the last answer, and earlier ones of which something may still be heard. */
  readonly calls: ReadonlyMap<CallId, CallState>;
  /** What lies beside the records since the last answer. */
  readonly content: ReadonlyMap<string, ContentRow>;
  /** What its model is told besides, and after which step. */
  readonly notes: readonly Note[];
  /** What it was told by its parent. */
  readonly told: ReadonlySet<MessageId>;
  /** What it has asked its parent last. */
  readonly asked?: ChildMessage;
  /** Whether it goes on without its parent. */
  readonly isDetached: boolean;
  readonly children: Children;
  readonly spending: Spending;
  /** Whether a provider has billed more than the worst case, in it or in a child of its. */
  readonly isOverrun: boolean;
  readonly cancelledBy?: Principal;
  /** Milliseconds in which it did something: not those that it waited for a person, or was nobody's. */
  readonly activeMs: number;
  readonly lastTs: string;
  readonly end?: RecordOf<"run.ended">;
};

/** After how many steps it comes; what is said while a model is asked comes after that. */
type Note = { readonly after: number; readonly text: string };

/** So many messages from the beginning are shown as one text; of the others, up to a step, answers of tools up to so many characters. */
export type Condensed = {
  readonly messages: number;
  /** How many steps there were then. */
  readonly steps: number;
  readonly text: string;
  readonly answerChars?: number | undefined;
};

export type RunRecord = {
  readonly record: JournalRecord;
  readonly hash: Digest;
  readonly content: readonly ContentRow[];
};

/** The run with one more record. `known`: its shape then, where that was looked at already. */
export function foldRun(run: Run | undefined, given: RunRecord, known?: RunShape): Run {
  const { record } = given;
  const shape = known ?? shapeAfter(run?.shape ?? noShape, { kind: record.kind, body: record });
  if (run === undefined) return open(given, shape);
  const content = given.content.length === 0 ? run.content : withRows(run.content, given.content);
  const head = { seq: record.seq, hash: given.hash };
  const activeMs = run.activeMs + activeSince(run, record);
  const next = { ...run, shape, content, head, lastTs: record.ts, activeMs };
  if ("callId" in record) return takeCall(next, given);
  if ("childRunId" in record) return takeChild(run, next, record);
  switch (record.kind) {
    case "run.asked": {
      const { messageId, output } = record;
      const asked = { messageId, text: wordsIn(content, output) };
      return { ...next, asked, steps: withAlone(run.steps, false) };
    }
    case "run.told":
      return {
        ...next,
        notes: [...run.notes, noteAfter(run, wordsIn(content, record.input))],
        told: new Set([...run.told, record.messageId]),
      };
    case "run.owned":
      return takeOwner(run, next, record.owner);
    case "context.condensed":
      return { ...next, condensed: condensedBy(run, record, content) };
    case "model.intended":
      return { ...next, attempt: record };
    case "model.settled":
      return takeAnswer(next, record);
    case "budget.overrun":
      return { ...next, isOverrun: true };
    case "run.cancelling":
      return { ...next, cancelledBy: record.by };
    case "run.ended":
      return { ...next, end: record };
    default:
      return next;
  }
}

function withRows(content: Run["content"], rows: readonly ContentRow[]): Run["content"] {
  const more = new Map(content);
  for (const row of rows) more.set(row.ref, row);
  return more;
}

function open({ record, hash, content }: RunRecord, shape: RunShape): Run {
  if (record.kind !== "run.opened") throw new TypeError("a run begins with run.opened");
  return {
    opening: record,
    objective: payloadIn(new Map(content.map((row) => [row.ref, row])), record.input),
    shape,
    head: { seq: record.seq, hash },
    steps: [],
    failures: 0,
    calls: new Map(),
    content: new Map(),
    notes: [],
    told: new Set(),
    isDetached: false,
    children: new Map(),
    spending: nothingSpent,
    isOverrun: false,
    activeMs: 0,
    lastTs: record.ts,
  };
}

/** What it has said last, and nobody has answered, nobody will where it is let go. */
function takeOwner(before: Run, run: Run, owner: "parent" | "host"): Run {
  const isDetached = owner === "host";
  const steps = isDetached && before.shape.hasSaid ? withAlone(run.steps, true) : run.steps;
  return { ...run, isDetached, steps };
}

function condensedBy(
  { steps }: Run,
  { messages, answerChars, output }: RecordOf<"context.condensed">,
  content: Run["content"],
): Condensed {
  const text = payloadIn(content, output);
  return { messages, steps: steps.length, text: typeof text === "string" ? text : "(erased)", answerChars };
}

/** Time counts while a run is doing something: not before it was taken over, and not while only a person could go on. */
function activeSince({ shape, lastTs }: Run, { kind, ts, passedMs }: JournalRecord): number {
  if (kind === "run.resumed" || isAtRest(shape)) return 0;
  if (passedMs !== undefined) return passedMs;
  return ts === lastTs ? 0 : Math.max(0, Date.parse(ts) - Date.parse(lastTs));
}

/** Whether only a person can take it on. */
export function isAtRest({ state }: Pick<RunShape, "state">): boolean {
  return state === "waiting" || state === "recovery_needed";
}

function takeAnswer(given: Run, record: RecordOf<"model.settled">): Run {
  const spending = spend(given.spending, `model ${given.attempt?.model ?? ""}`, record.spent);
  const run = { ...given, spending };
  // Of one that was given up, or whose process ended, nobody knows that it has failed.
  if (record.status !== "completed")
    return record.status === "failed" ? { ...run, failures: run.failures + 1, lastFailure: record } : run;
  const { lastFailure: _, ...rest } = run;
  return {
    ...rest,
    failures: 0,
    steps: [
      ...run.steps,
      { ...stepOf(record, run.content, run.attempt?.ts), ...(run.isDetached && { isAlone: true as const }) },
    ],
    calls: new Map([...run.calls].filter(([, call]) => mayBeHeardOf(call))),
    content: new Map(),
  };
}

/** Whether a tool, or a person, may still say something about a call that has ended. */
export function mayBeHeardOf({ status, late }: CallState): boolean {
  return status === "unknown" || ((status === "cancelled" || status === "timed_out") && late === undefined);
}

/** The model's next turn, by what it has been asked before. */
export function nextTurn({ steps, attempt }: Run): { readonly step: number; readonly attempt: number } {
  const step = steps.length + 1;
  return { step, attempt: attempt?.step === step ? attempt.attempt + 1 : 1 };
}

function takeChild(before: Run, run: Run, record: ChildRecord): Run {
  const children = foldChild(run.children, record, run.content);
  const child = children.get(record.childRunId);
  if (child === undefined) return run;
  const spent = spentBy(child, record);
  const spending = spent ? spend(run.spending, `subagent ${child.started.subagent}`, spent) : run.spending;
  const isTold = isTellingParent(before.shape, { kind: record.kind, body: record });
  const notes = isTold ? [...run.notes, noteAfter(before, noteIn(child, record, run.content))] : run.notes;
  const isOverrun = run.isOverrun || (record.kind === "subagent.ended" && record.overrun === true);
  return { ...run, children, spending, notes, isOverrun };
}

function noteAfter({ steps, shape }: Run, text: string): Note {
  return { after: steps.length + (shape.isTold || shape.isModelling ? 1 : 0), text };
}

/** Whether its model was told something that it has not seen. */
export function hasNews({ notes, steps }: Run): boolean {
  return notes.some(({ after }) => after >= steps.length);
}

function takeCall(run: Run, given: RunRecord): Run {
  const { record } = given;
  const { callId } = record as { callId: CallId };
  const calls = foldCalls(new Map(run.calls), given);
  const call = calls.get(callId);
  if (call === undefined) return { ...run, calls };
  const spending =
    record.kind === "call.settled" || record.kind === "call.read"
      ? spend(run.spending, `tool ${call.opening.tool}`, record.spent)
      : run.spending;
  const isEnded = run.shape.calls.get(callId) === "ended";
  const steps = isEnded ? withResult(run.steps, call, run.content, record.ts) : run.steps;
  return { ...run, calls, spending, steps };
}

/** Calls of the last answer that have not ended. */
export function openCalls({ steps, shape }: Run): readonly ProposedCall[] {
  return (steps.at(-1)?.calls ?? []).filter(({ callId }) => {
    const phase = shape.calls.get(callId);
    return phase !== undefined && phase !== "ended";
  });
}

/** A run's records as far as they go. */
export function requireRun(run: Run | undefined, runId: string): Run {
  if (run !== undefined) return run;
  throw new JournalCorruptError(`the journal of ${runId} is empty; verify the journal`, {
    details: { runId },
  });
}
