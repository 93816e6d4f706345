import { asWord } from "../io/as-word.ts";
import { toldWord } from "../io/told-word.ts";

/** Whose tools a command was given, as what is added to another so that it knows the same. */
export function toolsWords({ pack, url }: GivenTools): string {
  if (pack !== undefined) return pack.map((name) => ` --pack ${asWord(name)}`).join("");
  return url ? ` --url ${toldWord(url)}` : "";
}

export type GivenTools = { readonly pack?: readonly string[]; readonly url?: string };
