import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { waitOption } from "../command-line/options.ts";
import type { EffectsResolveOptions } from "../effects/resolve-command.ts";
import { addEffectsOptions } from "./effects-options.ts";

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
  $ sf effects resolve eff_0190a7c4-8d5e-7f3a-9b1c-2d3e4f5a6b7c --status completed --note "order 77 is in the list"

Where another process drives the folder, as sf up does, it is left in the inbox of that one, which has --wait to keep it.
Exit codes: 0 it is kept, 1 failed, 2 bad usage, 6 what is kept is damaged.`,
    )
    .action(async (effectId: string, options: EffectsResolveOptions) => {
      const { resolveEffect } = await import("../effects/resolve-command.ts");
      await resolveEffect(effectId, options, context);
    });
}

function words(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("expected how you know, in words");
  return text;
}
