import type { Approval } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { howToResume } from "../runs/what-it-needs.ts";
import type { ApprovalDesk, GivenAnswer } from "./approval-desk.ts";
import { grantText, momentText, whoText } from "./approval-facts.ts";
import { type ApprovalsOptions, requireApprovalId } from "./approvals-options.ts";
import { atApproval } from "./look-at-desks.ts";
import { unlessDecided } from "./unless-decided.ts";

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
  await atApproval(approvalId, options, context, async (desk, found) => {
    // Before it is answered: whoever drives it may have come to its end right after.
    const run = options.json === true ? undefined : await runGoesOn(found, desk);
    const approval = await unlessDecided(options, context, () => desk.answer(approvalId, given));
    if (approval === undefined) return;
    if (options.json === true) print.json({ ok: true, where: desk.where, approval }, 2);
    else for (const line of await outcomeOf(approval, given, run, desk)) print.out(line);
  });
}

/** What stands from now on, and what follows from it. */
async function outcomeOf(
  approval: Approval,
  { answer }: GivenAnswer,
  run: string | undefined,
  desk: ApprovalDesk,
): Promise<string[]> {
  const { approvalId, tool, decidedBy, grantId, expiresAt } = approval;
  const by = decidedBy === undefined ? "" : ` by ${whoText(decidedBy)}`;
  if (answer === "denied")
    return [
      `${approvalId} (${tool}) is denied${by}; whoever asked is told`,
      ...(run === undefined ? [] : [run]),
    ];
  const goesOn = run ?? "a call that waits goes on by itself, one that has returned is to be made again";
  if (answer === "approved")
    return [
      `${approvalId} (${tool}) is approved${by}, for exactly this call, once, until ${momentText(expiresAt, Date.now())}`,
      goesOn,
    ];
  return [
    `${approvalId} (${tool}) is approved${by}, for its session`,
    ...(await coverOf(approval, desk)),
    goesOn,
    `to end it: sf approvals revoke ${grantId ?? "<grantId>"}${desk.options}`,
  ];
}

/** How far a yes for a session goes. It is given by now: that it cannot be read again takes nothing back. */
async function coverOf({ grantId }: Approval, { grants }: ApprovalDesk): Promise<string[]> {
  const found = grantId === undefined ? [] : await grants().catch(() => []);
  return found
    .filter((grant) => grant.grantId === grantId)
    .map((grant) => `it covers ${grantText(grant, Date.now())}`);
}

/** Of a call of a run, which nobody may drive any more. */
async function runGoesOn(
  { asker, runId }: Approval,
  { options, driverOf }: ApprovalDesk,
): Promise<string | undefined> {
  if (asker.kind !== "run") return undefined;
  // It is only to tell more: that it cannot be read keeps nobody from answering.
  const unread = { master: { runId }, driving: "unknown" } as const;
  const found = await driverOf?.(runId).catch(() => unread);
  if (found === undefined) return `${runId} goes on by itself where a process drives it`;
  const { master, driving } = found;
  const resume = howToResume(master, options);
  if (driving === "nobody") return `nobody drives ${runId} now; to go on: ${resume}`;
  return driving === "unknown"
    ? `${runId} goes on by itself if a process drives it; if not: ${resume}`
    : `${runId} goes on by itself if process ${driving.pid}, which drives its folder, drives it too; if not: ${resume}`;
}
