// What is live is seen in its place among what is on record: a delta after the turn that it is of has begun, and before that has ended.
import type { RuntimeEvent } from "@spfunctions/contracts";
import { mostLiveWaiting, type WatchRun } from "@spfunctions/kernel";

type Waiting = { readonly event: RuntimeEvent; readonly after: number };

/** What is live of a run, for everybody who looks. Whoever looks first has missed nothing. */
export class LiveFeed {
  readonly #readers = new Set<LiveReader>();
  #first: LiveReader | undefined = this.#add();

  readonly watch: WatchRun = (event, after) => {
    for (const reader of this.#readers) reader.push({ event, after });
  };

  reader(): LiveReader {
    const reader = this.#first ?? this.#add();
    this.#first = undefined;
    return reader;
  }

  #add(): LiveReader {
    const reader = new LiveReader(() => this.#readers.delete(reader));
    this.#readers.add(reader);
    return reader;
  }
}

export class LiveReader {
  readonly close: () => void;
  #waiting: Waiting[] = [];
  #arrived = Promise.withResolvers<void>();

  constructor(close: () => void) {
    this.close = close;
  }

  push(one: Waiting): void {
    if (this.#waiting.length >= mostLiveWaiting) this.#waiting.shift();
    this.#waiting.push(one);
    this.#arrived.resolve();
  }

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
}

/** The journal's events, all after `seen`, with what is live between them. `stop` ends the reading of them. */
export async function* withLive(
  journaled: AsyncGenerator<RuntimeEvent>,
  live: LiveReader,
  stop: AbortController,
  seen = 0,
): AsyncGenerator<RuntimeEvent> {
  let last = seen;
  let next = journaled.next();
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- as they come
      const got = await Promise.race([next, nothingMore()]);
      if (got === undefined) {
        yield* live.take(last);
        // oxlint-disable-next-line no-await-in-loop -- whichever comes first
        await Promise.race([next, live.more]);
        continue;
      }
      if (got.done === true) return;
      const event = got.value;
      if ("seq" in event) {
        yield* live.take(event.seq - 1);
        last = event.seq;
      }
      yield event;
      next = journaled.next();
    }
  } finally {
    live.close();
    stop.abort();
    await next.catch(() => undefined);
  }
}

/** The events of one record come without a pause: after one, what is live after that record has happened. */
async function nothingMore(): Promise<undefined> {
  return await new Promise((resolve) => {
    setImmediate(() => resolve(undefined));
  });
}
