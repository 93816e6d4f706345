// What a journal says about its calls. Live, after a crash and in a trace it is the same fold over the same records. J4: what
// may follow an end is in one table, and nothing else does.
import {
  type CallId,
  type Digest,
  type EffectTerminalStatus,
  InvalidTransitionError,
  type JournalRecord,
  type JournalRecordKind,
} from "@spfunctions/contracts";
import type { Head } from "../store/store.ts";

type RecordOf<Kind extends JournalRecordKind> = Extract<JournalRecord, { kind: Kind }>;

/** What opened a call: everything that is known of it before it ran. */
export type Opening = RecordOf<
  "call.refused" | "call.waiting" | "call.intended" | "call.read" | "call.repeated"
>;
/** What ended it. */
type Ending = RecordOf<"call.settled" | "call.read">;

export type CallStatus = "refused" | "waiting" | "repeated" | "intended" | EffectTerminalStatus;

export type CallState = {
  readonly callId: CallId;
  readonly status: CallStatus;
  readonly opening: Opening;
  readonly ending?: Ending;
  /** Whether the output is still held, was let go, or never will be. */
  readonly output: "none" | "free" | "held" | "released" | "withheld";
  readonly withheld?: RecordOf<"call.withheld">;
  readonly resolved?: RecordOf<"call.resolved">;
  readonly late?: RecordOf<"call.late">;
  readonly attempts: number;
  /** When a person was asked about it, where one was. */
  readonly askedAt?: string;
  readonly openedAt: Head;
  /** The record that says how it ended, or that opened it. */
  readonly at: Head;
};

/** By call, in the order in which they were opened. */
export type CallsState = Map<CallId, CallState>;

/** From which states a record may follow; `undefined` is no call yet. */
export const callTransitions: { readonly [Kind in JournalRecordKind]?: readonly (CallStatus | undefined)[] } =
  {
    "call.refused": [undefined, "waiting"],
    // What another place asks a person about has not begun there: it waits here, and is sent again.
    "call.waiting": [undefined, "denied_before_execution"],
    "call.intended": [undefined, "waiting"],
    "call.read": [undefined],
    "call.repeated": [undefined, "waiting"],
    "call.retried": ["intended"],
    "call.settled": ["intended"],
    "call.released": ["completed"],
    "call.withheld": ["completed"],
    "call.late": ["cancelled", "timed_out"],
    "call.resolved": ["unknown"],
  };

/** Takes the state over and gives it back with one more record in it. Records that are about no call change nothing. */
export function foldCalls(
  state: CallsState,
  { record, hash }: { readonly record: JournalRecord; readonly hash: Digest },
): CallsState {
  // What hooks have made of a call is told before there is one.
  if (!("callId" in record) || record.kind === "call.revised") return state;
  const before = state.get(record.callId);
  // Of a call whose own records are in another segment.
  if (record.kind === "call.resolved" && before === undefined) return state;
  if (callTransitions[record.kind]?.includes(before?.status) !== true) throw impossible(record, before);
  const at = { seq: record.seq, hash };
  state.set(
    record.callId,
    opens(record) ? reopen(before, record, at) : change(before as CallState, record, at),
  );
  return state;
}

/** A call that has waited opens once more: with what it comes to. */
function opens({ kind }: JournalRecord): boolean {
  return callTransitions[kind]?.includes(undefined) === true;
}

function reopen(before: CallState | undefined, record: JournalRecord, at: Head): CallState {
  const askedAt = before?.askedAt ?? (record.kind === "call.waiting" ? record.ts : undefined);
  return { ...open(record, at), ...(askedAt !== undefined && { askedAt }) };
}

function open(record: JournalRecord, at: Head): CallState {
  const shared = { attempts: 1, output: "none", openedAt: at, at } as const;
  switch (record.kind) {
    case "call.refused":
      return { ...shared, callId: record.callId, status: "refused", opening: record, attempts: 0 };
    case "call.repeated":
      return { ...shared, callId: record.callId, status: "repeated", opening: record, attempts: 0 };
    case "call.waiting":
      return { ...shared, callId: record.callId, status: "waiting", opening: record, attempts: 0 };
    case "call.intended":
      return { ...shared, callId: record.callId, status: "intended", opening: record };
    case "call.read":
      return { ...shared, callId: record.callId, opening: record, ...ended(record) };
    default:
      throw impossible(record, undefined);
  }
}

function change(before: CallState, record: JournalRecord, at: Head): CallState {
  switch (record.kind) {
    case "call.settled":
      return { ...before, ...ended(record), at };
    case "call.retried":
      return { ...before, attempts: record.attempt };
    case "call.released":
    case "call.withheld":
      if (before.output !== "held") throw impossible(record, before);
      return record.kind === "call.released"
        ? { ...before, output: "released" }
        : { ...before, output: "withheld", withheld: record };
    case "call.late":
      if (before.late !== undefined) throw impossible(record, before);
      return { ...before, late: record };
    case "call.resolved":
      return {
        ...before,
        status: record.status,
        resolved: record,
        output: record.output === undefined ? "none" : "free",
      };
    default:
      throw impossible(record, before);
  }
}

function ended(record: Ending): Pick<CallState, "status" | "ending" | "output"> {
  const output = record.output === undefined ? "none" : record.held === true ? "held" : "free";
  return { status: record.status, ending: record, output };
}

function impossible({ kind, seq }: JournalRecord, before: CallState | undefined): InvalidTransitionError {
  const state = before === undefined ? "a call that was not begun" : `a call that is ${before.status}`;
  return new InvalidTransitionError(`record ${seq}: ${kind} cannot follow for ${state}`, {
    details: { seq, reason: "impossible_record" },
  });
}

/** The same of a record on its way: whether its call has an end after it. Nothing where it changes nothing about that. */
export function leavesPending(
  kind: JournalRecordKind,
  { held }: Readonly<Record<string, unknown>>,
): boolean | undefined {
  switch (kind) {
    case "call.waiting":
    case "call.intended":
      return true;
    case "call.refused":
    case "call.repeated":
      return false;
    case "call.settled":
    case "call.read":
      return held === true;
    case "call.released":
    case "call.withheld":
      return false;
    default:
      return undefined;
  }
}

/** Whether somebody still has to say how it ended, or what becomes of its output. */
export function isPending({ status, output }: Pick<CallState, "status" | "output">): boolean {
  return status === "waiting" || status === "intended" || output === "held";
}
