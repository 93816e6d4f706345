import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { anyDataOption, anyStoreOption, jsonOption, waitOption } from "../command-line/options.ts";
import type { TraceEraseOptions } from "../trace/erase-command.ts";
import { anyAccountOption } from "./trace-options.ts";

export function addTraceErase(trace: Command, context: CommandContext): void {
  trace
    .command("erase")
    .description("erase what went into a call and came out of it; that it was made stays on record")
    .argument("<callId>", "as sf trace show names it, call_…")
    .option("--yes", "without asking; needed where nobody sits at a terminal")
    .addOption(anyDataOption())
    .addOption(anyStoreOption())
    .addOption(anyAccountOption())
    .addOption(waitOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf trace erase call_0190a7c4-8d5e-7f3a-9b1c-2d3e4f5a6b7c --data ./data

What a model and children were told of it goes, too, and of a long-lived agent (sf chat) what its model has said, noted and kept since it
had seen it. What lies elsewhere does not: traces that were exported, backups, what the tool itself keeps, and what a model that is no
long-lived agent's has said since. Of a folder that another process drives, as sf up does, stop that one first.
Exit codes: 0 erased, 1 failed, or there is no such call, 2 bad usage, 6 what is kept is damaged.`,
    )
    .action(async (callId: string, options: TraceEraseOptions) => {
      const { erase } = await import("../trace/erase-command.ts");
      await erase(callId, options, context);
    });
}
