import { type Command, Option } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { addRunsOptions, whereRunsAre } from "../runs/runs-options.ts";
import type { RunsShowOptions } from "../runs/show-command.ts";

export function addRunsShow(runs: Command, context: CommandContext): void {
  addRunsOptions(
    runs
      .command("show")
      .description(
        "tell one step by step: what its model said, what was decided, done and spent, how it ended",
      )
      .argument("<runId>", "as listed, run_…")
      .option("--wide", "lines as long as they are")
      .addOption(
        new Option("--events", "its events instead, one JSON object a line").conflicts(["json", "wide"]),
      )
      .option(
        "--cursor <place>",
        "of --events: only what comes after this one, by its seq and index, like 12.0",
      )
      .option("--follow", "of --events: also those that are still to come, until the run has ended"),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf runs show run_0190a7c4-8d5e-7f3a-9b1c-2d3e4f5a6b7c
  $ sf runs show run_0190a7c4-8d5e-7f3a-9b1c-2d3e4f5a6b7c --json
  $ sf runs show run_0190a7c4-8d5e-7f3a-9b1c-2d3e4f5a6b7c --events --cursor 2.0

Below its steps stand the runs of its subagents, with what they wait for and have spent; of the run of one, whose it is.
${whereRunsAre}
Exit codes: 0 shown, 1 failed, 2 bad usage, 6 its journal, or that of one below it, is broken.`,
    )
    .action(async (runId: string, options: RunsShowOptions) => {
      const { showRun } = await import("../runs/show-command.ts");
      await showRun(runId, options, context);
    });
}
