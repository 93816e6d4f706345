import type { Scope } from "@spfunctions/contracts";
import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import {
  accountOption,
  dataOption,
  jsonOption,
  packOption,
  policyOption,
  scopeOption,
} from "../command-line/options.ts";
import { loadPacks } from "../packs/load-packs.ts";
import { callerOf } from "../seat/caller.ts";
import { openLiveSeat, type OpenSeat } from "../seat/open-seat.ts";
import { readPolicy } from "../seat/read-policy.ts";

export type EffectsOptions = {
  readonly pack?: readonly string[];
  readonly policy?: string;
  readonly scope?: readonly Scope[];
  readonly account: string;
  readonly data?: string;
  readonly wait: number;
  readonly json?: true;
};

export function addEffectsOptions(command: Command): Command {
  return command
    .addOption(packOption())
    .addOption(policyOption())
    .addOption(scopeOption())
    .addOption(accountOption())
    .addOption(dataOption())
    .addOption(jsonOption());
}

/** Opens the journal, and settles what a crash has left there: without its pack an effect is left to whoever has it. */
export async function openEffects(options: EffectsOptions, { io, print }: CommandContext): Promise<OpenSeat> {
  const { pack = [], data, account, wait } = options;
  const policy = await readPolicy(options.policy, io);
  const tools = pack.length === 0 ? [] : await loadPacks(pack, io);
  const law = { tools, policy, principal: callerOf(account, options.scope) };
  const waiting = (why: string) => print.err({ text: `waiting: ${why}`, style: "dim" });
  return await openLiveSeat(law, { data, io, patience: { waitMs: wait, signal: io.signal, waiting } });
}

export async function closeEffects({ seat, leave }: OpenSeat): Promise<void> {
  try {
    await seat.close();
  } finally {
    await leave();
  }
}
