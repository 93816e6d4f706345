// What a terminal shows: it begins a new row where the next character has no room in this one.

const wide =
  /[\u1100-\u115f\u231a-\u23ff\u25fd\u25fe\u2600-\u27bf\u2b1b-\u2b55\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1aff0}-\u{1b2fb}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** The rows of a text, without colours, on a terminal that is this wide. */
export function terminalRows(text: string, columns: number): string[] {
  const rows = [""];
  let column = 0;
  for (const [character] of text.replaceAll(/\u001b\[[\d;]*m/g, "").matchAll(/\P{M}\ufe0f?|\p{M}/gsu)) {
    const width = character.endsWith("\ufe0f") || wide.test(character) ? 2 : /\p{M}/u.test(character) ? 0 : 1;
    if (character === "\n" || column + width > columns) {
      rows.push("");
      column = 0;
    }
    if (character === "\n") continue;
    rows[rows.length - 1] += character;
    column += width;
  }
  return rows;
}
