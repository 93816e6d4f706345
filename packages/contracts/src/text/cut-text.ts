/** A text's first characters, without half of one at the end: what is cut can still be written down. */
export function cutText(text: string, most: number): string {
  return (text.length > most ? text.slice(0, most) : text).toWellFormed();
}
