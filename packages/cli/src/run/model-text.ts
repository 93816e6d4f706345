// What a model says stands on lines that are marked as the model's, whatever it writes there: none of it looks like a line of ours, and
// none of it moves a cursor or changes a colour.
import type { Printer } from "../io/printer.ts";

/** What every row of it begins with. */
export const mark = { text: "  │ ", style: "dim", isOnEveryRow: true } as const;
/**
 * What is shown of one answer of a model.
 * @limit cli.modelChars | the rest is not shown, and that is said; its record is whole | fixed: a person reads no more
 */
const mostShown = 20_000;
/** Where a line is not seen growing, a longer one is broken. */
const longestLine = 2000;

export class ModelText {
  readonly #print: Pick<Printer, "err" | "piece">;
  readonly #isSeenGrowing: boolean;
  /** Of this answer so far. */
  #said = "";
  /** Of the line so far. */
  #line = "";
  /** What is only known with what follows. */
  #held = "";
  #isCut = false;

  constructor(print: Pick<Printer, "err" | "piece">, isSeenGrowing: boolean) {
    this.#print = print;
    this.#isSeenGrowing = isSeenGrowing;
  }

  /** What was shown of this answer; nothing where that is not all of it. */
  get whole(): string | undefined {
    return this.#isCut ? undefined : this.#said;
  }

  /** The next answer. */
  begin(): void {
    this.end();
    this.#said = "";
    this.#isCut = false;
  }

  push(text: string): void {
    if (this.#isCut) return;
    const room = mostShown - this.#said.length;
    this.#show(text.slice(0, room));
    if (text.length <= room) return;
    this.#isCut = true;
    this.end();
    this.#print.err(mark, { text: "… and more, which is not shown", style: "dim" });
  }

  /** Whatever is said next begins on a line of its own. */
  end(): void {
    this.#write(this.#held);
    this.#held = "";
    if (this.#line !== "") this.#endLine();
  }

  #show(text: string): void {
    this.#said += text;
    const pending = `${this.#held}${text}`;
    const [held = ""] = /(?:\r|[\u200c\u200d]?[\ud800-\udbff]?)$/.exec(pending) ?? [];
    this.#held = held;
    this.#write(pending.slice(0, pending.length - held.length));
  }

  #write(text: string): void {
    const [first = "", ...more] = text.replaceAll("\r\n", "\n").split("\n");
    this.#grow(first);
    for (const line of more) {
      this.#endLine();
      this.#grow(line);
    }
  }

  #grow(text: string): void {
    if (text === "") return;
    if (this.#isSeenGrowing && this.#line === "") this.#print.piece(mark);
    this.#line += text;
    if (this.#isSeenGrowing) this.#print.piece(text);
    else if (this.#line.length > longestLine) this.#endLine();
  }

  #endLine(): void {
    if (!this.#isSeenGrowing) this.#print.err(mark, this.#line);
    else if (this.#line === "") this.#print.err(mark);
    else this.#print.err();
    this.#line = "";
  }
}
