import type { Command, Option } from "commander";

/** Adds options that help shows only if the command line says what they are about: `sf up --markets --help`. They are taken in any case. */
export function addOptionsWith(
  command: Command,
  { option, value }: { readonly option: string; readonly value?: string },
  added: readonly Option[],
): Command {
  for (const one of added) command.addOption(one.hideHelp());
  return command.on(`option:${option}`, (given: string | null) => {
    if (value !== undefined && given !== value) return;
    for (const one of added) one.hideHelp(false);
  });
}
