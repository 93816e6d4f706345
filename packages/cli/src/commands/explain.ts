import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import type { ExplainOptions } from "../explain/explain-command.ts";
import { netLocalOption, netOnlyOption } from "../command-line/network-options.ts";
import {
  accountOption,
  dataOption,
  inputOption,
  jsonOption,
  packOption,
  policyOption,
  scopeOption,
  sessionOption,
  storeOption,
  urlOption,
} from "../command-line/options.ts";

export function addExplain(program: Command, context: CommandContext): void {
  program
    .command("explain")
    .description("show what would be decided about a call, gate by gate; nothing runs")
    .argument("<tool>", "its canonical name, like notes.read")
    .addOption(inputOption())
    .addOption(policyOption())
    .addOption(packOption().conflicts("url"))
    .addOption(urlOption())
    .addOption(scopeOption("the caller", "read write, or all of them for tools of a platform"))
    .addOption(accountOption())
    .addOption(dataOption())
    .addOption(storeOption())
    .addOption(sessionOption())
    .addOption(netOnlyOption())
    .addOption(netLocalOption())
    .option("--schema", "print what its input must look like, as JSON Schema, and decide nothing")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf explain world.read
  $ sf explain notes.add --pack ./notes.ts
  $ sf explain notes.add --pack ./notes.ts --policy policy.json --input '{"text": "milk"}'
  $ sf explain notes.add --pack ./notes.ts --schema

Without --pack it is about the tools of a platform: the one at --url or $SF_API_URL, else the one of this folder. No key
is needed. The platform judges the call once more when it is made, so that the answer begins with "unchecked".

With --pack and --input every gate is asked, also the rules that the pack exports, and what was approved and granted here.
Without --input the answer begins with "unchecked" and names the gates that were not asked.
Exit codes: 0 it would be allowed, or nothing that was asked refuses it; 2 bad usage, 3 refused, 4 a person would be asked.`,
    )
    .action(async (tool: string, options: ExplainOptions) => {
      const { explain } = await import("../explain/explain-command.ts");
      context.exit(await explain(tool, options, context));
    });
}
