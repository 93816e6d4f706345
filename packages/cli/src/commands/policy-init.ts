import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { jsonOption, offering } from "../command-line/options.ts";
import { type Preset, presetNames, offeredPresets } from "../policy/presets.ts";
import type { PolicyInitOptions } from "../policy/init-command.ts";

export function addPolicyInit(policy: Command, context: CommandContext): void {
  policy
    .command("init")
    .description("write a policy to begin with, and say what it does")
    .argument("[file]", "a new file; nothing is overwritten", "policy.json")
    .addOption(
      offering(
        new Option("--preset <name>", `what it is for: ${offeredPresets.join(", ")}`).argParser(preset),
        offeredPresets,
      ).default("read-only"),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf policy init
  $ sf policy init writer.json --preset writer

read-only: nothing is changed. writer: what belongs to the user.
Exit codes: 0 written, 2 bad usage, or the file is there already.`,
    )
    .action(async (file: string, options: PolicyInitOptions) => {
      const { init } = await import("../policy/init-command.ts");
      context.exit(init(file, options, context));
    });
}

function preset(text: string): Preset {
  const known = presetNames.find((name) => name === text);
  if (known === undefined) throw new InvalidArgumentError(`expected one of ${offeredPresets.join(", ")}`);
  return known;
}
