// Where an escape or a colour ends, a word can begin: the `n` of `\n`, the digits of `%20` and the `m` of `[32m` are no
// part of what follows them.
import { skip } from "./finder.ts";

/** What ends an escape, as the source of a pattern. */
export const endOfEscape = [
  String.raw`(?<=\\)(?:[nrtbfv]|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})`,
  "(?<=%)(?:25){0,2}[0-9A-Fa-f]{2}",
  "(?<==)3D",
  String.raw`(?<=[[\u009b](?:[0-9]{1,3};){0,5})[0-9]{0,3}m|(?<=\u001b\()B`,
].join("|");

const ends = new RegExp(`(?<=${endOfEscape})`, "y");
const rest = new RegExp(endOfEscape, "y");

/** Whether an escape ends here. */
export function endsEscape(text: string, at: number): boolean {
  ends.lastIndex = at;
  return ends.test(text);
}

/** Where the rest of an escape ends that began before `from`; `from` if none did. */
export function afterEscape(text: string, from: number): number {
  return skip(rest, text, from);
}
