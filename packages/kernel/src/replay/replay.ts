// R1: replay never calls live. What is not in the traces is a miss that names the tool and the hash.
import {
  type ContentDigest,
  type ContentRow,
  type ContractTool,
  cutPlaceholders,
  type Digest,
  hashText,
  hasPlaceholder,
  ReplayMissError,
} from "@spfunctions/contracts";
import type { CallState } from "../journal/fold-calls.ts";
import { requireWhole } from "../journal/verify-stream.ts";
import { readTrace, type Trace } from "../trace/read-trace.ts";
import { textOf } from "./recorded-answer.ts";

/** A recorded call and where its payloads are. */
export type RecordedCall = {
  readonly call: CallState;
  /** The call whose answer was given: itself, unless its key had been used before. */
  readonly answer: CallState;
  readonly contentOf: (digest: ContentDigest | undefined) => ContentRow | undefined;
  /** What it was proposed with, where hooks have changed that: nobody asks them again. */
  readonly proposed: ContentDigest | undefined;
  readonly replayable: boolean;
  /** The nth equal call gets the nth entry. */
  isUsed: boolean;
};

export type ReplayHit = { readonly recorded: RecordedCall; readonly matchedBy: "exact" | "redacted" };

/** Recorded answers, each given out once, in the order in which they were recorded. */
export type Replay = {
  /** The contracts that the traces were recorded under: a trace replays alone. */
  readonly contracts: readonly ContractTool[];
  /** The names that were called, also such as no tool has. */
  readonly names: ReadonlySet<string>;
  readonly take: (
    tool: string,
    input: { readonly text: string; readonly hash: Digest },
  ) => ReplayHit | undefined;
};

/** Reads traces to replay from; one that is not what was written is refused. */
export async function openReplay(texts: readonly string[]): Promise<Replay> {
  const traces = await Promise.all(texts.map(readTrace));
  for (const [index, { verification }] of traces.entries()) requireWhole(verification, `trace ${index + 1}`);
  return replayOf(traces);
}

function replayOf(traces: readonly Trace[]): Replay {
  const recordedCalls = callsOf(traces);
  const exact = new Map<string, RecordedCall[]>();
  const cut = new Map<string, RecordedCall[]>();
  for (const recorded of recordedCalls) {
    const { tool } = recorded.call.opening;
    const text = textOf(recorded.contentOf(askedWith(recorded)));
    if (text === undefined) continue;
    queue(exact, `${tool} ${hashText(text)}`, recorded);
    queue(cut, `${tool} ${hashText(cutPlaceholders(text))}`, recorded);
  }
  return {
    contracts: contractsOf(traces),
    names: new Set(recordedCalls.map(({ call }) => call.opening.tool)),
    take(tool, { text, hash }) {
      const found = next(exact.get(`${tool} ${hash}`));
      if (found !== undefined) return { recorded: found, matchedBy: "exact" };
      const loose = next(
        cut.get(`${tool} ${hashText(cutPlaceholders(text))}`)?.filter((one) => isCut(one, text)),
      );
      return loose === undefined ? undefined : { recorded: loose, matchedBy: "redacted" };
    },
  };
}

/** One for each name: that of the first trace that has it. */
function contractsOf(traces: readonly Trace[]): ContractTool[] {
  const contracts = new Map<string, ContractTool>();
  for (const contract of traces.flatMap(({ header }) => header?.tools ?? [])) {
    if (!contracts.has(contract.name)) contracts.set(contract.name, contract);
  }
  return [...contracts.values()];
}

/** Each call once, also where two traces have it; one that was answered by another's record only if that is there. */
function callsOf(traces: readonly Trace[]): RecordedCall[] {
  const calls = new Map(
    traces.flatMap((trace) => [...trace.calls].map(([id, call]) => [id, { call, trace }] as const)),
  );
  const content = new Map(traces.flatMap((trace) => [...trace.content]));
  const contentOf = (digest: ContentDigest | undefined) =>
    digest === undefined ? undefined : content.get(digest.ref);
  return [...calls.values()].flatMap(({ call, trace }) => {
    const { opening } = call;
    const answer = opening.kind === "call.repeated" ? calls.get(opening.of.callId)?.call : call;
    if (answer === undefined) return [];
    const contract = trace.header?.tools.find(({ name }) => name === opening.tool);
    const replayable = contract?.replay.replayable !== false;
    const proposed = trace.proposed.get(call.callId);
    return [{ call, answer, contentOf, proposed, replayable, isUsed: false }];
  });
}

/** The looser match is for inputs that hold a secret on either side, and for no others. */
function isCut(recorded: RecordedCall, text: string): boolean {
  return hasPlaceholder(text) || hasPlaceholder(textOf(recorded.contentOf(askedWith(recorded))) ?? "");
}

/** What whoever makes the call again makes it with. */
function askedWith({ call, proposed }: RecordedCall): ContentDigest | undefined {
  return proposed ?? call.opening.input;
}

function next(recorded: readonly RecordedCall[] | undefined): RecordedCall | undefined {
  const found = recorded?.find(({ isUsed, replayable }) => !isUsed && replayable);
  if (found !== undefined) found.isUsed = true;
  return found;
}

function queue(map: Map<string, RecordedCall[]>, key: string, recorded: RecordedCall): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [recorded]);
  else list.push(recorded);
}

export function replayMiss(tool: string, hash: Digest): ReplayMissError {
  return new ReplayMissError(
    `${tool}: no recorded call left with the input ${hash}; nothing was called. Record it, or pass the trace that has it`,
    { details: { tool, inputHash: hash } },
  );
}
