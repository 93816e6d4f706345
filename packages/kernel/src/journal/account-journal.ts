import {
  type AccountId,
  type ContractTool,
  type Digest,
  InvalidTransitionError,
  LeaseLostError,
  RevisionConflictError,
} from "@spfunctions/contracts";
import type { Signer } from "../installation/installation.ts";
import type { SealedRecord } from "../store/store.ts";
import { keepContract, openSegment, type SegmentHost, sealSegment } from "./segment.ts";
import type { Draft, StreamWriter, Written } from "./stream-writer.ts";

/** Writes something that could not be written before, again and again until it is. */
export type Debt = () => Promise<unknown>;

/** The segment that a call began in, which it goes on in. */
export type CallSegment = Pick<StreamWriter, "stream" | "epoch" | "placeOf"> & {
  readonly write: StreamWriter["write"];
};

export type Opened = { readonly segment: CallSegment; readonly written: Written };

/** Where a call's records go: the account's journal, or the stream of the run that it is part of. */
export type CallJournal = Pick<AccountJournal, "begin" | "pay" | "open" | "append" | "owe">;

export type JournalTerms = {
  readonly accountId: AccountId;
  readonly manifestDigest: Digest;
  /** How many records a segment takes before the next begins: what is read whole after a crash stays short. */
  readonly segmentRecords: number;
  readonly signer?: Signer | undefined;
};

/** What this process writes of one account's journal: segment after segment, the first with its first record. */
export class AccountJournal {
  readonly #host: SegmentHost;
  readonly #terms: JournalTerms;
  #opening: Promise<StreamWriter> | undefined;
  #writer: StreamWriter | undefined;
  /** Full ones, in which calls are still under way. */
  readonly #full = new Set<StreamWriter>();
  readonly #streams: string[] = [];
  readonly #kept = new Set<string>();
  /** Results of effects that ran and could not be written (J2): nothing further happens before they are. */
  readonly #owed: Debt[] = [];
  #paying: Promise<void> | undefined;
  #isClosed = false;

  constructor(host: SegmentHost, terms: JournalTerms) {
    this.#host = host;
    this.#terms = terms;
  }

  /** The ids of its segments, in order. */
  get streams(): readonly string[] {
    return this.#streams;
  }

  /** Makes sure that a record can be written: a segment has begun, and what is owed is written. */
  async begin(): Promise<void> {
    if (!this.#isClear) await this.#clear();
  }

  /** Writes what is owed, before anything else begins. */
  async pay(): Promise<void> {
    if (this.#owed.length > 0) await this.#payOwed();
  }

  /** Writes what begins a call, or stands alone. `uses`: the contract of the tool it is about, which is kept with it. */
  async open(draft: Draft, uses?: ContractTool): Promise<Opened> {
    // oxlint-disable-next-line no-await-in-loop -- others may have filled the next one meanwhile
    while (!this.#isClear) await this.#clear();
    const writer = this.#writer as StreamWriter;
    const isNew = uses !== undefined && !this.#kept.has(uses.digest);
    const whole = isNew ? { ...draft, documents: [...(draft.documents ?? []), keepContract(uses)] } : draft;
    const written = await writer.write(whole).catch((error: unknown) => {
      // Taken over while this process hung: what comes next begins a segment of its own.
      if (error instanceof LeaseLostError && this.#writer === writer) this.#writer = undefined;
      if (whole.found !== undefined && writer.isInDoubt(whole)) this.owe(this.#lookAt(writer, whole));
      throw error;
    });
    if (isNew && written.type === "written") this.#kept.add(uses.digest);
    return { written, segment: this.#segmentOf(writer) };
  }

  /** For drafts that nothing but the stream itself can stand in the way of. */
  async append(
    draft: Draft,
    uses?: ContractTool,
  ): Promise<{
    readonly segment: CallSegment;
    readonly records: readonly [SealedRecord, ...SealedRecord[]];
  }> {
    const { segment, written } = await this.open(draft, uses);
    if (written.type === "written")
      return { segment, records: written.records as [SealedRecord, ...SealedRecord[]] };
    throw new RevisionConflictError(
      `the journal of ${this.#terms.accountId} was changed at the same time; try again`,
    );
  }

  /** Keeps what could not be written, to be written before anything else is. */
  owe(debt: Debt): void {
    this.#owed.push(debt);
  }

  /**
   * Ends its segments. Where something is owed, a call has no end, or nobody knows whether it was written, one stays open, and
   * whoever opens the store next settles it.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening?.catch(() => undefined);
    if (this.#owed.length > 0) await this.#payOwed().catch(() => undefined);
    for (const writer of [...this.#full, ...(this.#writer === undefined ? [] : [this.#writer])]) {
      // oxlint-disable-next-line no-await-in-loop -- in order
      await this.#end(writer);
    }
  }

  get #isClear(): boolean {
    const writer = this.#writer;
    if (writer === undefined || this.#owed.length > 0 || this.#isClosed) return false;
    return writer.head.seq < this.#terms.segmentRecords;
  }

  async #clear(): Promise<void> {
    if (this.#isClosed)
      throw new InvalidTransitionError("this seat is closed: nothing is written here any more; open another");
    if (this.#owed.length > 0) await this.#payOwed();
    const writer = this.#writer;
    if (writer === undefined || writer.head.seq >= this.#terms.segmentRecords) await this.#next();
  }

  /** Begins the next segment, once, however many wait for it. */
  async #next(): Promise<void> {
    const { accountId, manifestDigest } = this.#terms;
    this.#opening ??= (async () => {
      // What has nothing under way is sealed first, so that the next one names where it ended.
      const full = this.#writer;
      if (full?.isDrained === true) {
        this.#writer = undefined;
        await this.#end(full).catch(() => undefined);
      }
      return await openSegment(this.#host, accountId, manifestDigest);
    })();
    const opening = this.#opening;
    try {
      const next = await opening;
      if (this.#writer === next) return;
      const full = this.#writer;
      this.#writer = next;
      this.#streams.push(next.stream);
      if (full === undefined) return;
      this.#full.add(full);
      await this.#endWhenDrained(full);
    } finally {
      // Whoever comes next tries again, or begins the one after.
      if (this.#opening === opening) this.#opening = undefined;
    }
  }

  /** Nothing further happens before it is known whether a draft was written, and what follows from it is. */
  #lookAt(writer: StreamWriter, draft: Draft): Debt {
    let next: Debt | undefined;
    return async () => {
      if (writer.isInDoubt(draft)) {
        const records = await writer.look(draft);
        next = records && draft.found?.(this.#segmentOf(writer), records);
      }
      await next?.();
    };
  }

  #segmentOf(writer: StreamWriter): CallSegment {
    return {
      stream: writer.stream,
      epoch: writer.epoch,
      placeOf: writer.placeOf,
      write: async (draft) => {
        const written = await writer.write(draft);
        if (this.#full.has(writer)) await this.#endWhenDrained(writer);
        return written;
      },
    };
  }

  async #endWhenDrained(writer: StreamWriter): Promise<void> {
    // What cannot be sealed now is when this is closed, or when the store is opened next.
    if (writer.isDrained && this.#full.delete(writer)) await this.#end(writer).catch(() => undefined);
  }

  async #end(writer: StreamWriter): Promise<void> {
    await writer.end();
    try {
      const isWhole = !writer.isDoubtful && !writer.isUnfinished;
      if (isWhole) await sealSegment(this.#host, writer, this.#terms.signer);
    } finally {
      await this.#host.store.release(writer.stream, writer.epoch);
    }
  }

  /** Once, however many wait for it. */
  #payOwed(): Promise<void> {
    this.#paying ??= (async () => {
      try {
        for (let debt = this.#owed[0]; debt !== undefined; debt = this.#owed[0]) {
          // oxlint-disable-next-line no-await-in-loop -- in the order in which they happened
          await debt().catch((error: unknown) => {
            // Whoever has taken its segment over has given it an end.
            if (!(error instanceof LeaseLostError)) throw error;
          });
          this.#owed.shift();
        }
      } finally {
        this.#paying = undefined;
      }
    })();
    return this.#paying;
  }
}
