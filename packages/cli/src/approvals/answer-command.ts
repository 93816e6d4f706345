import type { Approval } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import type { ApprovalDesk, GivenAnswer } from "./approval-desk.ts";
import { momentText, whoText } from "./approval-facts.ts";
import { type ApprovalsOptions, requireApprovalId } from "./approvals-options.ts";
import { atApproval } from "./look-at-desks.ts";

export type ApproveOptions = ApprovalsOptions & {
  readonly note?: string;
  readonly forSession?: true;
  readonly fix?: readonly string[];
  readonly uses?: number;
  readonly for?: number;
};

export type DenyOptions = ApprovalsOptions & { readonly note?: string };

export async function approve(id: string, options: ApproveOptions, context: CommandContext): Promise<void> {
  const { note, forSession, fix: fixed, uses: maxUses, for: forMs } = options;
  const terms = {
    ...(fixed !== undefined && { fixed }),
    ...(maxUses !== undefined && { maxUses }),
    ...(forMs !== undefined && { forMs }),
  };
  const answer = forSession === true ? "approved_for_session" : "approved";
  await say(id, { answer, ...(note !== undefined && { note }), ...terms }, options, context);
}

export async function deny(id: string, options: DenyOptions, context: CommandContext): Promise<void> {
  const { note } = options;
  await say(id, { answer: "denied", ...(note !== undefined && { note }) }, options, context);
}

async function say(
  approvalId: string,
  given: GivenAnswer,
  options: ApprovalsOptions,
  context: CommandContext,
): Promise<void> {
  const { print } = context;
  requireApprovalId(approvalId);
  await atApproval(approvalId, options, context, async (desk) => {
    const approval = await desk.answer(approvalId, given);
    if (options.json === true) print.json({ ok: true, where: desk.where, approval }, 2);
    else for (const line of outcomeOf(approval, given, desk)) print.out(line);
  });
}

/** What stands from now on, and what follows from it. */
function outcomeOf(approval: Approval, { answer }: GivenAnswer, { options }: ApprovalDesk): string[] {
  const { approvalId, tool, decidedBy, grantId, expiresAt } = approval;
  const by = decidedBy === undefined ? "" : ` by ${whoText(decidedBy)}`;
  if (answer === "denied") return [`${approvalId} (${tool}) is denied${by}; whoever asked is told`];
  const goesOn = "a call that waits goes on by itself, one that has returned is to be made again";
  if (answer === "approved")
    return [
      `${approvalId} (${tool}) is approved${by}, for exactly this call, once, until ${momentText(expiresAt, Date.now())}`,
      goesOn,
    ];
  return [
    `${approvalId} (${tool}) is approved${by}, for its session`,
    goesOn,
    `to end it: sf approvals revoke ${grantId ?? "<grantId>"}${options}`,
  ];
}
