/** Two texts as one that no other two give, whatever is in them. */
export function compositeKey(first: string, second: string): string {
  return `${first.length}:${first}${second}`;
}
