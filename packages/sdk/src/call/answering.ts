import type { Receipt } from "@spfunctions/contracts";

/** An answer with what proves it. */
export type Answer<Data> = {
  readonly data: Data;
  /** The five answers of the call, as the platform keeps them. A document has none. */
  readonly receipt?: Receipt;
  readonly requestId: string;
  /** The answer of an earlier call with the same idempotency key: nothing ran, and a secret shown then is not shown again. */
  readonly replayed: boolean;
  /** Where what the platform keeps differs from this answer: JSON pointers into the data. */
  readonly redacted: readonly string[];
};

/** The promise of a call's data. It was sent when it was made, and once, however it is asked. */
export class Answering<Data> extends Promise<Data> {
  readonly #whole: Promise<Answer<Data>>;

  /** What `then` makes of it is an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(whole: Promise<Answer<Data>>) {
    super((resolve, reject) => {
      whole.then(({ data }) => resolve(data), reject);
    });
    this.#whole = whole;
  }

  /** The data with its receipt. */
  withReceipt(): Promise<Answer<Data>> {
    this.heedOtherwise();
    return this.#whole.then((answer) => answer);
  }

  /** Who asks in another way than by awaiting is told of a failure there: it is not unhandled here. */
  protected heedOtherwise(): void {
    this.catch(() => {});
  }
}
