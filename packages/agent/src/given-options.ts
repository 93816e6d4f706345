import { InvalidInputError, keyForMessage, nearest } from "@spfunctions/contracts";

/** An option, or what a run is given, that is not known is not ignored. */
export function refuseUnknown(given: unknown, names: readonly string[], what: string): void {
  if (typeof given !== "object" || given === null) throw bad("", `each ${what} stands in an object`);
  for (const key of Object.keys(given)) {
    if (names.includes(key)) continue;
    const [meant] = nearest(key, names);
    const hint = meant === undefined ? `known are ${names.join(", ")}` : `did you mean ${meant}?`;
    throw new InvalidInputError(`unknown ${what} ${keyForMessage(key)}; ${hint}`, {
      details: { reason: "unknown_option" },
    });
  }
}

/** G1: a word that is not known is not taken for another. */
export function requireOneOf(name: string, given: unknown, words: readonly string[]): void {
  if (words.includes(given as string)) return;
  throw bad(`/${name}`, `${name} is ${words.map((word) => JSON.stringify(word)).join(" or ")}`);
}

/** An option that could not work, or would be misread. */
export function bad(path: string, message: string): InvalidInputError {
  return new InvalidInputError(message, { details: { path, reason: "bad_option" } });
}
