// G3: the words that mean something to this program are said by the model itself or by us, never by what a model is shown. Whatever comes
// from elsewhere goes through here before it reaches a prompt.
import { looksOf } from "./look-alikes.ts";

export type BlockKind = "notes" | "calls";

export const blockMarkers = {
  notes: { begin: "<<<NOTES_JSON>>>", end: "<<<END_NOTES_JSON>>>" },
  calls: { begin: "<<<TOOL_CALLS_JSON>>>", end: "<<<END_TOOL_CALLS_JSON>>>" },
} as const satisfies Record<BlockKind, { readonly begin: string; readonly end: string }>;

export const retrievalLines = {
  begin: "=== RETRIEVED_MEMORY ===",
  end: "=== END_RETRIEVED_MEMORY ===",
} as const;

const markers = Object.values(blockMarkers).flatMap(({ begin, end }) => [begin, end]);

const names = /(?:END)?(?:(?:NOTES|TOOLCALLS)JSON|RETRIEVEDMEMORY)/g;
/** Two are enough to be taken for three. */
const fewest = 2;
const most = 3;

/**
 * The text without anything that our parser, or a model, would take for a marker or a retrieval line: `<<<NOTES_JSON>>>` becomes
 * `[[[NOTES_JSON]]]`. A text that ends inside a marker gets a space, so that no neutralised texts put together hold a marker either. Any
 * other text is returned as it is.
 */
export function neutralise(text: string): string {
  const broken = breakMarkers(text);
  return endsInsideMarker(broken) ? `${broken} ` : broken;
}

/** {@link neutralise} for a text that nothing is put after, because it stands in quotes. */
export function breakMarkers(text: string): string {
  const { look, from } = looksOf(text);
  const brackets = Array.from(look.matchAll(names), ({ 0: name, index }) =>
    bracketsAround(look, index, index + name.length),
  ).flat();
  if (brackets.length === 0) return text;
  let broken = "";
  let done = 0;
  for (const { place, instead } of brackets) {
    const start = from[place] ?? 0;
    // Of a character that looks like several, or one that stands between two names.
    if (start < done) continue;
    broken += text.slice(done, start) + instead;
    done = start + String.fromCodePoint(text.codePointAt(start) ?? 0).length;
  }
  return broken + text.slice(done);
}

type Bracket = { readonly place: number; readonly instead: "[" | "]" };

/** The brackets nearest to a name, if it has them on both sides. */
function bracketsAround(look: string, start: number, end: number): Bracket[] {
  const isLine = look.startsWith("RETRIEVED", end - "RETRIEVEDMEMORY".length);
  const before = look[start - 1] === "/" ? start - 1 : start;
  const left: Bracket[] = [];
  const right: Bracket[] = [];
  for (let place = before - 1; look[place] === (isLine ? "=" : "<") && left.length < most; place--) {
    left.unshift({ place, instead: "[" });
  }
  for (let place = end; look[place] === (isLine ? "=" : ">") && right.length < most; place++) {
    right.push({ place, instead: "]" });
  }
  return left.length < fewest || right.length < fewest ? [] : [...left, ...right];
}

function endsInsideMarker(text: string): boolean {
  if (text.endsWith("<")) return true;
  // Of the three brackets that a marker begins with, the last is the last in it.
  const start = text.lastIndexOf("<") - 2;
  return start >= 0 && markers.some((marker) => marker.startsWith(text.slice(start)));
}
