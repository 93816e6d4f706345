import { InvalidInputError } from "@spfunctions/contracts";
import { type Clock, passed } from "@spfunctions/kernel";

export type TickTerms = {
  /** A tick, in milliseconds; a minute unless given. */
  readonly everyMs?: number | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
};

/** The time now, and at the beginning of every tick from then on. Ticks are the same for everybody: they begin with whole multiples. */
export async function* eachTick(
  clock: Clock,
  { everyMs = 60_000, signal }: TickTerms,
): AsyncGenerator<number, void, void> {
  if (!Number.isSafeInteger(everyMs) || everyMs < 1 || everyMs > 2 ** 31 - 1)
    throw new InvalidInputError("everyMs is a whole number of milliseconds from 1 to 2147483647", {
      details: { path: "/everyMs", reason: "bad_option" },
    });
  for (let goesOn = signal?.aborted !== true; goesOn; ) {
    const now = clock.now();
    yield now;
    const next = (Math.floor(now / everyMs) + 1) * everyMs;
    // A clock that was set back while somebody looked at this one holds nobody up.
    // oxlint-disable-next-line no-await-in-loop -- tick by tick
    goesOn = await passed(clock, Math.max(1, Math.min(next - clock.now(), everyMs)), [signal]);
  }
}
