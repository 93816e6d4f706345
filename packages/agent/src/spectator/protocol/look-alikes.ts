// How a text looks to somebody who reads it loosely, as a model does: case, width, style, accents, invisible characters, spaces and dashes
// within a line make no difference, and what is drawn like a bracket is one.

/** Each stands for what is drawn the same: `≪` is two brackets, `⋘` three. Compatibility forms (＜, 𝐍) need no entry. */
const drawnAs: readonly (readonly [look: string, characters: string])[] = [
  ["<", "‹«〈⟨❮❰⧼˂ᐸ𖼿𝈶"],
  [">", "›»〉⟩❯❱⧽˃ᐳ𝈷"],
  ["<<", "≪⟪《⪡"],
  [">>", "≫⟫》⪢"],
  ["<<<", "⋘⫷"],
  [">>>", "⋙⫸"],
  ["=", "꓿゠᐀═"],
  ["==", "⩵"],
  ["===", "⩶"],
  ["A", "ΑАᎪꓮ"],
  ["C", "ϹСᏟꓚ"],
  ["D", "Ꭰꓓ"],
  ["E", "ΕЕᎬꓰ"],
  ["I", "ΙІӀꓲ"],
  ["J", "ЈͿᎫꓙ"],
  ["L", "Ꮮꓡ"],
  ["M", "ΜМᎷꓟ"],
  ["N", "Νꓠ"],
  ["O", "ΟОՕꓳ"],
  ["R", "Ꭱꓣ"],
  ["S", "ЅՏᏚꓢ"],
  ["T", "ΤТᎢꓔ"],
  ["V", "ѴᏙꓦ"],
  ["Y", "ΥҮᎩꓬ"],
];
const looks = new Map(drawnAs.flatMap(([look, same]) => Array.from(same, (one) => [one, look] as const)));

const unseen = /[\p{M}\p{C}\p{Z}\p{Pc}\p{Pd}\p{Default_Ignorable_Code_Point}]/gu;
const plain = Array.from({ length: 128 }, (_, code) => lookOfPlain(String.fromCharCode(code)));

export type Looks = {
  /** The text as it looks. */
  readonly look: string;
  /** Of each unit of `look`, where in the text it comes from. */
  readonly from: readonly number[];
};

export function looksOf(text: string): Looks {
  const parts: string[] = [];
  const from: number[] = [];
  // A text has few characters, many times over.
  const known = new Map<string, string>();
  let at = 0;
  for (const character of text) {
    let look = plain[character.charCodeAt(0)] ?? known.get(character);
    if (look === undefined) {
      look = lookOf(character);
      known.set(character, look);
    }
    if (look !== "") parts.push(look);
    for (let unit = 0; unit < look.length; unit++) from.push(at);
    at += character.length;
  }
  return { look: parts.join(""), from };
}

function lookOf(character: string): string {
  const drawn = looks.get(character);
  if (drawn !== undefined) return drawn;
  const bare = character.normalize("NFKD").replaceAll(unseen, "").toUpperCase();
  return Array.from(bare, (one) => looks.get(one) ?? one).join("");
}

/** A line's end is seen: nothing that we look for goes over one. */
function lookOfPlain(character: string): string {
  if (character === "\n") return character;
  return /[\0-\x20\x7f_-]/.test(character) ? "" : character.toUpperCase();
}
