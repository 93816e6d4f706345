import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { anyDataOption, anyStoreOption, jsonOption } from "../command-line/options.ts";
import type { TraceDiffOptions } from "../trace/diff-command.ts";
import { anyAccountOption } from "./trace-options.ts";

export function addTraceDiff(trace: Command, context: CommandContext): void {
  trace
    .command("diff")
    .description("say whether two traces have the same calls with the same outcomes")
    .argument("<a>", "a file, - for the standard input, or the id of a segment, a run or a call here")
    .argument("<b>", "the same")
    .option("--strict", "also other contracts, policies and verdicts make them different")
    .addOption(anyDataOption())
    .addOption(anyStoreOption())
    .addOption(anyAccountOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf trace diff run.jsonl again.jsonl
  $ sf trace diff run.jsonl again.jsonl --strict --json

Equal: the same calls in the same order, by tool, input, status, output and error code. Ids, times, callers and seals do not
matter. A replay that was recorded is equal to what it was replayed from.
Exit codes: 0 equal, 1 different, or there is no such id, 2 bad usage, 6 one of them is broken.`,
    )
    .action(async (a: string, b: string, options: TraceDiffOptions) => {
      const { diff } = await import("../trace/diff-command.ts");
      context.exit(await diff(a, b, options, context));
    });
}
