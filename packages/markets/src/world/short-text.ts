/** A text on one line, without what cannot be seen, of at most `most` characters. */
export function shortText(text: string, most: number): string {
  const plain = text
    .slice(0, 8 * most)
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .trim();
  const characters = Array.from(plain);
  return characters.length <= most ? plain : `${characters.slice(0, most - 1).join("")}…`;
}
