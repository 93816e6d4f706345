import {
  checkAtDoor,
  isSimpleFunctionsError,
  JournalCorruptError,
  parseJsonStrict,
} from "@spfunctions/contracts";

/** Whether what was read is not what was written, and not that it could not be read. */
export function isCorrupt(error: unknown): boolean {
  return isSimpleFunctionsError(error) && error.code === "journal_corrupt";
}

/** What is kept, or nothing where it is not what was written. */
export function unlessCorrupt<Kept>(read: () => Kept): Kept | undefined {
  try {
    return read();
  } catch (error) {
    if (isCorrupt(error)) return undefined;
    throw error;
  }
}

type Schema = Parameters<typeof checkAtDoor>[0];

/** B22: what lies in a store as what it must be; anything else was not written by us, and nothing goes on from it. */
export function readKept<Kept extends Schema>(
  schema: Kept,
  text: string,
  what: string,
): ReturnType<typeof checkAtDoor<Kept>> {
  try {
    return checkAtDoor(schema, parseJsonStrict(text), what, JournalCorruptError);
  } catch (cause) {
    if (!isSimpleFunctionsError(cause)) throw cause;
    throw new JournalCorruptError(`${what} is not what was written; verify the journal`, {
      details: { reason: "unreadable" },
      cause,
    });
  }
}
