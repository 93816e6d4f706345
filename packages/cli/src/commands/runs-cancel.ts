import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { waitOption } from "../command-line/options.ts";
import type { RunsCancelOptions } from "../runs/cancel-command.ts";
import { addRunsOptions, whereRunsAre } from "../runs/runs-options.ts";

export function addRunsCancel(runs: Command, context: CommandContext): void {
  addRunsOptions(
    runs
      .command("cancel")
      .description("stop one, wherever it is driven: nothing more begins, and its questions with it")
      .argument("<runId>", "as listed, run_…")
      .addOption(waitOption("the process that drives it")),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf runs cancel run_0190a7c4-8d5e-7f3a-9b1c-2d3e4f5a6b7c

Where a process drives it, that one is told, and its end is waited for; where none does, it is ended here, without its tools. What had
begun and cannot be asked about is unknown then: sf runs resolve decides it. Its subagents end with it; where the run of one is named, that
one ends, and its parent goes on without it.
${whereRunsAre}
Exit codes: 0 it has ended, 1 failed, or not ended in time, 2 bad usage, 6 what is kept is damaged.`,
    )
    .action(async (runId: string, options: RunsCancelOptions) => {
      const { cancelRun } = await import("../runs/cancel-command.ts");
      await cancelRun(runId, options, context);
    });
}
