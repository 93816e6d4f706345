/** Whatever anybody who is shown a text takes for the end of a line. */
const lineEnd = /\r\n|[\n\v\f\r\x1c-\x1e\u0085\u2028\u2029]/;

export function linesOf(text: string): string[] {
  return text.split(lineEnd);
}
