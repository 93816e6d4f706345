import { parseJsonStrict } from "@spfunctions/contracts";
import { identifierOf, keptIdentifier } from "./kept-text.ts";

/** What PostgreSQL carries in one notification, in bytes. */
const mostBytes = 7_999;

/** The notification of a unit: who sent it, and its wakes. Without them where they are too many or too long. */
export function wakeNote(holder: number, wakes: readonly string[]): string | null {
  if (wakes.length === 0) return null;
  const note = JSON.stringify([holder, ...wakes.map(keptIdentifier)]);
  return Buffer.byteLength(note) <= mostBytes ? note : JSON.stringify([holder]);
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
