// Where a terminal breaks a line itself, what others say goes on at its very edge, and looks like a line of ours. So it is broken before.
import { widthOf } from "./text-width.ts";

const coloursOrCharacter = /\u001b\[[\d;]*m|./gsu;

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
