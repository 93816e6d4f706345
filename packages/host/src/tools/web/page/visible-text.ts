const unseen = /\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu;
const unusual = /[^\n\x20-\x7e]/;
const control = /(?![\t\n])\p{Cc}/gu;

/**
 * A text without what nobody sees and a model reads all the same: zero-width characters, tags, variation selectors, marks that turn the
 * direction of writing, and control characters. Line ends are one character.
 */
export function visibleText(text: string): string {
  if (!unusual.test(text)) return text;
  return text
    .replaceAll(/\r\n?|[\u2028\u2029\u0085\f\v]/g, "\n")
    .replaceAll(unseen, "")
    .replaceAll(control, "");
}
