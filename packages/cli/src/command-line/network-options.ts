// What is said of the network where tools run: which hosts `net` reaches, and which local ones are opened.
import type { NetworkOptions } from "@spfunctions/kernel";
import { asWord } from "../io/as-word.ts";
import { repeatable } from "./options.ts";

/** As they were given. */
export type GivenNetwork = { readonly netOnly?: readonly string[]; readonly netLocal?: readonly string[] };

export const netOnlyOption = () =>
  repeatable(
    "--net-only <host>",
    "where the capability net reaches at most: example.com, *.example.com (repeatable)",
  );
export const netLocalOption = () =>
  repeatable(
    "--net-local <host>",
    "a host that may stand at a private address or another port: localhost:8080 (repeatable)",
  );

export function networkOf({ netOnly, netLocal }: GivenNetwork): { network?: NetworkOptions } {
  if (netOnly === undefined && netLocal === undefined) return {};
  return { network: { allowHosts: netOnly, localHosts: netLocal } };
}

/** The same again, for whoever goes on with it. */
export function networkWords({ netOnly = [], netLocal = [] }: GivenNetwork): string[] {
  return [
    ...netOnly.map((host) => `--net-only ${asWord(host)}`),
    ...netLocal.map((host) => `--net-local ${asWord(host)}`),
  ];
}
