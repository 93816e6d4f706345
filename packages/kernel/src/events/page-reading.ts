import { type AgentEvent, JournalCorruptError } from "@spfunctions/contracts";
import type { StoredDocument, StoredRecord, Watched } from "../store/store.ts";
import { cursorText, type Mark, notACursor } from "./event-cursor.ts";
import { stillGrowing } from "./growing-segments.ts";
import { type EventSource, projectStored } from "./project-stored.ts";
import { chunk, readChunk } from "./read-chunk.ts";
import { journalEnd, lastIn, segmentsAfter } from "./segment-chain.ts";
import { journalKind } from "../store/kernel-kinds.ts";

/** An event, and the cursor right after it. */
export type PlacedEvent = { readonly event: AgentEvent; readonly cursor: string };

export type EventPage = {
  readonly events: readonly PlacedEvent[];
  /** After everything that was read, shown or not. */
  readonly cursor: string;
  /** Whether everything there was when it was asked for has been read; otherwise there may be more at once. */
  readonly isCaughtUp: boolean;
  /** How far the journal has been read: there is nothing more before one of these has moved, if it is caught up. */
  readonly seen: readonly Watched[];
};

/** A page that finds little ends all the same, so that whoever asked can stop. */
const maxRecords = 4096;

/** Segments that are read at once: of so many one statement asks. */
const maxAhead = 16;

/** One page on its way: segment after segment, each as far as it goes. */
export class PageReading {
  readonly #source: EventSource;
  readonly #limit: number;
  readonly #events: PlacedEvent[] = [];
  #marks: Mark[];
  #records = 0;
  /** The first records of each segment and the one before them, which shows that the mark was reached. */
  readonly #ahead = new Map<string, Promise<StoredRecord[]>>();

  constructor(source: EventSource, marks: readonly Mark[], limit: number) {
    this.#source = source;
    this.#marks = [...marks];
    this.#limit = limit;
  }

  async read(): Promise<EventPage> {
    const { store, accountId } = this.#source;
    // All at once: a store may answer what is asked at the same time with one statement.
    const reading = journalEnd(store, accountId);
    reading.catch(() => undefined);
    this.#readAhead();
    await this.#mark(this.#marks);
    const end = await reading;
    for (let at = 0; at < this.#marks.length && !this.#isFull; at++) {
      // oxlint-disable-next-line no-await-in-loop -- in the order in which they began
      await this.#readSegment(at);
    }
    if (!this.#isFull && this.#isMoreThan(end)) await this.#readNewer();
    return {
      events: this.#events,
      cursor: cursorText(this.#marks),
      isCaughtUp: !this.#isFull,
      seen: this.#seen(end),
    };
  }

  #readAhead(): void {
    const { store, accountId } = this.#source;
    for (const { stream, seq } of this.#marks.slice(0, maxAhead)) {
      const range = { stream, accountId, from: Math.max(seq - 1, 1), limit: chunk + 1 };
      const reading = readChunk(store, range);
      reading.catch(() => undefined);
      this.#ahead.set(stream, reading);
    }
  }

  /** Whether there was a segment by then that no mark is of. */
  #isMoreThan(end: StoredDocument | undefined): boolean {
    return end !== undefined && lastIn(end) !== this.#marks.at(-1)?.stream;
  }

  #seen(end: StoredDocument | undefined): Watched[] {
    const { accountId } = this.#source;
    const streams = this.#marks.map(({ stream, seq }): Watched => {
      return { type: "stream", accountId, stream, seq: seq - 1 };
    });
    const revision = end?.revision ?? 0;
    return [...streams, { type: "document", kind: journalKind, accountId, id: journalKind, revision }];
  }

  /** A segment is taken up once those before it were read to where they end: most are sealed by then, and forgotten. */
  async #readNewer(): Promise<void> {
    const { store, accountId } = this.#source;
    const known = new Set(this.#marks.map(({ stream }) => stream));
    const newer = await segmentsAfter(store, accountId, this.#marks.at(-1)?.stream);
    if (newer.some((stream) => known.has(stream))) throw notACursor("malformed");
    for (const stream of newer) {
      if (this.#isFull) return;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await this.#mark([...this.#marks, { stream, seq: 1, index: 0 }]);
      // oxlint-disable-next-line no-await-in-loop -- see above
      await this.#readSegment(this.#marks.length - 1);
    }
  }

  async #mark(marks: readonly Mark[]): Promise<void> {
    const { store, accountId } = this.#source;
    this.#marks = await stillGrowing(store, accountId, marks);
  }

  get #isFull(): boolean {
    return this.#events.length >= this.#limit || this.#records >= maxRecords;
  }

  async #readSegment(at: number): Promise<void> {
    const { store, accountId, runId, keyId } = this.#source;
    const isWhole = runId === undefined && keyId === undefined;
    const { stream, seq: first } = this.#marks[at] as Mark;
    for (let from = first; ; ) {
      const limit = isWhole ? Math.min(chunk, this.#limit - this.#events.length) : chunk;
      const ahead = from === first ? this.#ahead.get(stream) : undefined;
      // oxlint-disable-next-line no-await-in-loop -- a chunk at a time
      const read = await (ahead ?? readChunk(store, { stream, accountId, from, limit }));
      const records = ahead === undefined ? read : read.filter(({ seq }) => seq >= first).slice(0, limit);
      const hasReached = ahead !== undefined && read[0]?.seq === first - 1;
      // oxlint-disable-next-line no-await-in-loop -- at most once
      if (records.length === 0 && from === first) await this.#requireReached(at, hasReached);
      for (const record of records) {
        if (this.#isFull) return;
        if (record.seq !== from) throw hole(stream, from);
        // oxlint-disable-next-line no-await-in-loop -- in order
        await this.#take(at, record);
        from += 1;
      }
      if (this.#isFull || records.length < limit) return;
    }
  }

  /** Behind a cursor that is ahead of its segment, what is written next would be passed over. */
  async #requireReached(at: number, hasReached: boolean): Promise<void> {
    const { store, accountId } = this.#source;
    const { stream, seq, index } = this.#marks[at] as Mark;
    if (hasReached && index === 0) return;
    const [before] = seq === 1 ? [] : await store.readStream({ stream, accountId, from: seq - 1, limit: 1 });
    if (index > 0 || (seq > 1 && before?.seq !== seq - 1)) throw notACursor("unknown_place");
  }

  async #take(at: number, stored: StoredRecord): Promise<void> {
    const { stream, seq, index } = this.#marks[at] as Mark;
    this.#records += 1;
    const events = await projectStored(this.#source, stream, stored);
    if (events !== undefined && index > 0 && index >= events.length) throw notACursor("unknown_place");
    const after = { stream, seq: seq + 1, index: 0 };
    for (const [place, event] of (events ?? []).entries()) {
      if (place < index) continue;
      if (this.#events.length >= this.#limit) return;
      const isLast = place + 1 === events?.length;
      this.#marks[at] = isLast ? after : { stream, seq, index: place + 1 };
      this.#events.push({ event, cursor: cursorText(this.#marks) });
    }
    this.#marks[at] = after;
  }
}

function hole(stream: string, seq: number): JournalCorruptError {
  return new JournalCorruptError(`record ${seq} of ${stream} is missing; verify the journal`, {
    details: { stream, seq, reason: "missing" },
  });
}
