import { refuseUnknown } from "@spfunctions/contracts";

const terms = ["note", "fixed", "maxUses", "forMs"];

/** What a person says with an answer is not lost: a note given as a text, or a misspelt bound, is refused before anything is decided. */
export function requireAnswer(given: unknown): void {
  refuseUnknown(given, terms, "term of an answer");
}
