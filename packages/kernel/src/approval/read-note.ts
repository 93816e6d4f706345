import { InvalidInputError } from "@spfunctions/contracts";
import { safeText } from "../call/safe-text.ts";

/**
 * What a person says with their answer.
 * @limit approval.noteChars | it is cut; over HTTP `invalid_input` | fixed: kept in the journal and shown to whoever asked
 */
const maxNoteChars = 2000;

/** S1: what a person says is kept, and shown to whoever asked. */
export function readNote(note: unknown): string | undefined {
  if (note === undefined) return undefined;
  if (typeof note !== "string" || !note.isWellFormed())
    throw new InvalidInputError("a note is text; leave it out where there is nothing to say", {
      details: { path: "/note" },
    });
  return safeText(note, maxNoteChars);
}
