import { optionsFor } from "../effects/what-to-do.ts";

/** As many are written out as can be read. */
const mostWritten = 3;

/** A command for each account: none looks at an account that it is not told, but for `local`. */
function forAccounts(command: string, accounts: readonly string[]): string {
  const commands = accounts
    .slice(0, mostWritten)
    .map((account) => `${command}${optionsFor(account === "local" ? {} : { account })}`);
  const more = accounts.length - mostWritten;
  return more > 0 ? `${commands.join(", ")} and so on (${more} more)` : commands.join(", ") || command;
}

/** The commands that list what was found. */
export function howToList(command: string, accounts: readonly string[]): string {
  return `${forAccounts(command, accounts)} ${accounts.length === 1 ? "lists" : "list"} them`;
}
