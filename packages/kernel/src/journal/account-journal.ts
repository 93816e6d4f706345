import {
  type AccountId,
  type ContractTool,
  type Digest,
  InvalidTransitionError,
  RevisionConflictError,
} from "@spfunctions/contracts";
import type { Signer } from "../installation/installation.ts";
import type { SealedRecord } from "../store/store.ts";
import { keepContract, openSegment, sealSegment, type SegmentHost } from "./segment.ts";
import type { Draft, StreamWriter, Written } from "./stream-writer.ts";

/** Writes something that could not be written before, again and again until it is. */
export type Debt = (writer: StreamWriter) => Promise<unknown>;

/** The segment that this process writes of one account's journal. It begins with its first record. */
export class AccountJournal {
  readonly accountId: AccountId;
  readonly #host: SegmentHost;
  readonly #manifestDigest: Digest;
  #opening: Promise<StreamWriter> | undefined;
  #writer: StreamWriter | undefined;
  readonly #kept = new Set<string>();
  /** Results of effects that ran and could not be written (J2): nothing further happens before they are. */
  readonly #owed: Debt[] = [];
  #paying: Promise<void> | undefined;
  #isClosed = false;

  constructor(host: SegmentHost, accountId: AccountId, manifestDigest: Digest) {
    this.#host = host;
    this.accountId = accountId;
    this.#manifestDigest = manifestDigest;
  }

  /** The id of the segment, once it has begun. */
  get stream(): string | undefined {
    return this.#writer?.stream;
  }

  /** Whether nothing stands in the way of the next record. */
  get isClear(): boolean {
    return this.#writer !== undefined && this.#owed.length === 0 && !this.#isClosed;
  }

  /** The id of the segment, which begins if it had not; what is owed has been written by then. */
  async begin(): Promise<string> {
    if (this.#isClosed) throw closed();
    const writer = this.#writer ?? (await this.#open());
    if (this.#owed.length > 0) await this.#payOwed(writer);
    return writer.stream;
  }

  /** `uses`: the contract of the tool that the records are about, which is kept with them. */
  async write(draft: Draft, uses?: ContractTool): Promise<Written> {
    if (!this.isClear) await this.begin();
    const writer = this.#writer as StreamWriter;
    if (uses === undefined || this.#kept.has(uses.digest)) return await writer.write(draft);
    const written = await writer.write({
      ...draft,
      documents: [...(draft.documents ?? []), keepContract(uses)],
    });
    if (written.type === "written") this.#kept.add(uses.digest);
    return written;
  }

  /** For drafts that nothing but the stream itself can stand in the way of. */
  async append(draft: Draft, uses?: ContractTool): Promise<[SealedRecord, ...SealedRecord[]]> {
    const written = await this.write(draft, uses);
    if (written.type === "written") return written.records as [SealedRecord, ...SealedRecord[]];
    throw new RevisionConflictError(
      `the journal of ${this.accountId} was changed at the same time; try again`,
    );
  }

  /** Keeps what could not be written, to be written before anything else is. */
  owe(debt: Debt): void {
    this.#owed.push(debt);
  }

  /**
   * Ends the segment. Where something is owed, or nobody knows whether it was written, it stays open, and whoever opens the
   * store next settles it.
   */
  async close(signer?: Signer): Promise<void> {
    this.#isClosed = true;
    const writer = this.#writer ?? (await this.#opening?.catch(() => undefined));
    if (writer === undefined) return;
    if (this.#owed.length > 0) await this.#payOwed(writer).catch(() => undefined);
    await writer.idle();
    try {
      if (this.#owed.length === 0 && !writer.isDoubtful) await sealSegment(this.#host, writer, signer);
    } finally {
      await this.#host.store.release(writer.stream, writer.epoch);
    }
  }

  async #open(): Promise<StreamWriter> {
    this.#opening ??= openSegment(this.#host, this.accountId, this.#manifestDigest);
    try {
      this.#writer = await this.#opening;
      return this.#writer;
    } catch (error) {
      // Whoever comes next tries again.
      this.#opening = undefined;
      throw error;
    }
  }

  /** Once, however many wait for it. */
  #payOwed(writer: StreamWriter): Promise<void> {
    this.#paying ??= (async () => {
      try {
        for (let debt = this.#owed[0]; debt !== undefined; debt = this.#owed[0]) {
          // oxlint-disable-next-line no-await-in-loop -- in the order in which they happened
          await debt(writer);
          this.#owed.shift();
        }
      } finally {
        this.#paying = undefined;
      }
    })();
    return this.#paying;
  }
}

function closed(): InvalidTransitionError {
  return new InvalidTransitionError("it is closed: nothing is written here any more");
}
