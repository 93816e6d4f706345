import { exitCodes, NotFoundError, type TraceEntry } from "@spfunctions/contracts";
import { durationText } from "../call/five-answers.ts";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { type Column, printTable } from "../io/print-table.ts";
import { lastSegment } from "./find-segment.ts";
import { withJournals } from "./open-journals.ts";
import { openTrace } from "./open-trace.ts";
import { columnsOf } from "./fit-line.ts";
import { printTimeline } from "./print-timeline.ts";
import { printVerification } from "./print-verification.ts";
import { type TimelineCall, timelineOf } from "./timeline.ts";

/** As they were given. */
export type TraceShowOptions = {
  readonly last?: true;
  readonly call?: string;
  readonly table?: true;
  readonly wide?: true;
  readonly data?: string;
  readonly store?: string;
  readonly account?: string;
  readonly json?: true;
};

export async function show(
  given: string | undefined,
  options: TraceShowOptions,
  context: CommandContext,
): Promise<number> {
  const { io, print } = context;
  const name = await nameOf(given, options, context);
  const { trace, only } = await openTrace(name, options, context);
  const { verification } = trace;
  const isBroken = verification.status === "broken";
  const isJson = options.json === true;
  // Beside the answer, but for what is broken: then it is the answer.
  if (!isJson) printVerification(isBroken ? print : { out: print.err }, name, verification);
  if (isBroken) {
    if (isJson) print.json({ ok: false, verification }, 2);
    return exitCodes.verificationFailed;
  }
  const calls = timelineOf(trace, only);
  const callId = options.call ?? (only !== undefined && "callId" in only ? only.callId : undefined);
  if (callId !== undefined) print.json(entryOf(calls, callId), 2);
  else if (isJson) print.json({ ok: true, verification, ...asJson(calls) }, 2);
  else if (options.table === true) printTable(print, entriesOf(calls), columns);
  else {
    print.err({ text: overview(calls), style: "dim" });
    printTimeline(print, calls, options.wide === true ? Infinity : columnsOf(io));
  }
  return exitCodes.done;
}

async function nameOf(
  given: string | undefined,
  options: TraceShowOptions,
  context: CommandContext,
): Promise<string> {
  if ((given === undefined) !== (options.last === true))
    throw badUsage("say which: a file, the id of a segment, a run or a call, or --last");
  if (given !== undefined) return given;
  return await withJournals(options, context, async (journals) => {
    return (await lastSegment(journals, options, context.io)).stream;
  });
}

function entriesOf(calls: readonly TimelineCall[]): TraceEntry[] {
  return calls.map(({ entry }) => entry);
}

/** The entries as the contract has them, and beside them what else is told of each. */
function asJson(calls: readonly TimelineCall[]) {
  return {
    entries: entriesOf(calls),
    timeline: calls.map(({ entry: { callId }, ...more }) => ({ callId, ...more })),
  };
}

function entryOf(calls: readonly TimelineCall[], callId: string): TraceEntry {
  const found = calls.find(({ entry }) => entry.callId === callId);
  if (found !== undefined) return found.entry;
  throw new NotFoundError(`the trace has no call ${callId}; sf trace show lists those it has`, {
    details: { reason: "no_such_call" },
  });
}

function overview(calls: readonly TimelineCall[]): string {
  const [first] = calls;
  if (first === undefined) return "no calls";
  return `${calls.length} ${calls.length === 1 ? "call" : "calls"}, the first at ${first.entry.startedAt}`;
}

const columns: readonly Column<TraceEntry>[] = [
  ["seq", ({ seq }) => `${seq}`],
  ["time", ({ startedAt }) => startedAt],
  ["tool", ({ tool }) => tool],
  ["status", ({ status, error }) => (error === undefined ? status : `${status} (${error.code})`)],
  ["duration", ({ durationMs }) => durationText(durationMs)],
  ["hash", ({ hash }) => hash.slice(7, 19)],
  ["call", ({ callId }) => callId],
];
