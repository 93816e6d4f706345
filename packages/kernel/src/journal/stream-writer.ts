// J3: one writer, which knows where its stream ends. Records are sealed one upon the other without waiting, so that a store
// can gather them; if one is not accepted, those sealed upon it are not either, and are sealed again on what is there.
import {
  type CallId,
  isSimpleFunctionsError,
  JournalAppendFailedError,
  JournalCorruptError,
  LeaseLostError,
} from "@spfunctions/contracts";
import type {
  ClaimWrite,
  CommitResult,
  Conflict,
  DocumentWrite,
  Durability,
  Erasure,
  Head,
  Place,
  SealedRecord,
  Store,
  StoredRecord,
} from "../store/store.ts";
import type { Clock } from "../time/clock.ts";
import { TimeStamp } from "../time/time-stamp.ts";
import { leavesPending } from "./fold-calls.ts";
import { type RecordDraft, timedDraft } from "./record-draft.ts";
import { sealRecord } from "./seal.ts";
import { type SentUnit, UnflushedUnits } from "./unflushed-units.ts";

/** What is to be true together: records of this stream and what changes with them. */
export type Draft = {
  readonly durability: Durability;
  readonly records: readonly RecordDraft[];
  readonly documents?: readonly DocumentWrite[] | undefined;
  /** These may depend on where the records come to stand. */
  readonly claims?: (places: readonly Place[]) => readonly ClaimWrite[];
  readonly placed?: (places: readonly Place[]) => readonly DocumentWrite[];
  readonly erasures?: readonly Erasure[];
  /** The first of its records, where they were sealed already upon the end of the stream. */
  readonly sealed?: readonly SealedRecord[] | undefined;
  /** Whoever waits for any of this is told once it is written. */
  readonly wakes?: readonly string[] | undefined;
  /** From then on, in milliseconds since 1970, it is not true any more and is not written. */
  readonly until?: number | undefined;
  /** What is done once it turns out to be written, where its writer was told that nobody can say. */
  readonly found?:
    | ((segment: DraftSegment, records: readonly SealedRecord[]) => () => Promise<unknown>)
    | undefined;
  /** What is asked when they are sealed: how long after the record before, where the clock does not tell. */
  readonly passedMs?: (() => number | undefined) | undefined;
};

/** Where a draft was written, and what comes after it is. */
type DraftSegment = Pick<StreamWriter, "stream" | "epoch" | "placeOf" | "write">;

/** Why a draft was not written; what concerns the stream itself is never the caller's to answer. */
export type DraftConflict =
  | Exclude<Conflict, { on: "epoch" | "head" }>
  | { readonly type: "conflict"; readonly on: "time" };
export type Written =
  | {
      readonly type: "written";
      readonly records: readonly SealedRecord[];
      /** When they were sealed, where it was known at once that they were written. */
      readonly ts?: string | undefined;
    }
  | DraftConflict;

export type WrittenStream = {
  readonly stream: string;
  readonly accountId: string;
  readonly epoch: number;
  readonly head: Head;
};

/** Hard stops of a server between two attempts at one draft. */
const maxForgotten = 5;

export class StreamWriter {
  readonly stream: string;
  readonly accountId: string;
  readonly epoch: number;
  readonly #store: Store;
  readonly #clock: Clock;
  /** Where the next record goes, if everything under way is accepted. */
  #head: Head;
  /** Where the stream is known to end. */
  #confirmed: Head;
  readonly #stamp: TimeStamp;
  /** Commits. */
  readonly #underWay = new Set<Promise<unknown>>();
  /** How many are being written, and who is told when none is. */
  #writes = 0;
  #drained: PromiseWithResolvers<void> | undefined;
  #isEnded = false;
  #settling: Promise<void> | undefined;
  /** A commit has thrown: whether it was written is for the store to say. */
  #isUncertain = false;
  /** Calls that have no end yet. */
  readonly #pending = new Set<unknown>();
  /** Drafts of which nobody could say whether they were written, as they were sent. */
  readonly #doubts = new Map<Draft, SentUnit>();
  readonly #unflushed = new UnflushedUnits();
  /** The store ends before what it has taken. */
  #isForgetful = false;

  constructor(store: Store, clock: Clock, { stream, accountId, epoch, head }: WrittenStream) {
    this.#store = store;
    this.#clock = clock;
    this.#stamp = new TimeStamp(clock);
    this.stream = stream;
    this.accountId = accountId;
    this.epoch = epoch;
    this.#head = head;
    this.#confirmed = head;
  }

  /** Where the stream is known to end. */
  get head(): Head {
    return this.#confirmed;
  }

  /** Whether there may be records in the stream of which nobody was told. */
  get isDoubtful(): boolean {
    return this.#isUncertain || this.#doubts.size > 0;
  }

  /** Whether a call was begun here and its end is still to be written. */
  get isUnfinished(): boolean {
    return this.#pending.size > 0;
  }

  /** Whether nothing is left to be written here for anything that was begun. */
  get isDrained(): boolean {
    return this.#pending.size === 0 && this.#writes === 0 && !this.isDoubtful;
  }

  /** Where a record of this stream is. */
  readonly placeOf = ({ seq, hash }: Head): Place => ({ stream: this.stream, seq, hash });

  /** Whether nobody can say yet if a draft was written. */
  isInDoubt(draft: Draft): boolean {
    return this.#doubts.has(draft);
  }

  /** What was written of a draft that was in doubt; nothing where it was not, and will not be. */
  async look(draft: Draft): Promise<readonly SealedRecord[] | undefined> {
    // oxlint-disable-next-line no-await-in-loop -- where the stream ends comes first
    while (this.#settling !== undefined || this.#isUncertain) await this.#settle();
    const doubt = this.#doubts.get(draft);
    const isThere = doubt !== undefined && (await this.#isThere(doubt));
    if (isThere) this.#clear(draft, doubt);
    this.#doubts.delete(draft);
    return isThere ? doubt.records : undefined;
  }

  /** Ends the writing: what is under way is waited for, and nothing more is taken. */
  async end(): Promise<void> {
    this.#isEnded = true;
    if (this.#writes === 0) return;
    this.#drained ??= Promise.withResolvers();
    await this.#drained.promise;
  }

  async write(draft: Draft): Promise<Written> {
    if (this.#isEnded) throw new LeaseLostError(`${this.stream} has ended: nothing was written`);
    this.#writes += 1;
    try {
      return await this.#write(draft);
    } finally {
      this.#writes -= 1;
      if (this.#writes === 0) this.#drained?.resolve();
    }
  }

  async #write(draft: Draft): Promise<Written> {
    for (let forgotten = 0; ; ) {
      // oxlint-disable-next-line no-await-in-loop -- nothing is sealed on an end that is in doubt
      while (this.#settling !== undefined || this.#isUncertain) await this.#settle();
      const doubt = this.#doubts.get(draft);
      if (doubt !== undefined) {
        // oxlint-disable-next-line no-await-in-loop -- a draft that was written after all is not written again
        if (await this.#isThere(doubt)) return this.#clear(draft, doubt);
        this.#doubts.delete(draft);
        // Others may have failed meanwhile: where the stream ends is asked again.
        continue;
      }
      if (draft.until !== undefined && this.#clock.now() >= draft.until)
        return { type: "conflict", on: "time" };
      /** Whether nothing stands between it and the known end. */
      const isNext = this.#head.hash === this.#confirmed.hash;
      const left = this.#head;
      const ts = this.#stamp.now();
      const records = this.#seal(draft, ts);
      const sent = this.#sent(draft, records);
      // oxlint-disable-next-line no-await-in-loop -- again only when it was not written
      const result = await this.#commit(sent);
      if (result.type === "committed") return this.#done(draft, records, ts);
      if (result.type === "failed") {
        this.#doubts.set(draft, sent);
        // oxlint-disable-next-line no-await-in-loop -- whether it was written after all
        if (await this.#wasWritten(draft, sent)) return this.#clear(draft, sent);
        this.#doubts.delete(draft);
        throw result.error;
      }
      const isForgotten =
        result.on === "head" && result.head.seq < this.#confirmed.seq && forgotten++ < maxForgotten;
      if (isForgotten) this.#isForgetful = true;
      // oxlint-disable-next-line no-await-in-loop -- before anything else is sealed
      await this.#settle();
      if (result.on === "epoch") throw leaseLost(this.stream);
      if (result.on !== "head") return result;
      if (isNext && !isForgotten) throw strangeEnd(this.stream, left, result.head);
    }
  }

  #seal({ records, sealed = [], passedMs }: Draft, ts: string): readonly SealedRecord[] {
    const [first] = sealed;
    if (first !== undefined && first.prev !== this.#head.hash)
      throw strangeEnd(this.stream, { seq: first.seq - 1, hash: first.prev }, this.#head);
    return records.map((draft, index) => {
      const timed = index === sealed.length ? timedDraft(draft, passedMs?.()) : draft;
      const record = sealed[index] ?? sealRecord(this.#head, timed, ts);
      this.#head = record;
      return record;
    });
  }

  #sent(
    { durability, documents, claims, placed, erasures, wakes }: Draft,
    records: readonly SealedRecord[],
  ): SentUnit {
    const append = { stream: this.stream, epoch: this.epoch, records };
    const places = records.map(this.placeOf);
    const written = placed === undefined ? documents : [...(documents ?? []), ...placed(places)];
    const unit = {
      durability: this.#unflushed.isFull ? "power" : durability,
      now: this.#clock.now(),
      appends: [append],
      ...(written === undefined ? {} : { documents: written }),
      ...(erasures === undefined ? {} : { erasures }),
      ...(wakes === undefined ? {} : { wakes }),
      ...(claims === undefined ? {} : { claims: claims(places) }),
    } as const;
    return { unit, records };
  }

  async #commit(sent: SentUnit): Promise<CommitResult | { type: "failed"; error: unknown }> {
    const commit = this.#store.commit(sent.unit);
    this.#underWay.add(commit);
    try {
      const result = await commit;
      const last = sent.records.at(-1);
      if (result.type === "committed" && last !== undefined && last.seq > this.#confirmed.seq)
        this.#confirmed = last;
      // What lies in memory is never forgotten before this process.
      if (result.type === "committed" && this.#store.lasts()) this.#unflushed.committed(sent);
      return result;
    } catch (error) {
      this.#isUncertain = true;
      return { type: "failed", error };
    } finally {
      this.#underWay.delete(commit);
    }
  }

  /** Waits for everything that is under way, then begins again where the stream ends. */
  #settle(): Promise<void> {
    this.#settling ??= (async () => {
      await Promise.allSettled(this.#underWay);
      try {
        if (this.#isUncertain || this.#isForgetful) this.#confirmed = await this.#findEnd(this.#confirmed);
        [this.#isUncertain, this.#isForgetful] = [false, false];
        this.#head = this.#confirmed;
      } finally {
        this.#settling = undefined;
      }
    })();
    return this.#settling;
  }

  /** Of what a commit has thrown over. */
  async #wasWritten(draft: Draft, sent: SentUnit): Promise<boolean> {
    try {
      await this.#settle();
      return await this.#isThere(sent);
    } catch (cause) {
      throw unseen(draft, cause);
    }
  }

  /** Where the stream ends, at the end that is known or later. */
  async #findEnd(known: Head): Promise<Head> {
    const { stream, accountId } = this;
    if (known.seq === 0) return (await this.#readFrom(1)).at(-1) ?? known;
    const there = await this.#readFrom(known.seq);
    if (there[0]?.seq === known.seq && there[0].hash === known.hash) return there.at(-1) ?? known;
    if (there.length > 0) throw strangeEnd(stream, known, there[0] as Head);
    await this.#writeForgotten(known);
    // Whether nothing has come between.
    const [again] = await this.#store.readStream({ stream, accountId, from: known.seq, limit: 1 });
    if (again?.hash !== known.hash)
      throw strangeEnd(stream, known, again ?? { ...known, seq: known.seq - 1 });
    return known;
  }

  async #readFrom(from: number): Promise<StoredRecord[]> {
    const { stream, accountId } = this;
    try {
      return await this.#store.readStream({ stream, accountId, from, limit: 10_000 });
    } catch (cause) {
      throw new JournalAppendFailedError(unreadable, { cause });
    }
  }

  /** J2: a server that was stopped hard has forgotten what nobody had asked it to keep through that. */
  async #writeForgotten(known: Head): Promise<void> {
    const kept = this.#unflushed.all;
    const first = kept[0]?.records[0];
    const there = first === undefined ? [] : await this.#readFrom(first.seq);
    const end = there.at(-1)?.seq ?? (first?.seq ?? known.seq) - 1;
    for (const { unit, records } of kept) {
      if ((records[0]?.seq ?? 0) <= end) continue;
      // oxlint-disable-next-line no-await-in-loop -- in the order in which it was written
      const result = await this.#store.commit({ ...unit, durability: "power" });
      if (result.type === "committed") continue;
      if (result.on === "head") throw strangeEnd(this.stream, known, result.head);
      // Somebody else has gone on without it.
      throw leaseLost(this.stream);
    }
  }

  #clear(draft: Draft, sent: SentUnit): Written {
    this.#doubts.delete(draft);
    this.#unflushed.committed(sent);
    return this.#done(draft, sent.records);
  }

  #done(draft: Draft, records: readonly SealedRecord[], ts?: string): Written {
    for (const { kind, body } of draft.records) {
      const leaves = leavesPending(kind, body);
      if (leaves === true) this.#pending.add(body["callId"]);
      else if (leaves === false) this.#pending.delete(body["callId"]);
    }
    return { type: "written", records, ts };
  }

  async #isThere({ records }: SentUnit): Promise<boolean> {
    const [first] = records;
    if (first === undefined) return false;
    const { stream, accountId } = this;
    const there = await this.#store.readStream({ stream, accountId, from: first.seq, limit: 1 });
    return there[0]?.hash === first.hash;
  }
}

const unreadable = "the journal cannot be written, nor read to see where it ends";

function unseen({ records }: Draft, cause: unknown): JournalAppendFailedError {
  const callIds = records.flatMap(({ body }) => body["callId"] ?? []);
  return new JournalAppendFailedError(unreadable, { details: { reason: "unseen", callIds }, cause });
}

/** Whether nobody can say if what was to be written of a call is: after any other error it is known that it is not. */
export function isUnseen(error: unknown, callId: CallId): boolean {
  const { reason, callIds } = (isSimpleFunctionsError(error) && error.details) || {};
  return reason === "unseen" && Array.isArray(callIds) && callIds.includes(callId);
}

function leaseLost(stream: string): LeaseLostError {
  return new LeaseLostError(
    `another process has taken over ${stream}; nothing was written and nothing runs here any more`,
    {
      details: { stream },
    },
  );
}

function strangeEnd(stream: string, left: Head, found: Head): JournalCorruptError {
  return new JournalCorruptError(
    `${stream} was left at record ${left.seq} and now ends at record ${found.seq} without its writer having written there`,
    { details: { stream, seq: found.seq, reason: "changed_underneath" } },
  );
}
