import { wordsOf } from "@spfunctions/kernel";

const runs = /[\p{L}\p{N}\p{M}]+/gu;

type Place = { readonly start: number; readonly end: number; readonly word: string };

/** The part of a text of at most so many characters in which the most of some words stand; its beginning where none does. */
export function bestExcerpt(text: string, words: readonly string[], most: number): string {
  if (text.length <= most) return text;
  const places = placesOf(text, new Set(words));
  const lead = Math.floor(most / 5);
  let best = { distinct: 0, start: 0 };
  const inside = new Map<string, number>();
  let next = 0;
  for (const { start, word } of places) {
    const from = Math.max(0, start - lead);
    for (let place = places[next]; place !== undefined && place.end <= from + most; place = places[++next])
      inside.set(place.word, (inside.get(place.word) ?? 0) + 1);
    if (inside.size > best.distinct) best = { distinct: inside.size, start: from };
    // It is the first of the window that now begins later.
    const left = (inside.get(word) ?? 0) - 1;
    if (left > 0) inside.set(word, left);
    else inside.delete(word);
  }
  return cutOut(text, Math.min(best.start, text.length - most), most);
}

function placesOf(text: string, wanted: ReadonlySet<string>): Place[] {
  return Array.from(text.matchAll(runs)).flatMap(({ 0: run, index }) => {
    const word = wordsOf(run).find((one) => wanted.has(one));
    return word === undefined ? [] : [{ start: index, end: index + run.length, word }];
  });
}

/** From a word's beginning to a word's end where they are near, with marks where something is left out. */
function cutOut(text: string, from: number, most: number): string {
  const whole = text.slice(from, from + most);
  const [head] = from === 0 ? [""] : (/^\S{0,20}\s+/.exec(whole) ?? [""]);
  const isEnd = from + most >= text.length;
  const [tail] = isEnd ? [""] : (/\s+\S{0,20}$/.exec(whole) ?? [""]);
  const inner = whole.slice(head.length, whole.length - tail.length);
  return `${from === 0 ? "" : "…"}${withoutHalves(inner)}${isEnd ? "" : "…"}`;
}

/** Half a character at either end is left out. */
function withoutHalves(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
}
