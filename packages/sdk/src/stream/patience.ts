import { errorFor } from "@spfunctions/contracts";
import type { Limits } from "../options/limits.ts";
import type { Failure } from "../wire/outcome.ts";
import { backoffMs } from "../wire/wait-before-retry.ts";

/**
 * How long a platform that was there once may be away.
 * @limit client.streamAbsenceMs | its error is thrown, with the cursor to go on from | fixed: long enough for a restart
 */
const longestAbsenceMs = 5 * 60_000;
const longestWaitMs = 30_000;

/** How long a follower of events puts up with breaks. One that never got through gives up as early as a call does. */
export class Patience {
  readonly #limits: Limits;
  #wasConnected = false;
  #failures = 0;
  #awaySince: number | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  connected(): void {
    this.#wasConnected = true;
  }

  /** Bytes came: whatever went wrong before is forgotten. */
  progressed(): void {
    this.#failures = 0;
    this.#awaySince = undefined;
  }

  /** The time to wait before the next connection; throws what went wrong when there is no more to be hoped for. */
  waitAfter({ error, mayHelp, retryAfterMs = 0 }: Failure, serverMs = 0, cursor = ""): number {
    const { timing, retries } = this.#limits;
    this.#failures++;
    this.#awaySince ??= timing.elapsed();
    const isGone = timing.elapsed() - this.#awaySince > longestAbsenceMs;
    if (!mayHelp || isGone || (!this.#wasConnected && this.#failures > retries)) {
      const { code, message, retry, details, cause } = error;
      const where = cursor === "" ? {} : { cursor };
      throw errorFor(code, message, { details: { ...details, ...where }, retry, cause });
    }
    return Math.min(
      longestWaitMs,
      Math.max(backoffMs(this.#failures, timing.random), serverMs, retryAfterMs),
    );
  }
}
