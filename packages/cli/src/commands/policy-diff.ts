import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { jsonOption, packOption } from "../command-line/options.ts";
import type { PolicyDiffOptions } from "../policy/diff-command.ts";

export function addPolicyDiff(policy: Command, context: CommandContext): void {
  policy
    .command("diff")
    .description("say what changes from one policy to another, and whether more or less is allowed")
    .argument("<a>", "the policy before, as JSON, or - for the standard input")
    .argument("<b>", "the one after")
    .addOption(packOption().conflicts("url"))
    .option("--url <address>", "the platform whose tools are held against both")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf policy diff policy.json writer.json
  $ sf policy diff policy.json writer.json --pack ./notes.ts

With --pack or --url it also says for which of those tools the answer becomes another.
Exit codes: 0 they mean the same, 1 they do not, 2 bad usage, or one of them is no policy.`,
    )
    .action(async (a: string, b: string, options: PolicyDiffOptions) => {
      const { diff } = await import("../policy/diff-command.ts");
      context.exit(await diff(a, b, options, context));
    });
}
