import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import type { RunsLsOptions } from "../runs/ls-command.ts";
import { runStates } from "../runs/run-states.ts";
import { addRunsOptions, whereRunsAre } from "../runs/runs-options.ts";

export function addRunsLs(runs: Command, context: CommandContext): void {
  addRunsOptions(
    runs
      .command("ls")
      .description("list runs, the newest first, with what they wait for")
      .addOption(new Option("--state <state>", "those in this state alone").choices(runStates))
      .addOption(new Option("--limit <count>", "how many of each place").argParser(count).default(50)),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf runs ls
  $ sf runs ls --state waiting
  $ sf runs ls --state recovery_needed --json

Runs of subagents stand below the run that has started them, and are not counted.
${whereRunsAre}
Calls that were made without a run, and wait, are not among them: sf approvals ls lists every question, and sf effects ls every effect
of which nobody knows what became.
Exit codes: 0 listed, 1 failed, 2 bad usage, 6 the journal of one is broken.`,
    )
    .action(async (options: RunsLsOptions) => {
      const { listRuns } = await import("../runs/ls-command.ts");
      context.exit(await listRuns(options, context));
    });
}

function count(text: string): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value >= 1) return value;
  throw new InvalidArgumentError("expected a whole number from 1");
}
