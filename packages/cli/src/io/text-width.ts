/** Whose letters take one column of a terminal. Of all others, and of signs that are not known here, two are taken: rather too many. */
const narrowScripts = "Latin Greek Cyrillic Armenian Georgian Hebrew Arabic Devanagari Thai";
const scripts = narrowScripts.replaceAll(/\w+ ?/g, (name) => String.raw`\p{Script=${name.trim()}}`);
const fullWidth = String.raw`\uff00-\uffef\p{Extended_Pictographic}`;
const narrow = new RegExp(
  String.raw`[[\u0020-\u007e\u00a1-\u00ff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf${scripts}]--[${fullWidth}]]`,
  "v",
);
const onAnother = /[\p{Mn}\p{Me}]/u;

/** How many columns of a terminal a text takes at most. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += onAnother.test(character) ? 0 : narrow.test(character) ? 1 : 2;
  return width;
}
