import { type KeyedHash, placeholderFor } from "./placeholder.ts";
import type { Span } from "./span.ts";

/** The text between two places, with a placeholder for every span in it. */
export function hideSpans(
  text: string,
  spans: readonly Span[],
  keyedHash: KeyedHash | undefined,
  from = 0,
  to = text.length,
): string {
  let result = "";
  let done = from;
  for (const span of mergeSpans(spans)) {
    const { kind } = span;
    const start = isInsidePair(text, span.start) ? span.start - 1 : span.start;
    const end = isInsidePair(text, span.end) ? span.end + 1 : span.end;
    if (end <= done || start >= to) continue;
    result +=
      text.slice(done, Math.max(done, start)) + placeholderFor(kind, text.slice(start, end), keyedHash);
    done = end;
  }
  return result + text.slice(done, Math.max(done, to));
}

/** In order, and where two finds overlap, one: named after the first. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end };
  }
  return result;
}

/** A character of two units is hidden whole: half of one is no text. */
function isInsidePair(text: string, at: number): boolean {
  return isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
