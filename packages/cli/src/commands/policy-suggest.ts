import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { anyDataOption, anyStoreOption, jsonOption } from "../command-line/options.ts";
import type { PolicySuggestOptions } from "../policy/suggest-command.ts";
import { anyAccountOption, tracesOption } from "./trace-options.ts";

export function addPolicySuggest(policy: Command, context: CommandContext): void {
  policy
    .command("suggest")
    .description("give the least policy that allows what was done in recorded calls")
    .addOption(tracesOption())
    .option("-o, --output <file>", "a new file, or - for the standard output", "-")
    .addOption(anyDataOption())
    .addOption(anyStoreOption())
    .addOption(anyAccountOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf policy suggest --trace run.jsonl
  $ sf policy suggest --trace run.jsonl -o least.json

What it means, and why each line of it is there, is said beside it. It knows of no other calls than these.
Exit codes: 0 given, 1 failed, 2 bad usage, 6 a trace is broken.`,
    )
    .action(async (options: PolicySuggestOptions) => {
      const { suggest } = await import("../policy/suggest-command.ts");
      context.exit(await suggest(options, context));
    });
}
