import { parseJsonStrict } from "@spfunctions/contracts";
import { identifierOf, keptIdentifier } from "./kept-text.ts";

/** What PostgreSQL carries in one notification, in bytes. */
const maxNoteBytes = 7_999;

/** Whoever listens to many more wakes than fit into these looks at everything. */
const maxNotes = 16;

/**
 * The notifications that name these wakes: each says who sent it. One without names, which says that some were missed, where
 * they are too many or too long, or where their names are not known.
 */
export function wakeNotes(holder: number, wakes: readonly (string | undefined)[]): string[] {
  const missed = JSON.stringify([holder]);
  const notes: string[] = [];
  let open = `[${holder}`;
  for (const wake of wakes) {
    const name = wake === undefined ? undefined : `,${JSON.stringify(keptIdentifier(wake))}`;
    if (name === undefined || Buffer.byteLength(missed) + Buffer.byteLength(name) > maxNoteBytes)
      return [missed];
    if (Buffer.byteLength(open) + Buffer.byteLength(name) + 1 > maxNoteBytes) {
      notes.push(`${open}]`);
      open = `[${holder}`;
    }
    open += name;
  }
  if (wakes.length > 0) notes.push(`${open}]`);
  return notes.length > maxNotes ? [missed] : notes;
}

/** Who sent a notification, and which wakes it names; that some were missed where it names none, or is no note of ours. */
export function noteIn(text: string): {
  readonly holder?: number;
  readonly wakes: readonly (string | undefined)[];
} {
  const [holder, ...keys] = listIn(text);
  if (typeof holder !== "number") return { wakes: [undefined] };
  if (keys.length === 0 || !keys.every((key) => typeof key === "string"))
    return { holder, wakes: [undefined] };
  return { holder, wakes: keys.map(identifierOf) };
}

function listIn(text: string): readonly unknown[] {
  try {
    const value = parseJsonStrict(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
