import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { waitOption } from "../command-line/options.ts";
import type { EffectsOptions } from "../effects/open-effects.ts";
import { addEffectsOptions } from "./effects-options.ts";

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
Exit codes: 0 listed, 1 failed, 2 bad usage, 6 what is kept is damaged.`,
    )
    .action(async (options: EffectsOptions) => {
      const { listEffects } = await import("../effects/ls-command.ts");
      await listEffects(options, context);
    });
}
