import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { anyDataOption, anyStoreOption, jsonOption } from "../command-line/options.ts";
import type { TraceExportOptions } from "../trace/export-command.ts";
import { anyAccountOption, lastOption } from "./trace-options.ts";

export function addTraceExport(trace: Command, context: CommandContext): void {
  trace
    .command("export")
    .description("write what was journaled as a trace file")
    .argument(
      "[id]",
      "of a segment, a run or a call: the segment, or the run of an agent, that has it is written whole",
    )
    .addOption(lastOption())
    .option("-o, --output <file>", "a new file, or - for the standard output", "-")
    .addOption(anyDataOption())
    .addOption(anyStoreOption())
    .addOption(anyAccountOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf trace export --last -o run.jsonl
  $ sf trace export call_0190a7c4-8d5e-7f3a-9b1c-2d3e4f5a6b7c --data ./data -o call.jsonl
  $ sf trace export --last | sf trace verify -

It is signed where this installation has sealed it. What is still being written is exported as far as it goes, without a seal.
Exit codes: 0 written, 1 there is none, 2 bad usage, 6 the journal is broken.`,
    )
    .action(async (id: string | undefined, options: TraceExportOptions) => {
      const { exportSegment } = await import("../trace/export-command.ts");
      await exportSegment(id, options, context);
    });
}
