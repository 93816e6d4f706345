import {
  type CallId,
  type ContentDigest,
  type ContentRow,
  JournalCorruptError,
} from "@spfunctions/contracts";
import type { Store } from "../store/store.ts";
import { type CallState, type CallsState, foldCalls } from "./fold-calls.ts";
import { readWholeStream } from "./read-stream.ts";
import { verifyRecord } from "./verify-stream.ts";

export type CallPlace = { readonly accountId: string; readonly stream: string; readonly callId: CallId };

/** A call as its stream says that it is, and what lies beside its records. */
export type FoundCall = {
  readonly call: CallState;
  readonly contentOf: (digest: ContentDigest | undefined) => ContentRow | undefined;
};

/** B22: each of its records is looked at before it is believed. Nothing where the stream has none. */
export async function lookUpCall(
  store: Store,
  { accountId, stream, callId }: CallPlace,
): Promise<FoundCall | undefined> {
  const calls: CallsState = new Map();
  const content = new Map<string, ContentRow>();
  for await (const stored of readWholeStream(store, stream, accountId)) {
    if (!stored.text.includes(callId)) continue;
    const verified = verifyRecord(stored, stored.seq);
    if (verified === undefined)
      throw new JournalCorruptError(
        `record ${stored.seq} of ${stream} is not what was written; verify the journal`,
        { details: { stream, seq: stored.seq } },
      );
    if (!("callId" in verified.record) || verified.record.callId !== callId) continue;
    foldCalls(calls, verified);
    for (const row of verified.content) content.set(row.ref, row);
  }
  const call = calls.get(callId);
  return (
    call && { call, contentOf: (digest) => (digest === undefined ? undefined : content.get(digest.ref)) }
  );
}
