import { type Finder, skip } from "./finder.ts";

const begin =
  /(?<=----[- ]?)BEGIN (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)[- ]?----|PuTTY-User-Key-File-[0-9]:/y;
const ending = String.raw`----[- ]?END (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)[- ]?----|Private-MAC: [0-9a-f]{40,64}`;
const end = new RegExp(ending, "y");
/** The most that is taken for one key, up to where it ends: what comes behind is read for what begins there. */
const body = new RegExp(
  String.raw`(?:(?!${ending})(?:[A-Za-z0-9+/=:,.\s"()_>|#*-]|\\{1,4}[nrt])){0,65536}`,
  "y",
);

/** Private keys in armour, also with escaped line ends, also cut off before their end. */
export const keyBlockFinder: Finder = {
  words: ["BEGIN ", "PuTTY-User-Key-File"],
  find(text, at, found) {
    const from = skip(begin, text, at);
    if (from === at) {
      if (text.startsWith("BEGIN", at)) found.needs(at, at + 60);
      return at + 1;
    }
    const until = skip(body, text, from);
    const stop = skip(end, text, until);
    if (stop === until) found.needs(at, until + 1);
    found.add(at, stop, "private_key");
    return stop;
  },
};

const vault = /\$ANSIBLE_VAULT;[0-9.]+;[A-Z0-9]+[^\n]{0,64}\s[0-9a-f\s]{0,65536}/y;

/** An encrypted file of Ansible's: its password may be weak. */
export const vaultFinder: Finder = {
  words: ["$ANSIBLE_VAULT;"],
  find(text, at, found) {
    const stop = skip(vault, text, at);
    if (stop === at) return at + 1;
    found.needs(at, stop + 1);
    found.add(at, stop, "ansible_vault");
    return stop;
  },
};

const member = /(?<=["'])(?:d|p|q|dp|dq|qi|k)\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["']([A-Za-z0-9_-]{16,2048})/dg;
const announces = /(?:kty|crv|alg)\\{0,3}["']/y;

/** How far around its `kty` a JSON Web Key is looked at; the other members say early that one may come. */
const reach = 2048;

/** The private members of a JSON Web Key. */
export const webKeyFinder: Finder = {
  words: ["kty", "crv", "alg"],
  find(text, at, found) {
    if (skip(announces, text, at) === at) return at + 1;
    found.needs(at, at + reach);
    if (!text.startsWith("kty", at)) return at + 1;
    const from = Math.max(0, at - reach);
    for (const match of text.slice(from, at + reach).matchAll(member)) {
      const [start, stop] = match.indices?.[1] ?? [0, 0];
      found.add(from + start, from + stop, "private_key");
    }
    return at + reach;
  },
};
