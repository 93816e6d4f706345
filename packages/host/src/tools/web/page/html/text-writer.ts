import { visibleText } from "../visible-text.ts";

/** Puts the text of a page together: white space as a browser shows it, and lines where blocks end. */
export class TextWriter {
  readonly #pieces: string[] = [];
  readonly #most: number;
  #length = 0;
  #lines = 0;
  #hasSpace = false;
  #mark = "";

  constructor(most: number) {
    this.#most = most;
  }

  /** Grows with everything that is written. */
  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length > this.#most;
  }

  text(): string {
    return this.#pieces.join("");
  }

  /** Running text. */
  write(text: string): void {
    const shown = visibleText(text).replaceAll(/[\s\u00a0]+/g, " ");
    const words = shown.trim();
    if (shown.startsWith(" ")) this.#hasSpace = true;
    if (words === "") return;
    this.#add(words);
    this.#hasSpace = shown.endsWith(" ");
  }

  /** Text whose lines are its own. */
  writeLines(text: string): void {
    const [first = "", ...rest] = visibleText(text).split("\n");
    if (first !== "") this.#add(first);
    for (const line of rest) {
      this.end(Math.min(2, this.#lines + 1));
      if (line !== "") this.#add(line);
    }
  }

  space(): void {
    this.#hasSpace = true;
  }

  /** Ends the line; with 2 an empty one follows. */
  end(lines: number): void {
    this.#lines = Math.max(this.#lines, lines);
  }

  /** Stands before what is written next, and only if something is. */
  mark(mark: string, indent = ""): void {
    this.#mark = indent + mark;
  }

  #add(words: string): void {
    const isStart = this.#length === 0;
    const between =
      this.#lines > 0 ? (isStart ? "" : "\n".repeat(this.#lines)) : this.#hasSpace && !isStart ? " " : "";
    const piece = between + this.#mark + words;
    this.#lines = 0;
    this.#hasSpace = false;
    this.#mark = "";
    this.#pieces.push(piece);
    this.#length += piece.length;
  }
}
