import type { Approval } from "@spfunctions/contracts";
import { type Page, pageOf } from "../route/page-of.ts";

export type ApprovalPage = Page<Approval>;

/** The oldest first, after the place that an earlier page ended at. */
export function approvalPage(
  approvals: readonly Approval[],
  after: string | undefined,
  limit: number,
): ApprovalPage {
  return pageOf(approvals, ({ createdAt, approvalId }) => `${createdAt},${approvalId}`, after, limit);
}
