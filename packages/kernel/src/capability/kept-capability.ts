// G3, B22: a row that somebody else wrote or changed grants nothing.
import {
  type CapabilityGrant,
  type CapabilityHolder,
  type KeyedHash,
  keptCapabilitySchema,
} from "@spfunctions/contracts";
import { forged, type Kept, proofOf, provenBody } from "../installation/proven.ts";
import { readKept } from "../journal/read-kept.ts";
import { capabilityKind } from "../store/kernel-kinds.ts";
import type { DocumentWrite, Store, StoredDocument } from "../store/store.ts";

/** Whether it can still be answered or used, forbids to ask again, or none of it; whether its time is over, the clock says. */
export type KeptStatus = "pending" | "granted" | "denied" | "ended";

/** `expects`: the revision that it replaces; 0 of a new one. */
export function putCapability(grant: CapabilityGrant, expects: number, proves: KeyedHash): DocumentWrite {
  const { grantId: id, holder } = grant;
  const body = provenBody(capabilityKind, grant, proves);
  const status = keptStatus(grant);
  return { type: "put", kind: capabilityKind, accountId: holder.accountId, id, expects, status, body };
}

/** Written with each new question of a key, so that two that are put at once cannot both be its last. */
export async function takeTurn(
  store: Pick<Store, "document">,
  { accountId, keyId }: CapabilityHolder,
): Promise<DocumentWrite> {
  const key = { kind: "capability_turn", accountId, id: keyId ?? "" };
  const expects = (await store.document(key))?.revision ?? 0;
  return { type: "put", ...key, expects, status: "kept", body: "{}" };
}

export function capabilityIn(document: StoredDocument, proves: KeyedHash): Kept<CapabilityGrant> {
  const { value, proof } = readKept(keptCapabilitySchema, document.body, `what is kept of ${document.id}`);
  const isInPlace =
    value.grantId === document.id &&
    value.holder.accountId === document.accountId &&
    keptStatus(value) === document.status;
  if (!isInPlace || proof !== proofOf(capabilityKind, value, proves)) throw forged(document);
  return { value, revision: document.revision };
}

function keptStatus({ status }: CapabilityGrant): KeptStatus {
  return status === "used" || status === "revoked" ? "ended" : status;
}
