import { type Command, Option } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { jsonOption } from "../command-line/options.ts";
import { presets } from "../policy/presets.ts";
import type { PolicyInitOptions } from "../policy/init-command.ts";

export function addPolicyInit(policy: Command, context: CommandContext): void {
  policy
    .command("init")
    .description("write a policy to begin with, and say what it does")
    .argument("[file]", "a new file; nothing is overwritten", "policy.json")
    .addOption(
      new Option("--preset <name>", "what it is for").choices(Object.keys(presets)).default("read-only"),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf policy init
  $ sf policy init writer.json --preset writer
  $ sf policy init live.json --preset live

read-only: nothing is changed. writer: what belongs to the user. paper: also trades on paper. live: also real orders, within
guardrails and as a dry run alone until you change that.
Exit codes: 0 written, 2 bad usage, or the file is there already.`,
    )
    .action(async (file: string, options: PolicyInitOptions) => {
      const { init } = await import("../policy/init-command.ts");
      context.exit(init(file, options, context));
    });
}
