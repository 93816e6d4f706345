// Each attempt at a call leaves a record: what cannot be fired now is tried again later and later, and not in every round.
import type { HeldIntent } from "./intent-documents.ts";

const shortestMs = 5000;
const longestMs = 3_600_000;
const mostRemembered = 10_000;

export class FiringWaits {
  readonly #waits = new Map<string, { readonly until: number; readonly ms: number }>();

  /** Attempts to fire an intent, unless it is too early for that; then the intent stays as it is. */
  async attempt(held: HeldIntent, now: number, fire: () => Promise<HeldIntent>): Promise<HeldIntent> {
    const name = JSON.stringify([held.accountId, held.intent.intentId]);
    const wait = this.#waits.get(name);
    if (wait !== undefined && now < wait.until) return held;
    try {
      const fired = await fire();
      this.#waits.delete(name);
      return fired;
    } catch (fault) {
      // Of those that have ended otherwise nobody tells: all are forgotten now and then.
      if (this.#waits.size >= mostRemembered) this.#waits.clear();
      const ms = wait === undefined ? shortestMs : Math.min(2 * wait.ms, longestMs);
      this.#waits.set(name, { until: now + ms, ms });
      throw fault;
    }
  }
}
