// A run seen from outside: what it has come to is read from its journal, whichever process drives it. Watching writes nothing.
import {
  CancelledError,
  InvalidTransitionError,
  JournalCorruptError,
  type Principal,
  type RunId,
  type RuntimeEvent,
  TimeoutError,
} from "@spfunctions/contracts";
import { isAborted, onAbort } from "../time/abort-signal.ts";
import { genesisOf } from "../journal/seal.ts";
import { verifyRecord } from "../journal/verify-stream.ts";
import { approvalKind, effectKind, runKind } from "../store/kernel-kinds.ts";
import { isOutage } from "../store/is-outage.ts";
import type { Store, StoredRecord, Watched } from "../store/store.ts";
import type { Waits } from "../store/waits.ts";
import type { Clock } from "../time/clock.ts";
import { foldRun, isAtRest, type Run } from "./state/fold-run.ts";
import type { ListedRun } from "./journal/listed-run.ts";
import { impossibleRun, listedRun, readRun } from "./journal/read-run.ts";
import { recordWake, restWake } from "./journal/run-document.ts";
import { type EventPlace, isAfter, readRunCursor, runEvents, unknownCursor } from "./state/run-events.ts";
import { type RunResult, resultOf } from "./state/run-result.ts";
import { hasEnded, type RunState } from "./state/run-states.ts";

export type RunHandleParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly waits: Waits;
  readonly accountId: string;
  readonly runId: RunId;
  /** What this process has written of it, as long as nobody else can. */
  readonly here: () => Run | undefined;
  /** Aborts when this process stops driving it; nothing where it does not drive it. */
  readonly driven: () => AbortSignal | undefined;
  /** Why this process has stopped driving it, or does nothing any more. */
  readonly fault: () => unknown;
  readonly closing: AbortSignal;
  /** How long a store that does not answer is asked again. */
  readonly outageMs: number;
  readonly cancel: (by?: Principal) => Promise<void>;
};

export type WaitOptions = {
  /** `rest`: also where only a person can take it on. Its end unless given. */
  readonly for?: "end" | "rest" | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Waiting no longer than this cancels nothing. */
  readonly timeoutMs?: number | undefined;
};

type Seen = RunResult | "late" | "faulty";
/** What was seen of a run in the list of runs, by whoever watches it there. */
type Listed = { seen?: ListedRun; isWatched: boolean };

export type StreamOptions = {
  /** Only what comes after the event that it names. */
  readonly cursor?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** Between two attempts at a store that does not answer. */
const lookAgainMs = 1000;
const pageRecords = 200;

/** Somebody who waits keeps the process up, also where only a person can go on. */
const whileWaitedForMs = 2 ** 31 - 1;

export class RunHandle {
  readonly runId: RunId;
  readonly #parts: RunHandleParts;

  constructor(parts: RunHandleParts) {
    this.#parts = parts;
    this.runId = parts.runId;
  }

  async state(): Promise<RunState> {
    const { store, accountId, runId } = this.#parts;
    return (await listedRun(store, accountId, runId)).state;
  }

  /** What it has come to. The same for whoever asks, and however often. */
  async wait(options: WaitOptions = {}): Promise<RunResult> {
    const { waits, clock, runId, driven, closing, fault } = this.#parts;
    const { signal, timeoutMs } = options;
    const by = timeoutMs === undefined ? Number.POSITIVE_INFINITY : clock.elapsed() + timeoutMs;
    const listed: Listed = { isWatched: false };
    const watched = () => [this.#document(listed)];
    for (;;) {
      listed.isWatched = driven() === undefined;
      // oxlint-disable-next-line no-await-in-loop -- again only when another process has taken it over
      const seen = await waits.until(restWake(runId), () => this.#lookPatiently(options, by, listed), {
        watched: listed.isWatched ? watched : undefined,
        ...(timeoutMs === undefined ? { every: whileWaitedForMs } : { by }),
        signals: [signal, driven(), closing],
      });
      if (typeof seen === "object") return seen;
      if (seen === "late")
        throw new TimeoutError(`${runId} has not ended within ${timeoutMs} ms; it goes on`);
      if (isAborted(signal)) throw new CancelledError(`nobody waits for ${runId} any more; it goes on`);
      if (fault() !== undefined) throw fault();
    }
  }

  #document({ seen }: Listed): Watched {
    const { accountId, runId } = this.#parts;
    return { type: "document", kind: runKind, accountId, id: runId, revision: seen?.revision ?? 0 };
  }

  async #lookPatiently(options: WaitOptions, by: number, listed: Listed): Promise<Seen | undefined> {
    const isLate = () => this.#parts.clock.elapsed() >= by;
    try {
      return await this.#patiently(() => this.#look(options, by, listed), options.signal, isLate);
    } catch (error) {
      if (isOutage(error) && isLate()) return "late";
      if (isOutage(error) && this.#parts.fault() !== undefined) return "faulty";
      throw error;
    }
  }

  /** A store that does not answer for a while is asked again. Watching goes on as the run does. */
  async #patiently<Read>(
    read: () => Promise<Read>,
    signal: AbortSignal | undefined,
    isLate: () => boolean = () => false,
  ): Promise<Read> {
    const { clock, waits, closing, fault, outageMs } = this.#parts;
    const isTold = () => fault() !== undefined || closing.aborted || isAborted(signal);
    const begun = clock.elapsed();
    for (;;) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- until the store answers
        return await read();
      } catch (error) {
        const isOver = isLate() || isTold() || clock.elapsed() - begun >= outageMs;
        if (!isOutage(error) || isOver) throw error;
      }
      // oxlint-disable-next-line no-await-in-loop -- see above
      await waits.pause(lookAgainMs, [signal, closing]);
    }
  }

  async #look(options: WaitOptions, by: number, listed: Listed): Promise<Seen | undefined> {
    const { clock, fault, here } = this.#parts;
    const run = here();
    if (run?.end !== undefined) return resultOf(run);
    // While it does something here, whoever has taken it over is noticed with its next record; where it rests, nobody would.
    const isSeenHere = run !== undefined && !isAtRest(run.shape) && !listed.isWatched;
    const state = isSeenHere ? run.shape.state : await this.#stateIn(listed);
    if (hasEnded(state as RunState)) return await this.#result(listed.seen);
    const isRest = options.for === "rest" && isAtRest({ state });
    const rest = isRest ? await this.#restingResult(listed.seen) : undefined;
    if (rest !== undefined) return rest;
    if (clock.elapsed() >= by) return "late";
    return fault() === undefined ? undefined : "faulty";
  }

  async #stateIn(listed: Listed): Promise<RunState> {
    const { store, accountId, runId } = this.#parts;
    listed.seen = await listedRun(store, accountId, runId);
    return listed.seen.state;
  }

  /** Nothing where it goes on by itself: somebody has answered, and it has only not said so yet. */
  async #restingResult(seen: ListedRun | undefined): Promise<RunResult | undefined> {
    const { store, accountId } = this.#parts;
    const { run } = await readRun(store, accountId, this.runId, seen);
    const result = resultOf(run);
    const state = run.shape.state as RunState;
    // While nobody knows what became of an effect, an answer takes nothing on either.
    if (state !== "waiting") return hasEnded(state) || isAtRest({ state }) ? result : undefined;
    const asked = await this.#areAll(
      approvalKind,
      result.approvals.map(({ approvalId }) => approvalId),
      "pending",
    );
    // Those of its children: of its own it would be known.
    return asked && (await this.#areAll(effectKind, result.unknown, "unknown")) ? result : undefined;
  }

  async #areAll(kind: string, ids: readonly string[], status: string): Promise<boolean> {
    const { store, accountId } = this.#parts;
    const found = ids.length === 0 ? [] : await store.documentsById(kind, accountId, ids);
    return found.every((one) => one.status === status);
  }

  /** What it has come to so far. */
  async result(): Promise<RunResult> {
    return await this.#result();
  }

  async #result(seen?: ListedRun): Promise<RunResult> {
    const { store, accountId } = this.#parts;
    return resultOf((await readRun(store, accountId, this.runId, seen)).run);
  }

  /** Until this process drives it no more, however that came; at once where it does not. Whoever waits for this keeps no process up. */
  async left(): Promise<void> {
    const gone = this.#parts.driven();
    if (gone === undefined) return;
    await new Promise<void>((resolve) => {
      onAbort(gone, resolve);
    });
  }

  async cancel(by?: Principal): Promise<void> {
    await this.#parts.cancel(by);
  }

  /** Its events, from its beginning or from after a cursor on, until its last. Where that does not come, it says why. */
  async *stream({ cursor, signal }: StreamOptions = {}): AsyncGenerator<RuntimeEvent> {
    const { store, accountId, fault } = this.#parts;
    const after = cursor === undefined ? undefined : readRunCursor(this.runId, cursor);
    await listedRun(store, accountId, this.runId);
    let run: Run | undefined;
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- as far as they go
      for await (const stored of this.#recordsFrom((run?.head.seq ?? 0) + 1, signal)) {
        const { folded, events } = this.#take(run, stored);
        run = folded;
        for (const event of events) if (isAfter(event, after)) yield event;
        if (run.end !== undefined) break;
      }
      requireSeen(this.runId, run, after);
      if (run?.end !== undefined) return;
      // oxlint-disable-next-line no-await-in-loop -- until there is more
      const isMore = await this.#untilMore((run?.head.seq ?? 0) + 1, signal);
      if (isMore) continue;
      if (isAborted(signal)) return;
      if (fault() !== undefined) throw fault();
    }
  }

  #take(run: Run | undefined, stored: StoredRecord): { folded: Run; events: RuntimeEvent[] } {
    const { accountId } = this.#parts;
    const { seq } = stored;
    const verified = verifyRecord(stored, seq) ?? corrupt(this.runId, seq);
    const { record, content } = verified;
    const before = run?.head.hash ?? genesisOf(this.runId, accountId);
    if (record.prev !== before) corrupt(this.runId, seq);
    try {
      const folded = foldRun(run, verified);
      return { folded, events: runEvents(folded, record, content) };
    } catch (error) {
      throw error instanceof InvalidTransitionError ? impossibleRun(this.runId, error) : error;
    }
  }

  /** Whether there is. */
  async #untilMore(from: number, signal: AbortSignal | undefined): Promise<boolean> {
    const { waits, runId, driven, closing } = this.#parts;
    const gone = driven();
    const isHere = gone !== undefined;
    const seen = await waits.until(
      recordWake(runId),
      isHere ? this.#lookHere(from, signal) : this.#moved(from, signal),
      {
        watched: isHere ? undefined : () => [this.#stream(from - 1)],
        signals: [signal, gone, closing],
      },
    );
    // Where this process closes meanwhile, what is there by then is read first.
    const last = seen === undefined && !isAborted(signal) ? await this.#lookHere(from, signal)() : seen;
    return last === "more";
  }

  #stream(seq: number): Watched {
    const { accountId, runId } = this.#parts;
    return { type: "stream", accountId, stream: runId, seq };
  }

  #lookHere(from: number, signal: AbortSignal | undefined): () => Promise<"more" | "faulty" | undefined> {
    const { store, accountId, fault } = this.#parts;
    return async () => {
      const range = { stream: this.runId, accountId, from, limit: 1 };
      const more = await this.#patiently(() => store.readStream(range), signal);
      if (more.length > 0) return "more";
      return fault() === undefined ? undefined : "faulty";
    };
  }

  /** Where it is driven elsewhere, whoever has told of more, or that the store cannot be asked, is believed: it is read then. */
  #moved(from: number, signal: AbortSignal | undefined): () => Promise<"more" | "faulty" | undefined> {
    const look = this.#lookHere(from, signal);
    let isTold = false;
    return async () => {
      if (this.#parts.fault() !== undefined) return await look();
      if (isTold) return "more";
      isTold = true;
      return undefined;
    };
  }

  async *#recordsFrom(from: number, signal: AbortSignal | undefined): AsyncGenerator<StoredRecord> {
    const { store, accountId } = this.#parts;
    for (let at = from; ; ) {
      const range = { stream: this.runId, accountId, from: at, limit: pageRecords };
      // oxlint-disable-next-line no-await-in-loop -- page by page
      const page = await this.#patiently(() => store.readStream(range), signal);
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < pageRecords) return;
      at = last.seq + 1;
    }
  }
}

/** A cursor names an event that was there: of one that is still to come nobody can have it. */
function requireSeen(runId: RunId, run: Run | undefined, after: EventPlace | undefined): void {
  if (after !== undefined && after.seq > (run?.head.seq ?? 0)) throw unknownCursor(runId);
}

function corrupt(runId: string, seq: number): never {
  throw new JournalCorruptError(`record ${seq} of ${runId} is not what was written; verify the journal`, {
    details: { stream: runId, seq },
  });
}
