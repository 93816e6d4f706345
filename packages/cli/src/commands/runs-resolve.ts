import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { waitOption } from "../command-line/options.ts";
import type { RunsResolveOptions } from "../runs/resolve-command.ts";
import { addRunsOptions, whereRunsAre } from "../runs/runs-options.ts";

export function addRunsResolve(runs: Command, context: CommandContext): void {
  addRunsOptions(
    runs
      .command("resolve")
      .description(
        "say what became of an effect of one; it is kept with your name, and the run goes on by it",
      )
      .argument("<runId>", "as listed, run_…")
      .argument("<effectId>", "as shown, eff_…")
      .addOption(
        new Option("--status <status>", "whether it happened")
          .choices(["completed", "failed"])
          .makeOptionMandatory(),
      )
      .addOption(new Option("--note <text>", "how you know").argParser(words).makeOptionMandatory())
      .addOption(waitOption("the process that drives it")),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf runs resolve run_0190a7c4-8d5e-7f3a-9b1c-2d3e4f5a6b7c eff_0190a7c4-8d5e-7f3a-9b1c-2d3e4f5a6b7c --status completed --note "order 77 is in the list"

The process that drives the run is told; where none does, it is kept here, and sf runs resume takes the run on.
${whereRunsAre}
Exit codes: 0 it is kept, 1 failed, or not taken in time, 2 bad usage, 6 what is kept is damaged.`,
    )
    .action(async (runId: string, effectId: string, options: RunsResolveOptions) => {
      const { resolveInRun } = await import("../runs/resolve-command.ts");
      await resolveInRun(runId, effectId, options, context);
    });
}

function words(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("expected how you know, in words");
  return text;
}
