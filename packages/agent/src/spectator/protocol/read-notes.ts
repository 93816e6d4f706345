import {
  InvalidInputError,
  isJsonObject,
  type NotesPatch,
  notesKeys,
  parseAtDoor,
} from "@spfunctions/contracts";
import { type Malformed, malformed, orMalformed, readBlockJson } from "./read-block.ts";

export type ReadNotes = {
  readonly type: "patch";
  readonly patch: NotesPatch;
  /** Keys that nobody knows. */
  readonly ignored: readonly string[];
  /** Keys whose value is of the wrong kind: they change nothing. */
  readonly wrong: readonly { readonly key: string; readonly why: string }[];
};

/** Every key counts for itself, so that one mistake does not cost the model what it has said well. */
export function readNotes(text: string, maxBytes: number): ReadNotes | Malformed {
  const read = readBlockJson(text, maxBytes);
  if (read.type === "malformed") return read;
  if (!isJsonObject(read.value)) return malformed("notes are a JSON object");
  const patch: [string, string | string[]][] = [];
  const ignored: string[] = [];
  const wrong: { key: string; why: string }[] = [];
  for (const [key, said] of Object.entries(read.value)) {
    if (!isNotesKey(key)) {
      ignored.push(key);
      continue;
    }
    const member = orMalformed(() => parseAtDoor(notesKeys[key], said, key, InvalidInputError));
    if (member.type === "malformed") wrong.push({ key, why: member.why });
    else patch.push([key, member.value]);
  }
  return { type: "patch", patch: Object.fromEntries(patch), ignored, wrong };
}

function isNotesKey(key: string): key is keyof typeof notesKeys {
  return Object.hasOwn(notesKeys, key);
}
