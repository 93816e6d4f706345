// J3: the writer seals each record, and the seal of one is in the next: nothing can be changed, left out, added or
// swapped without breaking every seal after it.
import { canonicalJson, type Digest, hashInput, hashText, type SegmentSeal } from "@spfunctions/contracts";
import type { Head, SealedRecord } from "../store/store.ts";
import { type RecordDraft, recordText } from "./record-draft.ts";

/** What the first record of a stream continues: no stream can pass for another. */
export function genesisOf(stream: string, accountId: string): Digest {
  return hashInput({ v: 1, stream, accountId });
}

export function sealRecord(head: Head, draft: RecordDraft, ts: string): SealedRecord {
  const text = recordText(draft, head, ts);
  return { seq: head.seq + 1, prev: head.hash, hash: hashText(text), text, content: draft.content };
}

/** What a signature of a seal is over. */
export function sealText(stream: string, { count, head, sealedAt }: Omit<SegmentSeal, "signature">): string {
  return `simplefunctions seal v1\n${canonicalJson({ stream, count, head, sealedAt })}`;
}
