import { startOfEscape } from "./encodings.ts";

/** A part of a text. */
export type Part = { readonly from: number; readonly to: number };

/**
 * Whatever lies so near to what a global pattern finds, where the pattern finds encoded characters. Parts do not overlap,
 * and each reads as it does in the whole.
 */
export function encodedParts(text: string, encoded: RegExp, reach: number): readonly Part[] {
  const parts: Part[] = [];
  encoded.lastIndex = 0;
  for (let match = encoded.exec(text); match !== null; match = encoded.exec(text)) {
    const last = parts.at(-1);
    const from = startOfEscape(text, Math.max(0, match.index - reach), last?.to);
    // What is found within reach is near enough to be passed over.
    encoded.lastIndex = match.index + reach;
    const to = match.index + 2 * reach;
    if (last === undefined || last.to < from) parts.push({ from, to });
    else parts[parts.length - 1] = { from: last.from, to };
  }
  return parts;
}
