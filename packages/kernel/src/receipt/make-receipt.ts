import {
  canonicalJson,
  type Digest,
  type JournalRecord,
  type Receipt,
  type Spent,
} from "@spfunctions/contracts";
import type { Signer } from "../installation/installation.ts";
import type { Opening } from "../journal/fold-calls.ts";
import type { Head } from "../store/store.ts";

/** What a call's records say of it, without their places in the stream. */
export type ReceiptFacts = {
  readonly opening: Omit<Opening, "v" | "seq" | "prev" | "ts" | "kind">;
  readonly inputHash?: Digest | undefined;
  /** Only of an output that was given out. */
  readonly outputHash?: Digest | undefined;
  readonly spent: Spent;
  /** The record that ended the call. */
  readonly at: Head;
};

/** The five answers of one call, as its records give them. */
export function makeReceipt({ opening, inputHash, outputHash, spent, at }: ReceiptFacts): Receipt {
  const { runId, callId, traceId, principal, origin, tool, toolDigest, sideEffect, costEffect, verdict } =
    opening;
  const { approval } = opening as Partial<Extract<JournalRecord, { kind: "call.intended" }>>;
  return {
    v: 1,
    runId,
    callId,
    principal,
    origin,
    tool,
    ...(toolDigest === undefined ? {} : { toolDigest }),
    ...(inputHash === undefined ? {} : { inputHash }),
    ...(outputHash === undefined ? {} : { outputHash }),
    verdict,
    policyDigest: verdict.policyDigest,
    ...(approval === undefined ? {} : { approvalId: approval.approvalId }),
    ...(sideEffect === undefined ? {} : { sideEffect }),
    ...(costEffect === undefined ? {} : { costEffect }),
    spent,
    traceId,
    seq: at.seq,
    hash: at.hash,
  };
}

export function signReceipt(receipt: Receipt, signer: Signer): Receipt {
  return { ...receipt, signature: { keyId: signer.keyId, sig: signer.sign(receiptText(receipt)) } };
}

/** What a signature of a receipt is over. */
export function receiptText(receipt: Receipt): string {
  return `simplefunctions receipt v1\n${canonicalJson({ ...receipt, signature: undefined })}`;
}
