import type { CommandContext } from "../command-line/command-context.ts";
import { type ApprovalsOptions, requireApprovalId } from "./approvals-options.ts";
import { atApproval } from "./look-at-desks.ts";
import { printWhole } from "./print-approval.ts";

export async function showApproval(
  approvalId: string,
  options: ApprovalsOptions,
  context: CommandContext,
): Promise<void> {
  const { print } = context;
  requireApprovalId(approvalId);
  await atApproval(approvalId, options, context, async (desk, approval) => {
    if (options.json === true) print.json({ ok: true, where: desk.where, approval }, 2);
    else printWhole(print, approval, desk, Date.now());
  });
}
