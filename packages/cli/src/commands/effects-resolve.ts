import { RecoveryNeededError } from "@spfunctions/contracts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { printRecovery } from "../call/human-view.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { waitOption } from "../command-line/options.ts";
import {
  addEffectsOptions,
  closeEffects,
  type EffectsOptions,
  openEffects,
} from "../effects/open-effects.ts";
import { howToSettle } from "../effects/what-to-do.ts";
import type { OpenSeat } from "../seat/open-seat.ts";

type ResolveOptions = EffectsOptions & {
  readonly status: "completed" | "failed";
  readonly note: string;
  readonly giveUp?: true;
};

export function addEffectsResolve(effects: Command, context: CommandContext): void {
  addEffectsOptions(effects.command("resolve"))
    .description("say what you found out about one; it is kept with your name")
    .argument("<effectId>", "as listed, eff_…")
    .addOption(
      new Option("--status <status>", "whether it happened")
        .choices(["completed", "failed"])
        .makeOptionMandatory(),
    )
    .addOption(new Option("--note <text>", "how you know").argParser(words).makeOptionMandatory())
    .option("--give-up", "also where its tool could still settle it: it is tried no more")
    .addOption(waitOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf effects resolve eff_0198f3c2-7a51 --status completed --note "order 77 is in the venue's list"

Exit codes: 0 it is kept, 1 failed, 2 bad usage.`,
    )
    .action(async (effectId: string, options: ResolveOptions) => {
      await resolve(effectId, options, context);
      if (options.json === true) context.print.json({ ok: true, effectId, status: options.status }, 2);
      else context.print.out(`${effectId} is ${options.status} from now on, by your word`);
    });
}

async function resolve(effectId: string, options: ResolveOptions, context: CommandContext): Promise<void> {
  const open = await openEffects(options, context);
  try {
    if (options.giveUp !== true) requireNotLeft(effectId, open);
    printRecovery(context.print, { settled: open.report.settled, unknown: [] });
    const { status, note, giveUp: givesUp } = options;
    await open.seat.resolve(effectId, { status, note, givesUp });
  } finally {
    await closeEffects(open);
  }
}

/** X1: where its tool can still settle it, nobody has to give their word. */
function requireNotLeft(effectId: string, { report }: OpenSeat): void {
  const left = report.settled.find((one) => one.outcome === "left" && one.effectId === effectId);
  if (left === undefined) return;
  const { tool, reason } = left;
  throw new RecoveryNeededError(
    `${effectId} (${tool}) was left as it was: ${reason}; ${howToSettle(left).join()}; or give it up with --give-up`,
    { details: { reason: "left", effectId, tool } },
  );
}

function words(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("expected how you know, in words");
  return text;
}
