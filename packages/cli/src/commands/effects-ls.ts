import type { UnknownEffect } from "@spfunctions/contracts";
import { openSqliteStore } from "@spfunctions/host/store";
import { type Settled, unknownEffects } from "@spfunctions/kernel";
import type { Command } from "commander";
import { printRecovery } from "../call/human-view.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { waitOption } from "../command-line/options.ts";
import {
  addEffectsOptions,
  closeEffects,
  type EffectsOptions,
  openEffects,
} from "../effects/open-effects.ts";
import { howToResolve, howToSettle } from "../effects/what-to-do.ts";
import type { Printer } from "../io/printer.ts";
import { dataFolderOf } from "../seat/data-folder.ts";
import { isDriven } from "../seat/open-store.ts";

export function addEffectsLs(effects: Command, context: CommandContext): void {
  addEffectsOptions(effects.command("ls"))
    .description("list what has no end that anybody knows")
    // Whoever only looks does not wait for an agent that runs for hours.
    .addOption(waitOption().default(0))
    .addHelpText(
      "after",
      `
Examples:
  $ sf effects ls
  $ sf effects ls --pack ./notes.ts --policy policy.json

unknown: nobody can tell whether it happened; find out, then sf effects resolve.
left: its pack, under a policy that allows it, can still settle it. With --pack and --policy it is settled now: run again
where that does no harm, else asked about, else unknown.
Exit codes: 0 listed, 1 failed, 2 bad usage.`,
    )
    .action(async (options: EffectsOptions) => {
      const found = await look(options, context);
      if (options.json === true) context.print.json({ ok: true, ...found }, 2);
      else printFound(context.print, found);
    });
}

type Found = {
  /** Whether what dead processes have left was looked at. */
  readonly complete: boolean;
  readonly unknown: readonly UnknownEffect[];
  readonly left?: readonly Settled[];
  /** What was left before, and has an end now. */
  readonly settled?: readonly Settled[];
};

async function look(options: EffectsOptions, context: CommandContext): Promise<Found> {
  try {
    return await lookAsDriver(options, context);
  } catch (error) {
    if (!isDriven(error)) throw error;
    return await lookAsGuest(options, context);
  }
}

async function lookAsDriver(options: EffectsOptions, context: CommandContext): Promise<Found> {
  const open = await openEffects(options, context);
  try {
    const { settled: all } = open.report;
    const left = all.filter(({ outcome }) => outcome === "left");
    const settled = all.filter(({ outcome }) => outcome !== "left" && outcome !== "unknown");
    printRecovery(context.print, { settled, unknown: [] });
    return { complete: true, unknown: await open.seat.unknown(), left, settled };
  } finally {
    await closeEffects(open);
  }
}

async function lookAsGuest({ data, account }: EffectsOptions, { io, print }: CommandContext): Promise<Found> {
  const store = await openSqliteStore({ folder: dataFolderOf(data, io), role: "guest" });
  try {
    print.err(
      { text: "note", style: "yellow" },
      ": another process drives this data folder; what dead processes have left without an end is not included",
    );
    return { complete: false, unknown: await unknownEffects(store, account) };
  } finally {
    await store.close();
  }
}

function printFound(print: Printer, { complete, unknown, left = [] }: Found): void {
  const entry = (id: string, tool: string, state: string, lines: readonly string[]) => {
    print.out({ text: id, style: "bold" }, `  ${tool}  ${state}`);
    for (const line of lines) print.out(`  ${line}`);
  };
  for (const effect of unknown)
    entry(effect.effectId, effect.tool, "unknown", [effect.reason, howToResolve(effect)]);
  for (const one of left)
    entry(one.effectId ?? one.callId, one.tool, "left as it was", [one.reason ?? "", ...howToSettle(one)]);
  if (unknown.length + left.length === 0)
    print.out(complete ? "none: every effect of this account has an end" : "none is listed");
}
