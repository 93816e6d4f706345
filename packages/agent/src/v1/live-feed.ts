// What is live is seen in its place among what is on record: a delta after the turn that it is of has begun, and before that has ended.
import type { RuntimeEvent } from "@spfunctions/contracts";
import type { WatchRun } from "@spfunctions/kernel";

/** Whoever does not take them in time loses the oldest: nothing may be decided on them. */
const mostWaiting = 10_000;

type Waiting = { readonly event: RuntimeEvent; readonly after: number };

export class LiveFeed {
  #waiting: Waiting[] = [];
  #isClosed = false;
  #arrived = Promise.withResolvers<void>();

  readonly watch: WatchRun = (event, after) => {
    if (this.#isClosed) return;
    if (this.#waiting.length >= mostWaiting) this.#waiting.shift();
    this.#waiting.push({ event, after });
    this.#arrived.resolve();
  };

  /** Those that happened before a record that comes after this one was written. */
  take(seq: number): RuntimeEvent[] {
    const taken = this.#waiting.filter(({ after }) => after <= seq);
    this.#waiting = this.#waiting.filter(({ after }) => after > seq);
    if (this.#waiting.length === 0) this.#arrived = Promise.withResolvers();
    return taken.map(({ event }) => event);
  }

  /** Until there is one; of those whose record is still to be read nobody is told. */
  get more(): Promise<void> {
    return this.#waiting.length === 0 ? this.#arrived.promise : new Promise(() => {});
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
  }
}

/** The journal's events with what is live between them. `stop` ends the reading of them. */
export async function* withLive(
  journaled: AsyncGenerator<RuntimeEvent>,
  feed: LiveFeed,
  stop: AbortController,
): AsyncGenerator<RuntimeEvent> {
  let seen = 0;
  let next = journaled.next();
  try {
    for (;;) {
      yield* feed.take(seen);
      // oxlint-disable-next-line no-await-in-loop -- whichever comes first
      const got = await Promise.race([next, feed.more]);
      if (got === undefined) continue;
      if (got.done === true) return;
      const event = got.value;
      if ("seq" in event) {
        yield* feed.take(event.seq - 1);
        seen = event.seq;
      }
      yield event;
      next = journaled.next();
    }
  } finally {
    feed.close();
    stop.abort();
    await next.catch(() => undefined);
  }
}
