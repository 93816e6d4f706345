import { type Finder, matchAt } from "./finder.ts";
import { isReference } from "./is-reference.ts";

const argument = String.raw`\s{0,8}["'\`]([^\s"'\`]{8,512})["'\`]`;
const algorithm = String.raw`\s{0,8}["'\`][\w-]{1,32}["'\`]\s{0,8},`;

/** Calls that take a key as it is, by what stands before their bracket. */
const calls = [
  ["Hmac(", new RegExp(`(?<=create)Hmac\\(${algorithm}${argument}`, "dy")],
  ["ipheriv(", new RegExp(`(?<=create(?:C|Dec))ipheriv\\(${algorithm}${argument}`, "dy")],
  ["twilio(", /twilio\(\s{0,8}["'`]AC[0-9a-f]{32}["'`]\s{0,8},\s{0,8}["'`]([0-9a-f]{32})["'`]/diy],
  ["Wallet(", /Wallet\(\s{0,8}["'`](?:0x)?([0-9a-fA-F]{64})["'`]/dy],
] as const;

export const callFinder: Finder = {
  words: calls.map(([word]) => word),
  find(text, at, found) {
    for (const [word, pattern] of calls) {
      const match = text.startsWith(word, at) ? matchAt(pattern, text, at) : null;
      const place = match?.indices?.[1];
      if (place === undefined || isReference(match?.[1] ?? "")) continue;
      found.add(place[0], place[1], "secret");
      return place[1];
    }
    return at + 1;
  },
};
