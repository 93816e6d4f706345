import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { anyDataOption, anyStoreOption, jsonOption } from "../command-line/options.ts";
import type { TraceLsOptions } from "../trace/ls-command.ts";
import { anyAccountOption } from "./trace-options.ts";

export function addTraceLs(trace: Command, context: CommandContext): void {
  trace
    .command("ls")
    .description("list what is journaled here, segment by segment and run by run, the newest first")
    .addOption(anyDataOption())
    .addOption(anyStoreOption())
    .addOption(anyAccountOption())
    .addOption(new Option("--limit <count>", "how many are shown").argParser(count).default(20))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf trace ls
  $ sf trace ls --data ./data --account local
  $ sf trace ls --limit 1 --json

A segment is what one process has written; a run of an agent has a line of its own. Without --data these are looked at: the user's data folder (sf call), agent in it
(sf agent), and .sf or $SF_DATA (sf up). Also while another process writes there. Nothing is verified: sf trace verify does.
Exit codes: 0 listed, 1 failed, 2 bad usage, 6 what is kept is damaged.`,
    )
    .action(async (options: TraceLsOptions) => {
      const { listSegments } = await import("../trace/ls-command.ts");
      await listSegments(options, context);
    });
}

function count(text: string): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value >= 1) return value;
  throw new InvalidArgumentError("expected a whole number from 1");
}
