import type {
  ApprovalStatus,
  CallId,
  CapabilityGrant,
  CapabilityGrantId,
  GrantId,
  JournalRecord,
} from "@spfunctions/contracts";

/** What a stream says of approvals and grants. */
export type ApprovalsSaid = {
  /** Answers that were taken. */
  readonly answers: {
    readonly approvalId: string;
    readonly status: ApprovalStatus;
    readonly grantId?: GrantId | undefined;
  }[];
  /** Calls that run by one. */
  readonly uses: {
    readonly approvalId: string;
    readonly callId: CallId;
    readonly grantId?: GrantId | undefined;
  }[];
  readonly revoked: GrantId[];
  /** Answers about capabilities that were taken. */
  readonly capabilities: (Pick<CapabilityGrant, "grantId" | "status" | "scope" | "expiresAt"> & {
    readonly at: string;
  })[];
  /** Calls that run by a grant of one. */
  readonly reached: { readonly grantId: CapabilityGrantId; readonly callId: CallId }[];
};

export function nothingSaid(): ApprovalsSaid {
  return { answers: [], uses: [], revoked: [], capabilities: [], reached: [] };
}

/** What was only replayed has used nothing, and what was asked elsewhere is kept there. */
export function noteApproval(said: ApprovalsSaid, record: JournalRecord): void {
  if (record.kind === "approval.answered" && record.status !== undefined)
    said.answers.push({ approvalId: record.approvalId, status: record.status, grantId: record.grantId });
  if (record.kind === "grant.revoked") said.revoked.push(record.grantId);
  if (record.kind === "capability.answered" && record.grant !== undefined) {
    const { grantId, status, scope, expiresAt } = record.grant;
    said.capabilities.push({ grantId, status, scope, expiresAt, at: record.ts });
  }
  if (record.kind === "call.intended" && record.grant !== undefined && record.replayed !== true)
    said.reached.push({ grantId: record.grant.grantId, callId: record.callId });
  if (record.kind !== "call.intended" || record.approval === undefined || record.replayed === true) return;
  const { approvalId, status, grantId } = record.approval;
  if (status === "used") said.uses.push({ approvalId, callId: record.callId, grantId });
}
