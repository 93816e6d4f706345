/** A text in two pieces, neither with half of a character. */
export function halvesOf(text: string): string[] {
  const characters = Array.from(text);
  const middle = Math.ceil(characters.length / 2);
  return [characters.slice(0, middle).join(""), characters.slice(middle).join("")].filter(
    (half) => half !== "",
  );
}
