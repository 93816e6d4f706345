import { isUtf8 } from "node:buffer";
import { malformed } from "./refusals.ts";

/** A file's text as far as it goes. */
export type CutText = {
  readonly text: string;
  /** Bytes of the file that it stands for. */
  readonly bytes: number;
  /** Whether something in it is no UTF-8, and was replaced by U+FFFD. */
  readonly lossy: boolean;
};

/**
 * The text that bytes are, cut to the most that is wanted, between two characters. A mark of byte order stays: written back, the text
 * is the file again.
 */
export function textOf(bytes: Buffer, most: number, path: string): CutText {
  if (bytes.includes(0)) throw malformed(path, "not_text", "is not text: it has NUL bytes");
  const kept = bytes.subarray(0, bytes.length > most ? cutFor(bytes, most) : bytes.length);
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(kept);
  return { text, bytes: kept.length, lossy: !isUtf8(kept) };
}

/** Where the character begins that would not fit. What is no UTF-8 has no characters, and is cut where it must be. */
function cutFor(bytes: Buffer, most: number): number {
  for (let cut = most; cut > most - 4 && cut >= 0; cut -= 1) if (!goesOn(bytes[cut])) return cut;
  return most;
}

function goesOn(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
