// B22: what is kept carries a proof made with the installation's secret, which is in no store: what somebody else wrote or changed
// counts for nothing.
import { canonicalJson, JournalCorruptError, type KeyedHash } from "@spfunctions/contracts";
import type { StoredDocument } from "../store/store.ts";

/** Something that is kept with its proof, and which revision of it this is. */
export type Kept<Value> = { readonly value: Value; readonly revision: number };

/** The body of a document with its proof. */
export function provenBody(kind: string, value: unknown, proves: KeyedHash): string {
  return canonicalJson({ value, proof: proofOf(kind, value, proves) });
}

export function proofOf(kind: string, value: unknown, proves: KeyedHash): string {
  return proves(`simplefunctions ${kind} v1\n${canonicalJson(value)}`);
}

export function forged({ kind, id }: StoredDocument): JournalCorruptError {
  return new JournalCorruptError(
    `${id} was not written by this installation, or was changed since: it counts for nothing. Ask again`,
    { details: { kind, id, reason: "no_proof" } },
  );
}
