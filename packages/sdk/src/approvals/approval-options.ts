import {
  type ApprovalAnswer,
  approvalAnswerSchema,
  approvalIdSchema,
  type ApprovalStatus,
  approvalStatusSchema,
  grantIdSchema,
  refuseUnknown,
} from "@spfunctions/contracts";
import type { ReachOptions } from "../options/call-options.ts";
import { malformed, requireWhole } from "../options/check-options.ts";
import { checkReach } from "../options/check-reach.ts";
import { queryOf } from "../wire/query-of.ts";

export type ApprovalsListOptions = ReachOptions & {
  /** Those that wait for an answer, unless told. */
  readonly status?: ApprovalStatus | "any" | undefined;
  readonly limit?: number | undefined;
  /** Where an earlier page said to read on. */
  readonly after?: string | undefined;
};

export type ApprovalGetOptions = ReachOptions & {
  /** Answers once somebody has decided, or after this time: 25,000 at most. */
  readonly waitMs?: number | undefined;
};

/** What a person says. The terms are for `approved_for_session`: the less is said, the further it goes. */
export type ApprovalAnswerInput = {
  readonly answer: ApprovalAnswer;
  /** Said to whoever asked. */
  readonly note?: string | undefined;
  /** Members of the input that must stay as they are in what was shown, as JSON pointers. */
  readonly fixed?: readonly string[] | undefined;
  readonly maxUses?: number | undefined;
  readonly forMs?: number | undefined;
};

/**
 * How long one question about an approval waits.
 * @limit client.approvalWaitMs | `invalid_input`; ask again for longer | fixed: what the platform holds open
 */
const mostWaitMs = 25_000;

export function listQuery(options: ApprovalsListOptions): string {
  checkReach(options, "approvals", ["status", "limit", "after"]);
  const { status, limit, after } = options;
  if (status !== undefined && status !== "any" && !approvalStatusSchema.safeParse(status).success)
    throw malformed("status", `is one of ${approvalStatusSchema.options.join(", ")}, any`);
  if (limit !== undefined) requireWhole(limit, "limit", 1);
  return queryOf({ status, limit, after });
}

export function getQuery(options: ApprovalGetOptions): string {
  checkReach(options, "approvals", ["waitMs"]);
  const { waitMs } = options;
  if (waitMs !== undefined && requireWhole(waitMs, "waitMs", 0) > mostWaitMs)
    throw malformed("waitMs", `is at most ${mostWaitMs}; ask again for longer`);
  return queryOf({ waitMs });
}

/** An answer that is none is not sent: not "approve", and not "yes" (B8). */
export function answerBody(given: ApprovalAnswerInput): string {
  refuseUnknown(given, ["answer", "note", "fixed", "maxUses", "forMs"], "answer option");
  if (!approvalAnswerSchema.safeParse(given.answer).success)
    throw malformed("answer", `is one of ${approvalAnswerSchema.options.join(", ")}`);
  return JSON.stringify(given);
}

export function requireApprovalId(approvalId: string): string {
  if (approvalIdSchema.safeParse(approvalId).success) return approvalId;
  throw malformed(
    "approvalId",
    "is no whole approval's id: that is appr_ and all that follows, as it was given",
  );
}

export function requireGrantId(grantId: string): string {
  if (grantIdSchema.safeParse(grantId).success) return grantId;
  throw malformed("grantId", "is no whole grant's id: that is grant_ and all that follows, as it was given");
}
