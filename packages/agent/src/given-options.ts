import { InvalidInputError } from "@spfunctions/contracts";

/** G1: a word that is not known is not taken for another. */
export function requireOneOf(name: string, given: unknown, words: readonly string[]): void {
  if (words.includes(given as string)) return;
  throw bad(`/${name}`, `${name} is ${words.map((word) => JSON.stringify(word)).join(" or ")}`);
}

/** An option that could not work, or would be misread. */
export function bad(path: string, message: string): InvalidInputError {
  return new InvalidInputError(message, { details: { path, reason: "bad_option" } });
}
