// A cursor says how far each segment that can still grow has been read. What it does not name and what is older than its last
// one was read whole; what is newer is found when it is asked for.
import { InvalidInputError, maxCursorChars, streamIdSchema } from "@spfunctions/contracts";

/** The next event that is wanted of a segment: the number of its record, and which of that record's events it is. */
export type Mark = { readonly stream: string; readonly seq: number; readonly index: number };

/** The cursor before everything that an account's journal has, or will have. */
export const startOfEvents = "start";

const markForm = /^([^:]+):([1-9]\d{0,14})\.(0|[1-9]\d{0,3})$/;

/** `seg_a:120.1,seg_b:5.0`: in the order in which the segments began. */
export function cursorText(marks: readonly Mark[]): string {
  if (marks.length === 0) return startOfEvents;
  return marks.map(({ stream, seq, index }) => `${stream}:${seq}.${index}`).join(",");
}

/** B22: a cursor comes back from outside. What could never have been given out is refused. */
export function readCursor(text: string): Mark[] {
  if (text === startOfEvents) return [];
  if (typeof text !== "string" || text.length > maxCursorChars) throw notACursor("malformed");
  const marks = text.split(",").map(readMark);
  if (new Set(marks.map(({ stream }) => stream)).size < marks.length) throw notACursor("malformed");
  return marks;
}

function readMark(text: string): Mark {
  const [, stream = "", seq, index] = markForm.exec(text) ?? [];
  if (!streamIdSchema.safeParse(stream).success) throw notACursor("malformed");
  return { stream, seq: Number(seq), index: Number(index) };
}

/** I1: what is another account's is refused in the words for what is not there. */
export function notACursor(reason: "malformed" | "unknown_place"): InvalidInputError {
  const what = reason === "malformed" ? "is not a cursor" : "names a place that this journal does not have";
  return new InvalidInputError(
    `the cursor ${what}; give one as it came with an event, or leave it out to begin anew`,
    { details: { path: "/cursor", reason } },
  );
}
