// B22: a trace from outside is looked at whole before anything in it is used.
import {
  canonicalJson,
  type ContractTool,
  type Gate,
  type GateReport,
  type JsonValue,
  type Origin,
  type TraceEntry,
  type Verdict,
} from "@spfunctions/contracts";
import { readTrace, requireWhole, type Trace, traceEntries } from "@spfunctions/kernel";
import { textsOf, type TraceSource } from "../trace/trace-source.ts";

/** A call as a trace has it. */
export type PastCall = {
  /** Which of the given traces, from 1. */
  readonly trace: number;
  readonly entry: TraceEntry;
  readonly origin: Origin;
  /** What was decided then. */
  readonly verdict: Verdict;
  /** The contract that it was made under; absent where there was no tool of that name. */
  readonly contract?: ContractTool | undefined;
  /** As it was recorded; absent where it was not, or was erased. */
  readonly input?: JsonValue | undefined;
  /** Whether its host had a policy of its own; absent where no call tells. */
  readonly hasPreTool?: boolean | undefined;
};

/** Every call of the traces, in order, and once where two of them have the same record. A trace that is broken is refused by its number. */
export async function readPastCalls(sources: readonly TraceSource[]): Promise<PastCall[]> {
  const traces = await Promise.all((await textsOf(sources)).map(readTrace));
  for (const [index, { verification }] of traces.entries()) requireWhole(verification, `trace ${index + 1}`);
  const calls = traces.flatMap((trace, index) => callsIn(trace, index + 1));
  return [...new Map(calls).values()];
}

/** By the hash of the record that opened it. */
function callsIn(trace: Trace, number: number): [string, PastCall][] {
  const contracts = new Map(trace.header?.tools.map((tool) => [tool.digest, tool]));
  const entries = new Map(traceEntries(trace).map((entry) => [entry.callId, entry]));
  const calls = [...trace.calls.values()].map(({ callId, opening, openedAt }) => {
    const { origin, verdict, toolDigest } = opening;
    const entry = entries.get(callId) as TraceEntry;
    const contract = toolDigest === undefined ? undefined : contracts.get(toolDigest);
    const isKept = opening.input !== undefined && entry.erased?.includes("input") !== true;
    const input = isKept ? (entry.input as JsonValue) : undefined;
    return [openedAt.hash, { trace: number, entry, origin, verdict, contract, input }] as const;
  });
  const hosts = hostPolicies(calls.map(([, call]) => call));
  return calls.map(([hash, call]) => [hash, { ...call, hasPreTool: hosts.get(seatOf(call)) }]);
}

export function resultOf({ gates }: Verdict, gate: Gate): GateReport["result"] | undefined {
  return gates.find((report) => report.gate === gate)?.result;
}

/** Only a replay does not ask about inputs at all. */
export function isReplayed({ verdict }: Pick<PastCall, "verdict">): boolean {
  return resultOf(verdict, "input") === "not_applicable";
}

/** Of each seat, whether its host's own policy was ever asked. One whose every live call was stopped before does not tell. */
function hostPolicies(calls: readonly PastCall[]): ReadonlyMap<string, boolean> {
  const hosts = new Map<string, boolean>();
  for (const call of calls.filter((one) => !isReplayed(one))) {
    const result = resultOf(call.verdict, "pre_tool");
    if (result === undefined || result === "not_checked") continue;
    const seat = seatOf(call);
    hosts.set(seat, hosts.get(seat) === true || result !== "not_applicable");
  }
  return hosts;
}

/** Calls with all of this in common were made by one seat. */
function seatOf({ entry, origin, verdict }: PastCall): string {
  const { packageFingerprint, principal } = entry;
  return canonicalJson([packageFingerprint, principal, origin, surfaceOf(verdict)]);
}

export function surfaceOf(verdict: Verdict): "agent" | "plain" {
  return resultOf(verdict, "agent.callable") === "not_applicable" ? "plain" : "agent";
}
