import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { addKeysOptions, type KeysOptions, whereKeysAre } from "../keys/keys-options.ts";

export function addKeysLs(keys: Command, context: CommandContext): void {
  addKeysOptions(keys.command("ls").description("list the keys, without their secrets"))
    .addHelpText(
      "after",
      `
Examples:
  $ sf keys ls
  $ sf keys ls --json

${whereKeysAre}
Exit codes: 0 listed, 1 failed, 2 bad usage, 3 refused, 6 what is kept is damaged, 130 cancelled by Ctrl-C.`,
    )
    .action(async (options: KeysOptions) => {
      const { listKeys } = await import("../keys/ls-command.ts");
      await listKeys(options, context);
    });
}
