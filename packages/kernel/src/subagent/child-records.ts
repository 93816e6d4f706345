// What a parent's journal says of its children, made of what is in theirs.
import {
  canonicalJson,
  cutText,
  errorFor,
  type JsonValue,
  type MessageId,
  type Principal,
  type RunId,
  type Spent,
} from "@spfunctions/contracts";
import { failureContent } from "../call/conclude.ts";
import { readable, recordedForm } from "../call/payload.ts";
import { readPayload } from "../journal/read-payload.ts";
import { draftContent, draftRecord, type RecordDraft } from "../journal/record-draft.ts";
import type { Run } from "../run/state/fold-run.ts";
import type { LiveRun } from "../run/driver/live-run.ts";
import { type RunResult, resultOf } from "../run/state/run-result.ts";
import { isWaitedFor } from "../run/state/run-shape.ts";
import { contentRef } from "../time/ids.ts";
import { type Child, type ChildMessage, nameOf } from "./fold-child.ts";

/** Which run and which child a record is of. */
function names({ run }: LiveRun, childRunId: RunId) {
  return { runId: run.opening.runId, childRunId };
}

export function restedRecord(live: LiveRun, childRunId: RunId, result: RunResult): RecordDraft {
  const approvals = [...result.approvals];
  const unknown = [...result.unknown];
  return draftRecord("subagent.rested", { ...names(live, childRunId), approvals, unknown });
}

export function wokenRecord(live: LiveRun, childRunId: RunId): RecordDraft {
  return draftRecord("subagent.woken", names(live, childRunId));
}

export function cancellingRecord(live: LiveRun, childRunId: RunId, by: Principal): RecordDraft {
  return draftRecord("subagent.cancelling", { ...names(live, childRunId), by });
}

/** What a child asks, or is told; `call`: which call of its parent's waits for it from there on. */
export function messageRecord(
  live: LiveRun,
  childRunId: RunId,
  type: "message" | "clarification" | "reply",
  { messageId, replyTo, text, call }: ChildMessage & { readonly call?: string | undefined },
): RecordDraft {
  const { row, digest } = kept(live, `${messageId.slice("msg_".length)}-message`, text, "/text");
  const body = {
    ...names(live, childRunId),
    messageId,
    type,
    ...(replyTo !== undefined && { replyTo }),
    ...(call !== undefined && { call: call as never }),
    output: digest,
  };
  return draftRecord("subagent.message", body, { content: [row] });
}

export function detachingRecord(live: LiveRun, childRunId: RunId, by: Principal, note: string): RecordDraft {
  const { row, digest } = kept(live, `${live.host.ids.unique()}-detach`, note, "/note");
  const body = { ...names(live, childRunId), by, note: digest };
  return draftRecord("subagent.detaching", body, { content: [row] });
}

export function detachedRecord(live: LiveRun, childRunId: RunId, acknowledgedBy: Principal): RecordDraft {
  return draftRecord("subagent.detached", { ...names(live, childRunId), acknowledgedBy });
}

export function reclaimedRecord(live: LiveRun, childRunId: RunId, by: Principal): RecordDraft {
  return draftRecord("subagent.reclaimed", { ...names(live, childRunId), by });
}

/** S1: in its recorded form, as a plain text. */
function kept({ host }: LiveRun, name: string, given: string, path = "") {
  const text = readable(given, "the text", path);
  const { text: recorded } = recordedForm(text, { publicPaths: [], secretPaths: [] }, host.keyedHash);
  return draftContent(contentRef(name, "text"), host.ids.salt(), readPayload(recorded) as string);
}

/** How a child has ended, and what it has used up, once. `withheld`: why its parent's model is not told what it has answered. */
export function endedRecord(live: LiveRun, child: Child, run: Run, withheld?: string): RecordDraft {
  const result = resultOf(run);
  const { head, isOverrun } = run;
  return endRecord(live, child, { ...result, head, isOverrun, spent: rolledUp(result.spent), withheld });
}

/** One that was to begin, and never will. */
export function neverBegunRecord(live: LiveRun, child: Child, why: string): RecordDraft {
  const error = { code: "cancelled", message: `it never began: ${why}` } as const;
  return endRecord(live, child, { status: "cancelled", error, spent: { children: 1 } });
}

type ChildEnd = Pick<RunResult, "status" | "output" | "error" | "spent"> &
  Partial<Pick<Run, "head" | "isOverrun">> & { readonly withheld?: string | undefined };

/** Where no call waits for it, its parent's model is told what it came to. */
function endRecord(live: LiveRun, child: Child, end: ChildEnd): RecordDraft {
  const { childRunId } = child;
  const { status, head, spent, error, isOverrun } = end;
  const unique = childRunId.slice("run_".length);
  const failure = error && failureContent(live.host, `${unique}-ended`, errorFor(error.code, error.message));
  const note = isWaitedFor(live.run.shape, childRunId)
    ? undefined
    : kept(live, `${unique}-ended`, noteOf(child, end));
  return draftRecord(
    "subagent.ended",
    {
      ...names(live, childRunId),
      status: status as never,
      ...(head && { head }),
      spent,
      ...(isOverrun === true && { overrun: true as const }),
      ...(failure && { error: failure.body }),
      ...(note && { output: note.digest }),
    },
    { content: [...(note ? [note.row] : []), ...(failure ? [failure.row] : [])] },
  );
}

/** Time passes for both at once, and is not added up. */
function rolledUp({ wallMs: _wallMs, children = 0, ...spent }: Spent): Spent {
  return { ...spent, children: children + 1 };
}

/** What comes from a child is data, which nothing in it can make look like anything else. */
function noteOf({ started, childRunId }: Child, end: ChildEnd): string {
  const { status, output = null, error, withheld } = end;
  const name = nameOf(started.subagent, childRunId);
  if (withheld !== undefined)
    return `${name} has completed, and its answer is withheld. ${asData("Why", withheld)}`;
  if (status === "completed") return `${name} has completed. ${asData("Its answer", output)}`;
  const ended = `${name} has ended as ${status}`;
  return error === undefined ? ended : `${ended}: ${error.code}. ${asData("What it says", error.message)}`;
}

/**
 * What a model is told of what a child has come to that it did not wait for.
 * @limit child.outputChars | it is cut, and it is said at how many of how many characters; the child's run has the whole | fixed: a model is told it at once
 */
const mostData = 1_000_000;

function asData(what: string, value: JsonValue): string {
  const text = canonicalJson(value);
  if (text.length <= mostData) return `${what}, as data:\n${text}`;
  const cut = canonicalJson(cutText(text, mostData));
  return `${what}, as data, of which these are the first ${mostData} of ${text.length} characters:\n${cut}`;
}

/** The same for the same effect, or for the same question. */
export function messageIdOf(unique: string): MessageId {
  return `msg_${unique}` as MessageId;
}
