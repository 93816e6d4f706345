import type { Origin, Spent, TraceEntry, Verdict } from "@spfunctions/contracts";
import { type Trace, traceEntries } from "@spfunctions/kernel";
import type { FoundSegment } from "./find-segment.ts";

type RecordedCall = Trace["calls"] extends Map<unknown, infer Call> ? Call : never;

/** Something that was recorded of a call besides how it ended. */
type Followed = {
  readonly type:
    | "replayed"
    | "repeated"
    | "retried"
    | "held"
    | "released"
    | "withheld"
    | "late"
    | "resolved"
    | "erased";
  readonly detail: string;
};

/** A call where it stands in time; plain JSON. */
export type TimelineCall = {
  readonly entry: TraceEntry;
  /** Since the first call that is shown. */
  readonly offsetMs: number;
  readonly origin: Origin;
  readonly verdict: Verdict;
  readonly spent?: Spent;
  readonly followed: readonly Followed[];
};

/** The calls of a trace in the order in which they were begun, or those that are meant. */
export function timelineOf(trace: Trace, only?: FoundSegment["only"]): TimelineCall[] {
  const entries = traceEntries(trace).filter((entry) => isMeant(entry, only));
  const begin = Date.parse(entries[0]?.startedAt ?? "");
  return entries.map((entry) => {
    const call = trace.calls.get(entry.callId) as RecordedCall;
    const { origin, verdict } = call.opening;
    const spent = call.ending?.spent;
    return {
      entry,
      offsetMs: Date.parse(entry.startedAt) - begin,
      origin,
      verdict,
      ...(spent && { spent }),
      followed: followedIn(call, entry),
    };
  });
}

function isMeant({ runId, callId }: TraceEntry, only: FoundSegment["only"]): boolean {
  if (only === undefined) return true;
  return "callId" in only ? only.callId === callId : only.runId === runId;
}

function followedIn(call: RecordedCall, { erased = [] }: TraceEntry): Followed[] {
  const { opening, attempts, late, resolved } = call;
  const followed: Followed[] = [];
  const add = (type: Followed["type"], detail: string) => followed.push({ type, detail });
  if ("replayed" in opening && opening.replayed === true)
    add("replayed", "answered from a trace; nothing ran");
  if (opening.kind === "call.repeated") add("repeated", `answered from ${opening.of.callId}; nothing ran`);
  if (attempts > 1) add("retried", `attempted ${attempts} times`);
  if (call.output === "held") add("held", "its output is held: nobody has decided about it");
  if (call.output === "released") add("released", "its output was released");
  if (call.output === "withheld") add("withheld", "it ran, and its output was withheld");
  if (late !== undefined) add("late", `its end came late, after it was given up: ${late.status}`);
  if (resolved !== undefined) {
    const by = resolved.by === "executor" ? "its tool" : resolved.by.keyId;
    add("resolved", `found out later by ${by}: ${resolved.status}`);
  }
  // A trace has no output that nobody was given: that one is not told as erased.
  const gone = erased.filter((part) => part === "input" || isGiven(call));
  if (gone.length > 0) add("erased", `erased: ${gone.join(", ")}`);
  return followed;
}

function isGiven({ output }: RecordedCall): boolean {
  return output !== "held" && output !== "withheld";
}
