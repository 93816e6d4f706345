import { endsRun } from "@spfunctions/contracts";
import {
  type Clock,
  type EventPage,
  type EventScope,
  Openings,
  type PlacedEvent,
  readAccountEvents,
  type Store,
  type Watched,
  watchingOf,
} from "@spfunctions/kernel";
import { shownEvent } from "./shown-event.ts";
import { atOnce, type InTurn } from "./turns.ts";
import type { Listener, Wakes } from "./wakes.ts";

export type EventFeedTerms = EventScope & {
  readonly store: Store;
  readonly accountId: string;
  /** The first event is the one after it. */
  readonly cursor: string;
  readonly wakes: Wakes;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Nothing is sent for no longer than this. */
  readonly heartbeatMs: number;
  readonly clock: Clock;
  /** Asked before anything is sent: whether whoever listens may not listen any more. */
  readonly isOver?: (() => boolean | Promise<boolean>) | undefined;
  /** What that depends on, as far as other processes write it, and who is told when it has moved. */
  readonly overBy?: { readonly watched: () => readonly Watched[]; readonly moved: () => void } | undefined;
  /** When the journal is read; at once unless said. */
  readonly inTurn?: InTurn | undefined;
  /** Told once that it has ended, whoever ended it. */
  readonly ended?: (() => void) | undefined;
  /** Events of a page, which is all that is ever in memory. */
  readonly pageEvents?: number | undefined;
};

const encoder = new TextEncoder();

/** Reads when it is asked for more, and waits when there is none. Of one run it ends after the run's last event. */
export class EventFeed implements UnderlyingDefaultSource<Uint8Array> {
  readonly #terms: EventFeedTerms;
  readonly #listener: Listener;
  readonly #openings = new Openings();
  readonly #ended = new AbortController();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #cursor: string;
  #page: EventPage | undefined;
  /** How far the journal was read, once there was nothing more: before it has moved it is not read again. */
  #seen: readonly Watched[] | undefined;
  /** Whether it has read all there was: what comes then is little, and whoever is told of it at the same time reads it with one statement. */
  #isCaughtUp = false;
  #sentAt: number;

  constructor(terms: EventFeedTerms) {
    this.#terms = terms;
    this.#cursor = terms.cursor;
    this.#sentAt = terms.clock.elapsed();
    this.#listener = terms.wakes.listen(terms.accountId);
    terms.signal.addEventListener("abort", this.end);
    if (terms.signal.aborted) this.end();
  }

  /** The page that comes next, which stays the next one. */
  async peek(): Promise<EventPage> {
    const { inTurn = atOnce } = this.#terms;
    this.#page ??= await (this.#isCaughtUp ? atOnce : inTurn)(() => this.#read());
    this.#isCaughtUp = this.#page.isCaughtUp;
    return this.#page;
  }

  async #read(): Promise<EventPage> {
    // Nobody is left to read it for.
    if (this.#isEnded) return { events: [], cursor: this.#cursor, isCaughtUp: true, seen: [] };
    const { store, accountId, runId, keyId, pageEvents: limit = 100 } = this.#terms;
    const query = { limit, runId, keyId, openings: this.#openings };
    return await readAccountEvents(store, accountId, this.#cursor, query);
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    if (this.#isEnded) return controller.close();
    // Whoever loses the connection before the first event comes again with this, and misses nothing.
    controller.enqueue(encoder.encode(`id: ${this.#cursor}\n\n`));
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      let text = "";
      // oxlint-disable-next-line no-await-in-loop -- until there is something
      while (text === "" && !this.#isEnded) text = await this.#next();
      if (this.#isEnded) return;
      controller.enqueue(encoder.encode(text));
      this.#sentAt = this.#terms.clock.elapsed();
      if (this.#page !== undefined && this.#isLast(this.#page)) this.end();
      this.#page = undefined;
    } catch (error) {
      this.cancel();
      throw error;
    }
  }

  /** Whoever read it has gone. */
  cancel(): void {
    this.#controller = undefined;
    this.end();
  }

  readonly end = (): void => {
    if (this.#isEnded) return;
    this.#ended.abort();
    this.#terms.signal.removeEventListener("abort", this.end);
    this.#listener.close();
    this.#controller?.close();
    this.#terms.ended?.();
  };

  get #isEnded(): boolean {
    return this.#ended.signal.aborted;
  }

  /** What is to be sent next; nothing where it has to be looked at again. */
  async #next(): Promise<string> {
    if ((await this.#terms.isOver?.()) === true) {
      this.end();
      return "";
    }
    if (this.#seen === undefined) {
      const { events, cursor, isCaughtUp, seen } = await this.peek();
      this.#cursor = cursor;
      this.#seen = isCaughtUp ? seen : undefined;
      if (events.length > 0) return events.map(messageOf).join("");
      this.#page = undefined;
    }
    const left = this.#sentAt + this.#terms.heartbeatMs - this.#terms.clock.elapsed();
    if (left <= 0) return `: still here\nid: ${this.#cursor}\n\n`;
    if (this.#seen !== undefined && (await this.#untilMoved(this.#seen, left))) this.#seen = undefined;
    return "";
  }

  /** Whether there may be more, before this time is over. */
  async #untilMoved(seen: readonly Watched[], ms: number): Promise<boolean> {
    const { store, clock, overBy } = this.#terms;
    const watching = watchingOf(store, clock);
    const stops = [
      watching.watch(seen, () => this.#listener.wake()),
      watching.watch(overBy?.watched() ?? [], () => {
        overBy?.moved();
        this.#listener.wake();
      }),
    ];
    try {
      return (await this.#listener.wait(clock, ms, this.#ended.signal)) === "woken";
    } finally {
      for (const stop of stops) stop();
    }
  }

  #isLast({ events }: EventPage): boolean {
    return this.#terms.runId !== undefined && events.some(({ event }) => endsRun(event));
  }
}

function messageOf({ event, cursor }: PlacedEvent): string {
  return `id: ${cursor}\nevent: ${event.type}\ndata: ${JSON.stringify(shownEvent(event))}\n\n`;
}
