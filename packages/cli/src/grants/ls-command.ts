import type { CapabilityGrant, CapabilityStatus } from "@spfunctions/contracts";
import type { ApprovalsOptions } from "../approvals/approvals-options.ts";
import { lookAtDesks } from "../approvals/look-at-desks.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { sayWhoseNone } from "../trace/whose-none.ts";
import { printGrant } from "./print-grant.ts";

export type GrantsLsOptions = ApprovalsOptions & { readonly status?: CapabilityStatus | "any" };

type Listed = { readonly where: string; readonly options: string; readonly grant: CapabilityGrant };

export async function listCapabilities(options: GrantsLsOptions, context: CommandContext): Promise<void> {
  const { print } = context;
  const { status } = options;
  const which = status === undefined ? {} : { status };
  const listed: Listed[] = [];
  const accounts: string[] = [];
  for await (const { desk, found } of lookAtDesks(options, context, (one) => one.capabilities.list(which))) {
    listed.push(...found.map((grant) => ({ where: desk.where, options: desk.options, grant })));
    if (found.length === 0) accounts.push(...(await desk.accounts()));
  }
  if (options.json === true) {
    print.json({ ok: true, grants: listed.map(({ where, grant }) => ({ where, ...grant })) }, 2);
    return;
  }
  if (listed.length === 0) {
    print.out(status === undefined ? "none: nothing is asked for, and nothing is granted" : "none is listed");
    sayWhoseNone(print, options.account, accounts);
  }
  for (const { grant, ...place } of listed) printGrant(print, grant, place, Date.now());
}
