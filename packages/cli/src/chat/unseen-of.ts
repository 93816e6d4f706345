/**
 * What of a text was not seen, where this was seen of it: nothing where that is its end, as what came before was seen by somebody else. Gaps
 * between words do not count.
 */
export function unseenOf(text: string, seen: string): string {
  const words = packed(seen);
  if (packed(text).endsWith(words) && words !== "") return "";
  let at = 0;
  // By code units: what is cut is cut at a blank, or behind what was seen.
  for (let place = 0; place < text.length; place += 1) {
    const letter = text.charAt(place);
    if (/\s/.test(letter)) continue;
    if (at === words.length) return text.slice(place);
    if (words.charAt(at) !== letter) return text;
    at += 1;
  }
  return at < words.length ? text : "";
}

function packed(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
