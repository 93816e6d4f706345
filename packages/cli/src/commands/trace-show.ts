import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { anyDataOption, anyStoreOption, jsonOption } from "../command-line/options.ts";
import type { TraceShowOptions } from "../trace/show-command.ts";
import { anyAccountOption, lastOption } from "./trace-options.ts";

export function addTraceShow(trace: Command, context: CommandContext): void {
  trace
    .command("show")
    .description("show the calls in a trace one after the other, once it was found to be what was written")
    .argument("[trace]", "a file, - for the standard input, or the id of a segment, a run or a call here")
    .addOption(lastOption())
    .option("--call <callId>", "show one call whole, as JSON")
    .option("--table", "a line for each call")
    .option("--wide", "cut nothing")
    .addOption(anyDataOption())
    .addOption(anyStoreOption())
    .addOption(anyAccountOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf trace show run.jsonl
  $ sf trace show --last --data ./data
  $ sf trace show run.jsonl --table
  $ sf trace show run.jsonl --call call_0190a7c4-8d5e-7f3a-9b1c-2d3e4f5a6b7c
  $ sf trace show seg_0190a7c4-8d5e-7f3a-9b1c-2d3e4f5a6b7c --data ./data

Inputs and outputs are shown as they are recorded: secrets are hidden in them. Lines are cut at $COLUMNS, else at 100.
Exit codes: 0 shown, 1 there is no such call, 2 bad usage, 6 the trace is broken.`,
    )
    .action(async (name: string | undefined, options: TraceShowOptions) => {
      const { show } = await import("../trace/show-command.ts");
      context.exit(await show(name, options, context));
    });
}
