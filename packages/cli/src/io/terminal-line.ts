// Where a terminal breaks a line itself, what others say goes on at its very edge, and looks like a line of ours. So it is broken before.
import { widthOf } from "./text-width.ts";

const coloursOrCharacter = /\u001b\[[\d;]*m|./gsu;
const wordOrSpace = /[^ ]+| /gu;

export class TerminalLine {
  readonly #columns: number;
  readonly #margin: string;
  #column = 0;

  /** `margin` is what every further row begins with. */
  constructor(columns: number, margin: string) {
    this.#columns = columns;
    this.#margin = margin;
  }

  /** What is written for the next of its text, which is visible, and perhaps coloured by us. */
  add(text: string): string {
    if (this.#columns === Infinity) return text;
    return text.replaceAll(coloursOrCharacter, (found) => this.#place(found));
  }

  /** The same of a line that is there as a whole: a word that has room on a row of its own is not broken. */
  addWords(text: string): string {
    if (this.#columns === Infinity) return text;
    return text.replaceAll(wordOrSpace, (word) => this.#placeWord(word));
  }

  #placeWord(word: string): string {
    const [width, margin] = [widthIn(word), widthIn(this.#margin)];
    const isBroken = this.#column + width > this.#columns;
    if (!isBroken || this.#column <= margin || margin + width > this.#columns) return this.add(word);
    this.#column = margin;
    // The space between two words is what the row's end stands for.
    return `\n${this.#margin}${word === " " ? "" : this.add(word)}`;
  }

  #place(found: string): string {
    const width = widthIn(found);
    const isFull = this.#column + width > this.#columns;
    this.#column = width + (isFull ? widthIn(this.#margin) : this.#column);
    return isFull ? `\n${this.#margin}${found}` : found;
  }
}

function widthIn(text: string): number {
  return widthOf(text.replaceAll(/\u001b\[[\d;]*m/g, ""));
}
