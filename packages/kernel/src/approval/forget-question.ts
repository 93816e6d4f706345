// Erasing a call erases what its approval shows of it. A question that nobody can read any more is closed: nothing runs by it.
import { type Approval, askedSchema, type GrantId, hashInput, type Principal } from "@spfunctions/contracts";
import { unlessCorrupt, readKept } from "../journal/read-kept.ts";
import { draftRecord, type RecordDraft } from "../journal/record-draft.ts";
import { approvalKind, askedKind, grantKind } from "../store/kernel-kinds.ts";
import type { DocumentWrite } from "../store/store.ts";
import { fitOf } from "./approval-fit.ts";
import { approvalWake } from "./approval-wake.ts";
import type { ApprovalsHost } from "./approvals-host.ts";
import { approvalIn, grantIn, putApproval, putGrant } from "./kept-approval.ts";

/** What is to be written so that something is forgotten. */
export type Forgetting = {
  readonly documents: readonly DocumentWrite[];
  readonly records: readonly RecordDraft[];
  readonly wakes: readonly string[];
};

/** Nothing where the approval was neither asked for nor used by the call. */
export async function forgetQuestion(
  { store, proves }: ApprovalsHost,
  accountId: string,
  { approvalId, callId }: { readonly approvalId: string; readonly callId: string },
): Promise<Forgetting | undefined> {
  const document = await store.document({ kind: approvalKind, accountId, id: approvalId });
  const kept = document && unlessCorrupt(() => approvalIn(document, proves));
  if (kept === undefined || (kept.value.callId !== callId && kept.value.usedBy !== callId)) return undefined;
  const { note: _note, readBefore: _read, ...approval } = kept.value;
  const isOpen = approval.status === "pending" || approval.status === "approved";
  const forgotten: Approval = {
    ...approval,
    status: isOpen ? "superseded" : approval.status,
    input: null,
    // Of what was short, a hash without a salt would tell.
    inputHash: hashInput(null),
    reason: "(erased)",
    erased: true,
  };
  const key = { kind: askedKind, accountId, id: fitOf(kept.value) };
  const asked = await store.document(key);
  const isFound =
    asked && unlessCorrupt(() => readKept(askedSchema, asked.body, key.id))?.approvalId === approvalId;
  const remove: DocumentWrite[] =
    isFound === true ? [{ type: "remove", ...key, expects: asked.revision }] : [];
  return {
    documents: [putApproval(forgotten, kept.revision, proves), ...remove],
    records: [],
    wakes: isOpen ? [approvalWake(approvalId)] : [],
  };
}

/** A grant that names what was asked about cannot do without it, and ends. */
export async function forgetGrant(
  { store, proves }: ApprovalsHost,
  by: Principal,
  grantId: GrantId,
): Promise<Forgetting | undefined> {
  const document = await store.document({ kind: grantKind, accountId: by.accountId, id: grantId });
  const kept = document && unlessCorrupt(() => grantIn(document, proves));
  if (kept?.value.fixedInput === undefined) return undefined;
  const { fixedInput: _, ...grant } = kept.value;
  const isNew = grant.revokedBy === undefined;
  return {
    documents: [putGrant({ ...grant, revokedBy: grant.revokedBy ?? by }, kept.revision, proves)],
    records: isNew ? [draftRecord("grant.revoked", { grantId, by })] : [],
    wakes: [],
  };
}
