import { checkFind } from "./check-find.ts";
import { checkOptions } from "./check-options.ts";
import { optionRules } from "./option-rules.ts";
import type { Argv } from "./read-command.ts";
import { refusal, shown } from "./refusal.ts";

/** Every command that there is: what any setting can only make fewer. */
export const shellCommands = [
  "ls",
  "cat",
  "head",
  "tail",
  "wc",
  "grep",
  "find",
  "sort",
  "uniq",
  "cut",
  "echo",
  "pwd",
  "date",
  "stat",
  "file",
  "diff",
] as const;

export type ShellCommand = (typeof shellCommands)[number];

/** Throws unless the command is one of these, and may be told all of this. */
export function checkCommand([name, ...words]: Argv, commands: readonly ShellCommand[]): ShellCommand {
  const command = commands.find((each) => each === name);
  if (command === undefined)
    throw refusal(
      "command_not_allowed",
      `${shown(name)} is not an allowed command; allowed are ${commands.join(" ")}, by these names`,
    );
  // echo has no options that it would not print, but -n, -e and -E.
  if (command === "find") checkFind(words);
  else if (command !== "echo") checkOptions(command, optionRules[command], words);
  return command;
}
