// A store with a will of its own in front of a real one: it can refuse, throw, lose its answer, wait, lie, and die.
import { type Digest, JournalAppendFailedError } from "@spfunctions/contracts";
import { createMemoryStore } from "../src/store/memory-store.ts";
import type {
  ClaimKey,
  CommitResult,
  Conflict,
  DocumentKey,
  DocumentQuery,
  Hear,
  LeaseResult,
  Store,
  StoredDocument,
  StoredRecord,
  StreamRange,
  UndrivenRun,
  UndrivenRunsQuery,
  Unit,
  Watched,
} from "../src/store/store.ts";

/**
 * `throw`: nothing is written. `lost`: all of it is written, and nobody is told. `wait`: it is written when that has
 * happened. `conflict`: answered instead of writing. `die`: from here on nothing answers any more, as after a crash; with
 * `written` the unit that died was the last to be kept.
 */
export type Fault =
  | { readonly type: "throw" | "lost" }
  | { readonly type: "wait"; readonly for: Promise<unknown> }
  | { readonly type: "conflict"; readonly conflict: Conflict }
  | { readonly type: "die"; readonly written: boolean };

type Decide = (unit: Unit, index: number) => Fault | undefined;

export class FaultyStore implements Store {
  readonly inner: Store;
  /** Every unit that was to be committed, in order. */
  readonly units: Unit[] = [];
  /** What happens to a commit; nothing unusual unless said. */
  fault: Decide = () => undefined;
  /** Asked before records are read; what it throws is thrown. */
  beforeRead: (range: StreamRange) => void | Promise<void> = () => {};
  /** Waited for before a document is read. */
  beforeDocument: (key: DocumentKey) => void | Promise<void> = () => {};
  /** Waited for before a stream is leased. */
  beforeLease: (stream: string) => void | Promise<void> = () => {};
  /** Waited for before a lease is renewed; what it throws is thrown. */
  beforeRenewal: (stream: string) => void | Promise<void> = () => {};
  /** How long its leases last, if not as long as those of the store behind it. */
  leaseTime: number | undefined;
  /** Changes records on their way out: rows that somebody edited. */
  tamper: (records: StoredRecord[], range: StreamRange) => StoredRecord[] = (records) => records;
  readonly died = Promise.withResolvers<void>();
  readonly #leases = new Map<string, number>();
  #isDead = false;

  constructor(inner: Store = createMemoryStore()) {
    this.inner = inner;
  }

  /** Lets a fault happen at the commit with this number, counted from now. */
  failNext(fault: Fault, after = 0): void {
    const at = this.units.length + after;
    this.fault = (_unit, index) => (index === at ? fault : undefined);
  }

  async commit(unit: Unit): Promise<CommitResult> {
    // Without a pause: commits are decided and written in the order in which they were asked for.
    if (this.#isDead) return await never();
    const index = this.units.push(unit) - 1;
    const fault = this.fault(unit, index);
    switch (fault?.type) {
      case undefined:
        return await this.inner.commit(unit);
      case "conflict":
        return fault.conflict;
      case "wait":
        await fault.for;
        return await this.inner.commit(unit);
      case "die":
        if (fault.written) await this.inner.commit(unit);
        await this.die();
        return await never();
      case "lost":
        await this.inner.commit(unit);
        throw outage();
      default:
        throw outage();
    }
  }

  /** The process is gone, and with it its leases. */
  async die(): Promise<void> {
    this.#isDead = true;
    for (const [stream, epoch] of this.#leases) {
      await this.inner.release(stream, epoch);
    }
    this.died.resolve();
  }

  async lease(stream: string, accountId: string, genesis: Digest): Promise<LeaseResult> {
    await this.#alive();
    await this.beforeLease(stream);
    const result = await this.inner.lease(stream, accountId, genesis);
    if (result.type === "leased") this.#leases.set(stream, result.epoch);
    if (!this.#isDead) return result;
    // It has died while it asked: what is gone holds nothing.
    if (result.type === "leased") await this.inner.release(stream, result.epoch);
    return await never();
  }

  async renew(stream: string, epoch: number): Promise<boolean> {
    await this.#alive();
    await this.beforeRenewal(stream);
    return await this.inner.renew(stream, epoch);
  }

  leaseMs(): number {
    return this.leaseTime ?? this.inner.leaseMs();
  }

  async release(stream: string, epoch: number): Promise<void> {
    await this.#alive();
    await this.inner.release(stream, epoch);
  }

  async readStream(range: StreamRange): Promise<StoredRecord[]> {
    await this.#alive();
    await this.beforeRead(range);
    return this.tamper(await this.inner.readStream(range), range);
  }

  async document(key: DocumentKey): Promise<StoredDocument | undefined> {
    await this.#alive();
    await this.beforeDocument(key);
    return await this.inner.document(key);
  }

  async documents(query: DocumentQuery): Promise<StoredDocument[]> {
    await this.#alive();
    return await this.inner.documents(query);
  }

  async documentsById(kind: string, accountId: string, ids: readonly string[]): Promise<StoredDocument[]> {
    await this.#alive();
    return await this.inner.documentsById(kind, accountId, ids);
  }

  async accountsWith(kind: string, status?: string): Promise<string[]> {
    return await this.inner.accountsWith(kind, status);
  }

  async claim(key: ClaimKey, now: number) {
    await this.#alive();
    return await this.inner.claim(key, now);
  }

  lasts(): boolean {
    return this.inner.lasts();
  }

  async abandoned(accountId: string): Promise<string[]> {
    await this.#alive();
    return await this.inner.abandoned(accountId);
  }

  async abandonedWith(kind: string, status: string): Promise<DocumentKey[]> {
    await this.#alive();
    return await this.inner.abandonedWith(kind, status);
  }

  async moved(known: readonly Watched[]): Promise<Watched[]> {
    await this.#alive();
    return await this.inner.moved(known);
  }

  async undrivenRuns(query: UndrivenRunsQuery): Promise<UndrivenRun[]> {
    await this.#alive();
    return await this.inner.undrivenRuns(query);
  }

  listen(hear: Hear): () => void {
    return this.inner.listen((key) => {
      if (!this.#isDead) hear(key);
    });
  }

  async close(): Promise<void> {
    await this.inner.close();
  }

  async #alive(): Promise<void> {
    if (this.#isDead) await never();
  }
}

function outage(): JournalAppendFailedError {
  return new JournalAppendFailedError("the disk does not answer");
}

async function never(): Promise<never> {
  return await new Promise<never>(() => {});
}

/** The kinds of the records that a unit appends. */
export function kindsIn(unit: Unit): string[] {
  return (unit.appends ?? []).flatMap(({ records }) =>
    records.map(({ text }) => (JSON.parse(text) as { kind: string }).kind),
  );
}

/** Faults a commit by the kind of record it appends, the first time only. */
export function atFirst(kind: string, fault: Fault): Decide {
  let isDone = false;
  return (unit) => {
    if (isDone || !kindsIn(unit).includes(kind)) return undefined;
    isDone = true;
    return fault;
  };
}

/** The same, every time. */
export function atEvery(kind: string, fault: Fault): Decide {
  return (unit) => (kindsIn(unit).includes(kind) ? fault : undefined);
}
