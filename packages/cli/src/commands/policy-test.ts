import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { anyDataOption, anyStoreOption, jsonOption } from "../command-line/options.ts";
import type { PolicyTestOptions } from "../policy/test-command.ts";
import { anyAccountOption, tracesOption } from "./trace-options.ts";

export function addPolicyTest(policy: Command, context: CommandContext): void {
  policy
    .command("test")
    .description("say what a policy would have made of recorded calls; nothing runs")
    .argument("<policy>", "the policy as JSON, or - for the standard input")
    .addOption(tracesOption())
    .option(
      "--expect <what>",
      "no-change, or a file with an earlier answer of --json: only other differences count",
    )
    .addOption(anyDataOption())
    .addOption(anyStoreOption())
    .addOption(anyAccountOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf policy test policy.json --trace run.jsonl
  $ sf policy test policy.json --trace run.jsonl --trace again.jsonl --json > expected.json
  $ sf policy test policy.json --trace run.jsonl --trace again.jsonl --expect expected.json

Every call is judged as it was made: by whom, with what, and what the host's own policy said then. Where a record hides what
would decide, it is said.
Exit codes: 0 no difference, 1 differences, 2 bad usage, 3 something that was done would be refused, 6 a trace is broken.`,
    )
    .action(async (file: string, options: PolicyTestOptions) => {
      const { testPolicy } = await import("../policy/test-command.ts");
      context.exit(await testPolicy(file, options, context));
    });
}
