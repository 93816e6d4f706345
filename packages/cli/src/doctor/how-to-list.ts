import { optionsFor } from "../effects/what-to-do.ts";

/** The commands that list what was found, an account each: none looks at an account that it is not told, but for `local`. */
export function howToList(
  what: "approvals" | "effects" | "runs",
  options: string,
  accounts: readonly string[],
): string {
  const commands = accounts.map(
    (account) => `sf ${what} ls${options}${optionsFor(account === "local" ? {} : { account })}`,
  );
  return `${commands.join(", ")} ${commands.length === 1 ? "lists" : "list"} them`;
}
