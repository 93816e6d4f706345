import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { jsonOption, packOption } from "../command-line/options.ts";
import type { PolicyCheckOptions } from "../policy/check-command.ts";

export function addPolicyCheck(policy: Command, context: CommandContext): void {
  policy
    .command("check")
    .description("say whether a file is a policy, and what it means")
    .argument("<file>", "the policy as JSON, or - for the standard input")
    .addOption(packOption().conflicts("url"))
    .option("--url <address>", "the platform whose tools it is held against")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf policy check policy.json
  $ sf policy check policy.json --pack ./notes.ts

With --pack or --url it also lists names and permissions in the policy that none of those tools has.
Exit codes: 0 it is a policy, 1 it names what no tool has, 2 it is no policy: what is wrong, where, and what may have been meant.`,
    )
    .action(async (file: string, options: PolicyCheckOptions) => {
      const { check } = await import("../policy/check-command.ts");
      context.exit(await check(file, options, context));
    });
}
