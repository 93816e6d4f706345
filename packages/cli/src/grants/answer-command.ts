import type { CapabilityGrant, GrantScope } from "@spfunctions/contracts";
import type { GrantTerms } from "@spfunctions/kernel";
import type { ApprovalDesk } from "../approvals/approval-desk.ts";
import { momentText, whoText } from "../approvals/approval-facts.ts";
import type { ApprovalsOptions } from "../approvals/approvals-options.ts";
import { atCapability, atDeskToGrantAt } from "../approvals/look-at-desks.ts";
import { unlessDecided } from "../approvals/unless-decided.ts";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { isQuestion, requireCapabilityId } from "./grants-options.ts";
import { holderText, scopeText } from "./print-grant.ts";

export type GrantOptions = ApprovalsOptions & {
  readonly scope?: GrantScope;
  readonly for?: number;
  readonly keyId?: string;
  readonly session?: string;
  readonly run?: string;
  readonly note?: string;
};

export type EndOptions = ApprovalsOptions & { readonly note?: string };

type Say = (desk: ApprovalDesk) => Promise<CapabilityGrant>;

export async function grant(named: string, options: GrantOptions, context: CommandContext): Promise<void> {
  const isId = isQuestion(named);
  const terms = termsOf(options, isId);
  const say: Say = ({ capabilities }) => capabilities.grant(named, terms);
  const act = async (desk: ApprovalDesk) => await told(desk, say, options, context);
  await (isId ? atCapability(named, options, context, act) : atDeskToGrantAt(options, context, act));
}

export async function deny(grantId: string, options: EndOptions, context: CommandContext): Promise<void> {
  requireCapabilityId(grantId);
  const say: Say = ({ capabilities }) => capabilities.deny(grantId, noteOf(options));
  await atCapability(grantId, options, context, async (desk) => await told(desk, say, options, context));
}

export async function revoke(grantId: string, options: EndOptions, context: CommandContext): Promise<void> {
  requireCapabilityId(grantId);
  const say: Say = ({ capabilities }) => capabilities.revoke(grantId, noteOf(options));
  await atCapability(grantId, options, context, async (desk) => await told(desk, say, options, context));
}

/** What cannot be meant is refused before anything is opened. */
function termsOf(options: GrantOptions, isId: boolean): GrantTerms {
  const { for: forMs, keyId, session: sessionId, run: runId } = options;
  const scope = options.scope ?? (forMs === undefined ? undefined : "until");
  if (isId && (keyId ?? sessionId ?? runId) !== undefined)
    throw badUsage("a question is granted to whom it was asked for; leave out --key-id, --session and --run");
  if (scope === "until" && forMs === undefined)
    throw badUsage("a grant until a time says how long: --for 1h");
  if (!isId && scope === "session" && sessionId === undefined)
    throw badUsage("a grant for a session is for one: name it with --session");
  if (!isId && scope === "turn" && runId === undefined)
    throw badUsage("a grant for a turn is for a run and all below it: name it with --run");
  return {
    ...(scope !== undefined && { scope }),
    ...(forMs !== undefined && { forMs }),
    ...(keyId !== undefined && { keyId }),
    ...(sessionId !== undefined && { sessionId }),
    ...(runId !== undefined && { runId }),
    ...noteOf(options),
  };
}

function noteOf({ note }: EndOptions): Pick<GrantTerms, "note"> {
  return note === undefined ? {} : { note };
}

async function told(
  desk: ApprovalDesk,
  say: Say,
  options: ApprovalsOptions,
  context: CommandContext,
): Promise<void> {
  const { print } = context;
  const said = await unlessDecided(options, context, () => say(desk));
  if (said === undefined) return;
  if (options.json === true) print.json({ ok: true, where: desk.where, grant: said }, 2);
  else for (const line of outcomeOf(said, desk)) print.out(line);
}

/** What stands from now on, and what follows from it. */
function outcomeOf(
  { grantId, capability, status, scope, holder, decidedBy, expiresAt }: CapabilityGrant,
  { where, options }: ApprovalDesk,
): string[] {
  const by = decidedBy === undefined ? "" : ` by ${whoText(decidedBy)}`;
  const what = `${grantId} (${capability})`;
  const until = momentText(expiresAt, Date.now());
  if (status === "denied")
    return [`${what} is denied${by}, in ${where}; it is not asked for again before ${until}`];
  if (status === "revoked")
    return [`${what} is revoked${by}, in ${where}; from now on nothing is reached by it`];
  return [
    `${what} is granted${by} ${scopeText(scope)}, to ${holderText(holder)}, until ${until}, in ${where}`,
    status === "used"
      ? "it was used already, by a call that came at once"
      : "a call that was refused for want of it is to be made again",
    ...(status === "used" ? [] : [`to end it: sf grants revoke ${grantId}${options}`]),
  ];
}
