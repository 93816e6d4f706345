const ends = ["\n\n", "\n", ". ", " "] as const;

/**
 * A text in pieces of at most so many characters. A piece ends at a paragraph, a line, a sentence or a word where there is one in
 * its second half, and never within a character. Nothing but white space at the ends of pieces is lost.
 */
export function splitText(text: string, most: number): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (from < text.length) {
    const to = endOf(text, from, most);
    const piece = text.slice(from, to).trim();
    if (piece !== "") pieces.push(piece);
    from = to;
  }
  return pieces;
}

function endOf(text: string, from: number, most: number): number {
  const furthest = from + Math.max(2, most);
  if (text.length <= furthest) return text.length;
  const window = text.slice(from, furthest);
  for (const end of ends) {
    const at = window.lastIndexOf(end);
    if (at >= window.length / 2) return from + at + end.length;
  }
  const code = text.charCodeAt(furthest);
  const isHalf = code >= 0xdc00 && code < 0xe000;
  return isHalf ? furthest - 1 : furthest;
}
