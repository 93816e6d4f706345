import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import type { ManifestOptions } from "../platform/manifest-command.ts";
import { jsonOption, packOption, urlOption } from "../command-line/options.ts";

export function addManifest(program: Command, context: CommandContext): void {
  program
    .command("manifest")
    .description("list the tools of a platform, or show the contract of one")
    .argument("[tool]", "a canonical name, like world.read")
    .addOption(urlOption())
    .addOption(packOption().conflicts("url"))
    .option("--review", "also what is deferred, deprecated or forbidden")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf manifest
  $ sf manifest world.read
  $ sf manifest --review --json

It asks the platform at --url or $SF_API_URL, else the one that is up in this folder; else it shows what "sf up" would
serve here, with --pack those tools alone, and those of the platform itself. No key is needed, and nothing is written.
Exit codes: 0 shown, 1 failed, 2 bad usage, 3 there is no such tool.`,
    )
    .action(async (tool: string | undefined, options: ManifestOptions) => {
      const { manifest } = await import("../platform/manifest-command.ts");
      await manifest(tool, options, context);
    });
}
