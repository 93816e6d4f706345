// Whether the keys that have armed something may still order. A key is asked about once in a round, however much it has armed, and so
// many keys at most: the next round begins with those that this one has not come to.
import type { MarketsHost } from "../tools/markets-host.ts";

/** How many keys are asked about in one round. */
export const keysPerRound = 50;

export class ArmedKeys {
  readonly #mayCall: MarketsHost["mayCall"];
  /** Those that were asked about since all were. */
  #done = new Set<string>();
  #answers = new Map<string, Promise<boolean>>();
  #hasLeftOut = false;

  constructor(mayCall: MarketsHost["mayCall"]) {
    this.#mayCall = mayCall;
  }

  /** What was answered in the round before is forgotten. */
  beginRound(): void {
    if (!this.#hasLeftOut) this.#done = new Set();
    this.#hasLeftOut = false;
    this.#answers = new Map();
  }

  /** Whether it is known in this round that a key may not place orders any more. Where nobody could be asked, it is not known. */
  async hasEnded(accountId: string, keyId: string): Promise<boolean> {
    if (this.#mayCall === undefined) return false;
    const name = JSON.stringify([accountId, keyId]);
    const known = this.#answers.get(name);
    if (known !== undefined) return !(await known);
    if (this.#done.has(name)) return false;
    if (this.#answers.size >= keysPerRound) {
      this.#hasLeftOut = true;
      return false;
    }
    this.#done.add(name);
    const answer = this.#mayCall(accountId, keyId, "execution.place");
    this.#answers.set(name, answer);
    return !(await answer);
  }
}
