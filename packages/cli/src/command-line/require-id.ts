import { redactText } from "@spfunctions/contracts";
import { badUsage } from "./bad-usage.ts";

export type IdKind = {
  readonly prefix: string;
  readonly called: string;
  /** The command that shows such ids. */
  readonly listedBy: string;
};

/** S1: what is given in place of an id is not repeated, unless it is the beginning of one. */
export function requireId(
  text: string,
  schema: { readonly safeParse: (text: string) => { readonly success: boolean } },
  { prefix, called, listedBy }: IdKind,
): void {
  if (schema.safeParse(text).success) return;
  const isBeginning = new RegExp(`^${prefix}[\\w-]{1,64}$`).test(text) && redactText(text) === text;
  throw badUsage(
    isBeginning
      ? `${text} is not a complete ${called}; copy the whole id from ${listedBy}`
      : `that is no ${called}: one is ${prefix} and all that follows, as ${listedBy} shows it`,
  );
}
