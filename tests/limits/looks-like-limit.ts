/** Whether a constant's name says that it bounds something. */
export function looksLikeLimit(name: string): boolean {
  return (
    /^(?:max|most|longest|deepest|largest|limit|usual|default)(?=[A-Z]|$)/.test(name) ||
    /(?:Ms|Bytes|Chars|Seconds|Tokens|Limits?)$/.test(name)
  );
}
