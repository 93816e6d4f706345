import { type Command, Option } from "commander";
import type { BackupOptions } from "../backup/backup-command.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { jsonOption } from "../command-line/options.ts";

export function addBackup(program: Command, context: CommandContext): void {
  program
    .command("backup")
    .description("copy a data folder as it is at this moment, also while it is used")
    .argument("<folder>", "where the copy goes: a folder that is not there yet")
    .addOption(
      new Option("--data <folder>", "the data folder to copy; else $SF_DATA, else .sf in this folder"),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf backup ../backup-monday
  $ sf trace verify --data ../backup-monday
  $ sf backup ../calls-monday --data ~/.local/share/simplefunctions

The copy is a data folder: it can be looked at where it lies, and put in the place of the one it was made of. A chat's search
index and its logs of turns are not in it: nothing is read back from them. The secret of the installation and the keys are not in it
either, and lie in the configuration folder: keep them, too. A PostgreSQL database has pg_dump.
Exit codes: 0 copied, 1 failed, 2 bad usage, 6 it is damaged, and no copy was made.`,
    )
    .action(async (folder: string, options: BackupOptions) => {
      const { backUp } = await import("../backup/backup-command.ts");
      await backUp(folder, options, context);
    });
}
