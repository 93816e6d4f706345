// The real one, also where a test has put fake timers in its place.
import { setImmediate } from "node:timers";
import type { CommitResult } from "@spfunctions/kernel";
import { isPassing, isRefusal } from "./postgres-faults.ts";
import type { WordedUnit } from "./unit-words.ts";

type Waiting = {
  readonly unit: WordedUnit;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (fault: unknown) => void;
};

export type Sender = {
  /** Writes units in one transaction, each all or nothing, and answers for each. */
  readonly send: (units: readonly WordedUnit[]) => Promise<readonly CommitResult[]>;
  /** Told when nothing is waiting. */
  readonly rest: () => void;
};

/** So many steps hold few enough of the server's locks. */
const mostTouches = 256;
const mostTries = 5;

/**
 * Gathers the units of one turn of the event loop, and those that come while others are written, into one statement. One
 * statement is under way at a time, so commits come out in the order in which they were asked for.
 */
export class CommitQueue {
  readonly #sender: Sender;
  readonly #faultOf: (error: unknown) => Error;
  #waiting: Waiting[] = [];
  #isBusy = false;
  #idle = Promise.withResolvers<void>();

  constructor(sender: Sender, faultOf: (error: unknown) => Error) {
    this.#sender = sender;
    this.#faultOf = faultOf;
    this.#idle.resolve();
  }

  add(unit: WordedUnit): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ unit, resolve, reject });
      if (this.#isBusy) return;
      this.#isBusy = true;
      this.#idle = Promise.withResolvers();
      setImmediate(() => void this.#write());
    });
  }

  /** Once everything that was asked for is answered. */
  async idle(): Promise<void> {
    await this.#idle.promise;
  }

  async #write(): Promise<void> {
    const gathered = this.#gather();
    await this.#answer(gathered);
    // Whoever was answered may ask for the next in the same turn.
    setImmediate(() => {
      if (this.#waiting.length > 0) {
        void this.#write();
        return;
      }
      this.#isBusy = false;
      this.#sender.rest();
      this.#idle.resolve();
    });
  }

  #gather(): Waiting[] {
    let touches = 0;
    const end = this.#waiting.findIndex(({ unit }, at) => {
      touches += unit.touches.length;
      return at > 0 && touches > mostTouches;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #answer(gathered: readonly Waiting[]): Promise<void> {
    try {
      const results = await this.#trySend(gathered.map(({ unit }) => unit));
      for (const [at, { resolve, reject }] of gathered.entries()) {
        const result = results[at];
        if (result === undefined) reject(this.#faultOf(new Error("the server gave no answer for this unit")));
        else resolve(result);
      }
    } catch (error) {
      // What the server refused was rolled back; whose fault it was shows when each is sent alone.
      if (gathered.length > 1 && isRefusal(error)) {
        // oxlint-disable-next-line no-await-in-loop -- in the order in which they came
        for (const one of gathered) await this.#answer([one]);
        return;
      }
      const fault = this.#faultOf(error);
      for (const { reject } of gathered) reject(fault);
    }
  }

  async #trySend(units: readonly WordedUnit[]): Promise<readonly CommitResult[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- try after try
        return await this.#sender.send(units);
      } catch (error) {
        if (!isPassing(error) || tries === mostTries) throw error;
      }
    }
  }
}
