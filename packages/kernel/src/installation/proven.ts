// B22: what is kept carries a proof made with the installation's secret, which is in no store: what somebody else wrote or changed
// counts for nothing.
import {
  canonicalJson,
  isSimpleFunctionsError,
  type JsonValue,
  JournalCorruptError,
  type KeyedHash,
  parseJsonStrict,
} from "@spfunctions/contracts";
import type { DocumentKey, StoredDocument } from "../store/store.ts";

/** Something that is kept with its proof, and which revision of it this is. */
export type Kept<Value> = { readonly value: Value; readonly revision: number };

/** The body of a document with its proof. */
export function provenBody(kind: string, value: unknown, proves: KeyedHash): string {
  return canonicalJson({ value, proof: proofOf(kind, value, proves) });
}

export function proofOf(kind: string, value: unknown, proves: KeyedHash): string {
  return proves(`simplefunctions ${kind} v1\n${canonicalJson(value)}`);
}

/** The body of a document with a proof that also covers its kind, its account and its id: nobody can move it to another place. */
export function provenRow(key: DocumentKey, value: unknown, proves: KeyedHash): string {
  return canonicalJson({ value, proof: proofOfRow(key, value, proves) });
}

/** The value of such a body. Undefined if it has no proof, or a proof of another installation or for another place. */
export function provenValue(
  { kind, accountId, id, body }: DocumentKey & Pick<StoredDocument, "body">,
  proves: KeyedHash,
): JsonValue | undefined {
  try {
    const kept = parseJsonStrict(body) as { readonly value?: JsonValue; readonly proof?: unknown } | null;
    const value = kept?.value;
    if (value === undefined) return undefined;
    return kept?.proof === proofOfRow({ kind, accountId, id }, value, proves) ? value : undefined;
  } catch (error) {
    if (isSimpleFunctionsError(error)) return undefined;
    throw error;
  }
}

function proofOfRow({ kind, accountId, id }: DocumentKey, value: unknown, proves: KeyedHash): string {
  return proofOf(kind, { accountId, id, value }, proves);
}

export function forged({ kind, id }: StoredDocument): JournalCorruptError {
  return new JournalCorruptError(
    `${id} was not written by this installation, or was changed since: it counts for nothing. Ask again`,
    { details: { kind, id, reason: "no_proof" } },
  );
}
