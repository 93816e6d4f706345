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

With --pack or --url it also names what allowTools and denyTools have and none of those tools is called.
Exit codes: 0 it is one, 1 it names tools that are not there, 2 it is none: what is wrong, where, and what may have been meant.`,
    )
    .action(async (file: string, options: PolicyCheckOptions) => {
      const { check } = await import("../policy/check-command.ts");
      context.exit(await check(file, options, context));
    });
}
