import type { Printer } from "../io/printer.ts";

/** As many are named as fit a line. */
const mostNamed = 5;

/** Who else has a journal where one account has nothing to show. */
export function alsoHere(account: string, accounts: Iterable<string>): string | undefined {
  const others = [...new Set(accounts)].filter((one) => one !== account).toSorted();
  if (others.length === 0) return undefined;
  const more = others.length > mostNamed ? ` and ${others.length - mostNamed} more` : "";
  return `here are also: ${others.slice(0, mostNamed).join(", ")}${more} (--account)`;
}

/** Whose none it is that was listed: said beside the answer, which stays as it is. */
export function sayWhoseNone(print: Pick<Printer, "err">, account: string, accounts: Iterable<string>): void {
  const others = alsoHere(account, accounts);
  if (others !== undefined) print.err({ text: `none of account ${account}; ${others}`, style: "dim" });
}
