// J2: what is committed to survive the death of this process does not survive a hard stop of the server that keeps it. Its writer keeps it
// until something later in the same stream is committed to survive that, too, and can write it again.
import type { SealedRecord, Unit } from "../store/store.ts";

/** A unit as it was sent, with its records of the stream. */
export type SentUnit = { readonly unit: Unit; readonly records: readonly SealedRecord[] };

/** From so many characters on, the next commit is to make everything before it survive. */
const maxChars = 64_000;

/** What was committed of one stream and may be forgotten, in its order. */
export class UnflushedUnits {
  #units: SentUnit[] = [];
  #chars = 0;

  /** Whether no more is to be kept in memory. */
  get isFull(): boolean {
    return this.#chars > maxChars;
  }

  get all(): readonly SentUnit[] {
    return this.#units;
  }

  /** Told of everything that turns out to be committed. */
  committed(sent: SentUnit): void {
    const seq = seqOf(sent);
    if (seq === 0) return;
    if (sent.unit.durability === "process") this.#units.push(sent);
    else this.#units = this.#units.filter((one) => seqOf(one) > seq);
    // Answers come in the order in which they were asked for, unless one was lost.
    if (seqOf(this.#units.at(-2)) > seqOf(this.#units.at(-1)))
      this.#units.sort((one, other) => seqOf(one) - seqOf(other));
    if (sent.unit.durability === "process") this.#chars += charsOf(sent);
    else this.#chars = this.#units.reduce((sum, one) => sum + charsOf(one), 0);
  }
}

/** Of its first record. */
function seqOf(sent: SentUnit | undefined): number {
  return sent?.records[0]?.seq ?? 0;
}

function charsOf({ records }: SentUnit): number {
  let chars = 0;
  for (const { text, content } of records) {
    chars += text.length;
    for (const row of content) if ("text" in row) chars += row.text.length;
  }
  return chars;
}
