import type { Clock } from "@spfunctions/kernel";

/** Why nobody waits any more. */
export type Early = "cancelled" | "silent";

/** One signal for the two ways in which a request ends early: whoever asked has given up, or nothing was heard for too long. */
export class Patience {
  readonly #controller = new AbortController();
  readonly #ended = Promise.withResolvers<never>();
  readonly #clock: Pick<Clock, "after">;
  readonly #silenceMs: number;
  readonly #asker: AbortSignal;
  readonly #cancel = () => this.#end("cancelled");
  #callOff: () => void;
  #early: Early | undefined;

  constructor(clock: Pick<Clock, "after">, silenceMs: number, asker: AbortSignal) {
    this.#clock = clock;
    this.#silenceMs = silenceMs;
    this.#asker = asker;
    // Nobody need be waiting when it ends.
    this.#ended.promise.catch(() => {});
    this.#callOff = clock.after(silenceMs, () => this.#end("silent"));
    asker.addEventListener("abort", this.#cancel, { once: true });
    if (asker.aborted) this.#cancel();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get early(): Early | undefined {
    return this.#early;
  }

  /** Something was heard: the silence begins anew. */
  heard(): void {
    this.#callOff();
    this.#callOff = this.#clock.after(this.#silenceMs, () => this.#end("silent"));
  }

  /** What it comes to, or a rejection as soon as nobody waits, also where whoever works on it takes no notice. */
  race<Value>(work: Promise<Value>): Promise<Value> {
    return Promise.race([this.#ended.promise, work]);
  }

  /** Nothing is left behind: no timer, no listener, no connection that still brings something. */
  close(): void {
    this.#callOff();
    this.#asker.removeEventListener("abort", this.#cancel);
    this.#controller.abort();
  }

  #end(early: Early): void {
    this.#early ??= early;
    this.#callOff();
    this.#ended.reject(new Error(early));
    this.#controller.abort();
  }
}
