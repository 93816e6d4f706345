/** What a process prints, up to so many bytes. */
export class CapturedText {
  readonly #most: number;
  readonly #pieces: Buffer[] = [];
  #bytes = 0;
  #isCut = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether there was more than this. */
  get isCut(): boolean {
    return this.#isCut;
  }

  take(piece: Buffer): void {
    const kept = piece.subarray(0, this.#most - this.#bytes);
    this.#isCut ||= kept.length < piece.length;
    this.#bytes += kept.length;
    if (kept.length > 0) this.#pieces.push(kept);
  }

  /** What is no UTF-8 is replaced; where it was cut, half a character is left out. */
  toString(): string {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return decoder.decode(Buffer.concat(this.#pieces), { stream: this.#isCut });
  }
}
