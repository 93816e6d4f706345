// Names, messages and answers come from others. What could move a cursor, change colours, turn the direction of writing or stand there
// unseen is shown as an escape, so that a screen never says anything but what is there.

/** What has no look of its own: it drives, it separates, it is ignored, or nobody knows what it looks like. One space is seen. */
const withoutLook = String.raw`[[\p{Cc}\p{Cf}\p{Z}\p{Cn}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]--[ ]]`;
const picture = String.raw`[\p{Extended_Pictographic}--\p{Cn}]`;
const joinedScripts =
  "Arabic Syriac Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala";
const scripts = joinedScripts.replaceAll(/\w+ ?/g, (name) => String.raw`\p{Script=${name.trim()}}`);
const joined = String.raw`[[${scripts}]&&[\p{L}\p{M}]]`;
/** What is seen by what it makes of its neighbours: a picture of several, and letters that are written joined or apart. */
const shaping = [
  String.raw`(?<=${picture})\ufe0f`,
  String.raw`(?<=${picture}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=${picture})`,
  String.raw`(?<=${joined})[\u200c\u200d](?=${joined})`,
].join("|");
const unseen = new RegExp(`(?!${shaping})${withoutLook}`, "gv");
const shortForms: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** One line of text in which every character can be seen, or is seen by what it makes of its neighbours; `before`: what it follows. */
export function visible(text: string, before = ""): string {
  if (before !== "") return visible(before + text).slice(visible(before).length);
  return text.toWellFormed().replaceAll(unseen, (character) => shortForms[character] ?? byNumber(character));
}

/** JSON text of the same value, in which the same can be seen. */
export function visibleJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent) ?? "null";
  return text.replaceAll(unseen, (character) => (character === "\n" ? character : inJson(character)));
}

function byNumber(character: string): string {
  return character.length === 1 ? inJson(character) : `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

function inJson(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
