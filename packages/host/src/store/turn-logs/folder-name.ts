import { createHash } from "node:crypto";

/** Of a name in a folder; with what a file system adds to it there is room for more. */
const mostChars = 100;
const reserved = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/**
 * A text as the name of a folder, on any file system: two texts never have the same one, also where letters of either case are one, and none
 * is a name that Windows keeps for itself.
 */
export function folderNameOf(text: string): string {
  const plain = text.replaceAll(/[^a-z0-9_-]/gu, escaped);
  const name = reserved.test(plain) ? `${escaped(plain.slice(0, 1))}${plain.slice(1)}` : plain;
  if (name.length <= mostChars) return name;
  // No escape has an h in it.
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 32);
  return `${name.slice(0, mostChars - 34)}=h${hash}`;
}

function escaped(letter: string): string {
  return Array.from(Buffer.from(letter), (byte) => `=${byte.toString(16).padStart(2, "0")}`).join("");
}
