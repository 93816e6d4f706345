import type { Approval, StandingGrant } from "@spfunctions/contracts";
import { unlessCorrupt } from "../journal/read-kept.ts";
import { documentsOf } from "../store/documents-of.ts";
import { approvalKind } from "../store/kernel-kinds.ts";
import type { DocumentWrite } from "../store/store.ts";
import type { ApprovalsHost } from "./approvals-host.ts";
import { approvalIn, putApproval, putGrant } from "./kept-approval.ts";
import { grantsOf } from "./standing-grants.ts";

const mostAtOnce = 200;

/** Whoever waited with a call ends its question; so long afterwards nobody does any more. */
const graceMs = 60_000;

/**
 * Puts aside what nobody has answered in time, and grants whose time is over, so that those that matter are found among few. Whether
 * something is over the clock says, swept or not: where it fails, nothing is lost.
 */
export async function sweepOver(host: ApprovalsHost, accountId: string): Promise<void> {
  const { store, clock } = host;
  const now = clock.now();
  const documents: DocumentWrite[] = [];
  for await (const write of writesFor(host, accountId, now - graceMs)) {
    documents.push(write);
    if (documents.length === mostAtOnce) break;
  }
  if (documents.length > 0) await store.commit({ durability: "process", now, documents });
}

async function* writesFor(
  host: ApprovalsHost,
  accountId: string,
  before: number,
): AsyncGenerator<DocumentWrite> {
  const { store, proves } = host;
  const isOver = ({ expiresAt }: Approval | StandingGrant) => Date.parse(expiresAt) <= before;
  for await (const { value, revision } of grantsOf(host, accountId, "standing"))
    if (isOver(value)) yield putGrant({ ...value, expired: true }, revision, proves);
  for await (const document of documentsOf(store, approvalKind, accountId, "pending")) {
    const kept = unlessCorrupt(() => approvalIn(document, proves));
    if (kept !== undefined && isOver(kept.value))
      yield putApproval({ ...kept.value, status: "expired" }, kept.revision, proves);
  }
}
