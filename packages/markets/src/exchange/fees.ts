/** Hundredths of what is at stake that whoever takes pays; whoever stands pays nothing. */
const feeRate = 7;

/** Counts what an order's fills cost in fees: the whole is rounded up once, however many fills there are. */
export class FeeCount {
  #exact = 0;
  #charged = 0;

  /** The fee of one more fill, in cents. At 50 it is dearest, and at the ends next to nothing. */
  add(priceCents: number, quantity: number): number {
    this.#exact += feeRate * quantity * priceCents * (100 - priceCents);
    const due = Math.ceil(this.#exact / 10_000);
    const fee = due - this.#charged;
    this.#charged = due;
    return fee;
  }
}
