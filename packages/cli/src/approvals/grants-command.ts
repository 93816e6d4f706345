import type { StandingGrant } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { whole } from "../io/printer.ts";
import { sayWhoseNone } from "../trace/whose-none.ts";
import { grantText, whoText } from "./approval-facts.ts";
import { type ApprovalsOptions, requireGrantId } from "./approvals-options.ts";
import { atGrant, lookAtDesks } from "./look-at-desks.ts";

type Listed = { readonly where: string; readonly options: string; readonly grant: StandingGrant };

export async function listGrants(options: ApprovalsOptions, context: CommandContext): Promise<void> {
  const { print } = context;
  const listed: Listed[] = [];
  const accounts: string[] = [];
  for await (const { desk, found } of lookAtDesks(options, context, (one) => one.grants())) {
    listed.push(...found.map((grant) => ({ where: desk.where, options: desk.options, grant })));
    if (found.length === 0) accounts.push(...(await desk.accounts()));
  }
  if (options.json === true) {
    print.json({ ok: true, grants: listed.map(({ where, grant }) => ({ where, ...grant })) }, 2);
    return;
  }
  if (listed.length === 0) {
    print.out("none: every call that must be approved is asked about");
    sayWhoseNone(print, options.account, accounts);
  }
  for (const { where, options: added, grant } of listed) {
    print.out({ text: grant.grantId, style: "bold" }, `  ${grantText(grant, Date.now())}`);
    print.out(`  granted by ${whoText(grant.grantedBy)}, in ${where}`);
    print.out(whole(`  to end it: sf approvals revoke ${grant.grantId}${added}`));
  }
}

export async function revokeGrant(
  grantId: string,
  options: ApprovalsOptions,
  context: CommandContext,
): Promise<void> {
  const { print } = context;
  requireGrantId(grantId);
  await atGrant(grantId, options, context, async (desk, { tool }) => {
    await desk.revoke(grantId);
    if (options.json === true) print.json({ ok: true, where: desk.where, grantId }, 2);
    else print.out(`${grantId} (${tool}) has ended; what it has approved so far stays approved`);
  });
}
