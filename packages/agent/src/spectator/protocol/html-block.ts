/** What stands in HTML is no Markdown (CommonMark 4.6): each kind begins a line, and ends with one that has its end, or a blank one. */
const kinds: readonly { readonly begin: RegExp; readonly end: RegExp }[] = [
  {
    begin: /^<(?:script|pre|style|textarea)(?:[\s>]|$)/i,
    end: /<\/(?:script|pre|style|textarea)>/i,
  },
  { begin: /^<!--/, end: /-->/ },
  { begin: /^<\?/, end: /\?>/ },
  { begin: /^<!\[CDATA\[/, end: /\]\]>/ },
  { begin: /^<![a-z]/i, end: />/ },
  { begin: /^<\/?[a-z]/i, end: /^[ \t]*$/ },
];

/** The kinds of HTML that may be open after a line, of which `text` comes after the marks of quotes and lists. */
export function htmlAfter(open: readonly number[], line: string, text: string): readonly number[] {
  if (open.length === 0 && !text.startsWith("<")) return open;
  return [...kinds.entries()].flatMap(([kind, { begin, end }]) =>
    (open.includes(kind) || begin.test(text)) && !end.test(line) ? [kind] : [],
  );
}
