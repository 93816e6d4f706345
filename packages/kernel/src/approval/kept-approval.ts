// A1, B22: a row that somebody else wrote or changed approves nothing.
import {
  type Approval,
  type KeyedHash,
  keptApprovalSchema,
  keptGrantSchema,
  type StandingGrant,
} from "@spfunctions/contracts";
import { forged, type Kept, proofOf, provenBody } from "../installation/proven.ts";
import { readKept } from "../journal/read-kept.ts";
import { approvalKind, grantKind } from "../store/kernel-kinds.ts";
import type { DocumentWrite, StoredDocument } from "../store/store.ts";

/** `expects`: the revision that it replaces; 0 of a new one. */
export function putApproval(approval: Approval, expects: number, proves: KeyedHash): DocumentWrite {
  const { approvalId: id, asker, status } = approval;
  const body = provenBody(approvalKind, approval, proves);
  return { type: "put", kind: approvalKind, accountId: asker.accountId, id, expects, status, body };
}

export function putGrant(grant: StandingGrant, expects: number, proves: KeyedHash): DocumentWrite {
  const { grantId: id, principal } = grant;
  const body = provenBody(grantKind, grant, proves);
  const status = grantStatus(grant);
  return { type: "put", kind: grantKind, accountId: principal.accountId, id, expects, status, body };
}

export function approvalIn(document: StoredDocument, proves: KeyedHash): Kept<Approval> {
  const { value, proof } = readKept(keptApprovalSchema, document.body, `what is kept of ${document.id}`);
  const isInPlace =
    value.approvalId === document.id &&
    value.asker.accountId === document.accountId &&
    value.status === document.status;
  if (!isInPlace || proof !== proofOf(approvalKind, value, proves)) throw forged(document);
  return { value, revision: document.revision };
}

export function grantIn(document: StoredDocument, proves: KeyedHash): Kept<StandingGrant> {
  const { value, proof } = readKept(keptGrantSchema, document.body, `what is kept of ${document.id}`);
  const isInPlace =
    value.grantId === document.id &&
    value.principal.accountId === document.accountId &&
    grantStatus(value) === document.status;
  if (!isInPlace || proof !== proofOf(grantKind, value, proves)) throw forged(document);
  return { value, revision: document.revision };
}

/** Whether it may still be used; whether its time is over, the clock says. */
function grantStatus({ revokedBy, expired, maxUses, uses }: StandingGrant): "standing" | "ended" {
  const isLeft = maxUses === undefined || uses < maxUses;
  return revokedBy === undefined && expired === undefined && isLeft ? "standing" : "ended";
}
