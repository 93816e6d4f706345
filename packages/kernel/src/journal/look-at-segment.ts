import { type CallId, type JournalRecord, type SegmentSeal } from "@spfunctions/contracts";
import { isSignedBy } from "../installation/installation.ts";
import type { Place, Store } from "../store/store.ts";
import { type ApprovalsSaid, noteApproval, nothingSaid } from "./approvals-said.ts";
import type { Opening } from "./fold-calls.ts";
import { isErased, payloadName } from "./gone-payloads.ts";
import { isCorrupt } from "./read-kept.ts";
import { readWholeStream } from "./read-stream.ts";
import { sealText } from "./seal.ts";
import { readSeal } from "./segment.ts";
import { type ListedEffect, unknownOf } from "./unknown-effects.ts";
import { verifyCalls } from "./verify-calls.ts";
import type { StreamVerification } from "./verify-stream.ts";

/** One segment on its own, and what it says about others and about what is kept beside it. */
export type Segment = {
  readonly stream: string;
  readonly verification: StreamVerification;
  readonly previous: Place | undefined;
  readonly seal: SegmentSeal | undefined;
  readonly isSigned: boolean;
  /** Payloads that are gone, and payloads of which it says that they were erased. */
  readonly gone: readonly { readonly seq: number; readonly name: string }[];
  readonly erased: readonly string[];
  /** Effects of which nobody knows what became, and calls of which somebody has found out. */
  readonly unknown: readonly (ListedEffect & { readonly seq: number })[];
  readonly resolved: readonly CallId[];
  /** The contracts it takes to read it, each with the first record that is under it. */
  readonly contracts: ReadonlyMap<string, number>;
  readonly approvals: ApprovalsSaid;
};

export async function lookAtSegment(
  store: Store,
  accountId: string,
  stream: string,
  publicKeys: readonly string[],
): Promise<Segment> {
  let seal: SegmentSeal | undefined;
  let isUnreadable = false;
  try {
    seal = await readSeal(store, accountId, stream);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    isUnreadable = true;
  }
  let previous: Place | undefined;
  const gone: { seq: number; name: string }[] = [];
  const erased: string[] = [];
  const resolved: CallId[] = [];
  const contracts = new Map<string, number>();
  const approvals = nothingSaid();
  const { verification, calls } = await verifyCalls(
    readWholeStream(store, stream, accountId),
    { seal, of: { stream, accountId } },
    ({ record, content }, state) => {
      if (record.kind === "segment.opened") previous = record.previous;
      if (record.kind === "call.resolved") resolved.push(record.callId);
      if (record.kind === "content.erased") erased.push(payloadName(record.stream, record.of, record.ref));
      noteApproval(approvals, record);
      const digest = toolDigestOf(record);
      if (digest !== undefined && !contracts.has(digest)) contracts.set(digest, record.seq);
      // What was replayed has what its trace had.
      const isReplayed = "callId" in record && wasReplayed(state.get(record.callId)?.opening);
      for (const row of isReplayed ? [] : content.filter(isErased))
        gone.push({ seq: record.seq, name: payloadName(stream, record.seq, row.ref) });
    },
  );
  const unknown = [...calls.values()].flatMap((call) => {
    const effect = unknownOf(call, stream);
    return effect === undefined ? [] : [{ ...effect, seq: call.at.seq }];
  });
  const { count } = verification;
  const broken = { seq: count, reason: "seal", message: "is under a seal that cannot be read" };
  return {
    stream,
    verification:
      isUnreadable && verification.status !== "broken" ? { status: "broken", count, broken } : verification,
    previous,
    seal,
    isSigned: seal !== undefined && publicKeys.some((key) => isSealSignedBy(stream, seal, key)),
    gone,
    erased,
    unknown,
    resolved,
    contracts,
    approvals,
  };
}

/** Whether a key has signed a segment's seal. */
export function isSealSignedBy(stream: string, seal: SegmentSeal, publicKey: string): boolean {
  return seal.signature !== undefined && isSignedBy(sealText(stream, seal), seal.signature, publicKey);
}

function toolDigestOf(record: JournalRecord): string | undefined {
  return "toolDigest" in record ? record.toolDigest : undefined;
}

function wasReplayed(opening: Opening | undefined): boolean {
  return opening !== undefined && "replayed" in opening && opening.replayed === true;
}
