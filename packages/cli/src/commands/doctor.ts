import { type Command, Option } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import type { DoctorOptions } from "../doctor/doctor-options.ts";
import { jsonOption, keyFileOption, urlOption } from "../command-line/options.ts";

export function addDoctor(program: Command, context: CommandContext): void {
  program
    .command("doctor")
    .description(
      "look whether everything is in order, and say what to do where it is not; nothing is changed",
    )
    .addOption(urlOption())
    .addOption(keyFileOption())
    .addOption(new Option("--data <folder>", "the data folder to look at; else all that are known here"))
    .addOption(
      new Option(
        "--store <address>",
        "the PostgreSQL database to look at, postgres://…; else $SF_STORE",
      ).conflicts("data"),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf doctor
  $ sf doctor --json
  $ sf doctor --data ./backup
  $ sf doctor --url http://127.0.0.1:7700

It looks at this program, the configuration folder with its secrets, which are never shown, the data folders, or the database,
with their journals, and the platform at --url or $SF_API_URL, else the one that is up in this folder. Nothing is made or changed.
Exit codes: 0 nothing failed, 1 something did, 2 bad usage, 130 cancelled by Ctrl-C.`,
    )
    .action(async (options: DoctorOptions) => {
      const { doctor } = await import("../doctor/doctor-command.ts");
      context.exit(await doctor(options, program.version() ?? "unknown", context));
    });
}
