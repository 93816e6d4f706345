// A2: a key of whose calls a person must approve some, and all that it has made, are in one hand. None of them answers another.
import type { Installation, Store } from "@spfunctions/kernel";
import { keyKind, readKeyRecord } from "./key-record.ts";

type HandHost = { readonly store: Store; readonly installation: Installation };

/** The first such key in the line of those that made this one, itself among them. Such keys make none that is not such a key. */
export async function handOf(
  { store, installation }: HandHost,
  accountId: string,
  keyId: string,
): Promise<string | undefined> {
  let first: string | undefined;
  for (let id = keyId; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- each names who made it
    const document = await store.document({ kind: keyKind, accountId, id });
    // Also of one that has ended: what it made is still in its hand.
    const record = document && readKeyRecord(document, installation.keyHash);
    if (record?.approvals === undefined) return first;
    first = record.keyId;
    id = record.createdBy;
  }
}
