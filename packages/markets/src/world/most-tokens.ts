/**
 * Tokens that a text of words in any script has at most: small letters make a token of three or more, capitals, digits and
 * punctuation of two, and a character beyond ASCII that a tokenizer has not learned is a token for each of its bytes.
 */
export function mostTokens(text: string): number {
  let tokens = 0;
  for (const character of text) {
    if (character > "\u007f") tokens += Buffer.byteLength(character);
    else tokens += /[a-z ]/.test(character) ? 1 / 3 : 1 / 2;
  }
  return Math.ceil(tokens);
}
