// J3, I1: a unit is applied step by step without a pause, and taken back step by step where it conflicts. A unit whose
// records are all there already was committed before: nothing of it is applied again.
import { type Digest, LeaseLostError } from "@spfunctions/contracts";
import { Listeners } from "./listeners.ts";
import { MemoryClaims } from "./memory/claims.ts";
import { MemoryDocuments } from "./memory/documents.ts";
import { MemoryStreams } from "./memory/streams.ts";
import { type FindConflict, takeBack, type Undo } from "./memory/undo.ts";
import type {
  ClaimKey,
  CommitResult,
  DocumentKey,
  DocumentQuery,
  Hear,
  Store,
  StreamRange,
  UndrivenRunsQuery,
  Unit,
  Watched,
} from "./store.ts";
import { movedAmong } from "./moved-among.ts";
import { undrivenAmong } from "./undriven-runs.ts";

const committed: CommitResult = Object.freeze({ type: "committed" });

/** A store that lasts as long as the process. What it gives out is frozen. */
export function createMemoryStore(): Store {
  return new MemoryStore();
}

class MemoryStore implements Store {
  readonly #streams = new MemoryStreams();
  readonly #documents = new MemoryDocuments();
  readonly #claims = new MemoryClaims();
  readonly #listeners = new Listeners();
  #closed = false;

  async commit(unit: Unit): Promise<CommitResult> {
    this.#requireOpen();
    const undo: Undo[] = [];
    try {
      const conflict = this.#apply(unit, undo);
      if (conflict === undefined) {
        this.#listeners.tell(unit.wakes);
        return committed;
      }
      takeBack(undo);
      return conflict();
    } catch (error) {
      takeBack(undo);
      throw error;
    }
  }

  async lease(stream: string, accountId: string, genesis: Digest) {
    this.#requireOpen();
    return this.#streams.lease(stream, accountId, genesis);
  }

  async renew(stream: string, epoch: number) {
    this.#requireOpen();
    return this.#streams.isHeld(stream, epoch);
  }

  /** No other process has it. */
  leaseMs() {
    return Number.POSITIVE_INFINITY;
  }

  async release(stream: string, epoch: number) {
    this.#streams.release(stream, epoch);
  }

  async readStream(range: StreamRange) {
    this.#requireOpen();
    return this.#streams.read(range);
  }

  async document(key: DocumentKey) {
    this.#requireOpen();
    return this.#documents.get(key);
  }

  async documents(query: DocumentQuery) {
    this.#requireOpen();
    return this.#documents.query(query);
  }

  async documentsById(kind: string, accountId: string, ids: readonly string[]) {
    this.#requireOpen();
    return ids.flatMap((id) => this.#documents.get({ kind, accountId, id }) ?? []);
  }

  async accountsWith(kind: string, status?: string) {
    this.#requireOpen();
    return this.#documents.accountsWith(kind, status);
  }

  async claim(key: ClaimKey, now: number) {
    this.#requireOpen();
    return this.#claims.get(key, now);
  }

  async abandoned() {
    this.#requireOpen();
    return [];
  }

  async abandonedWith() {
    this.#requireOpen();
    return [];
  }

  async moved(known: readonly Watched[]) {
    this.#requireOpen();
    return movedAmong(known, {
      seq: ({ accountId, stream }) => this.#streams.lastSeq(stream, accountId),
      revision: (key) => this.#documents.get(key)?.revision ?? 0,
    });
  }

  async undrivenRuns(query: UndrivenRunsQuery) {
    this.#requireOpen();
    return await undrivenAmong(this, query, (stream) => this.#streams.isHeld(stream));
  }

  listen(hear: Hear) {
    return this.#listeners.add(hear);
  }

  lasts(): boolean {
    return false;
  }

  async close() {
    this.#closed = true;
  }

  #apply({ now, appends, documents, claims, erasures }: Unit, undo: Undo[]): FindConflict | undefined {
    const conflict = firstConflict(appends, (append) => this.#streams.append(append, undo));
    const repeated = undo.length === 0 && appends?.some(({ records }) => records.length > 0);
    if (conflict !== undefined || repeated) return conflict;
    return (
      firstConflict(documents, (write) => this.#documents.write(write, undo)) ??
      firstConflict(claims, (write) => this.#claims.write(write, now, undo)) ??
      firstConflict(erasures, (erasure) => this.#streams.erase(erasure, undo))
    );
  }

  #requireOpen(): void {
    if (this.#closed)
      throw new LeaseLostError("the store has been closed: nothing was read or written. Open it again");
  }
}

function firstConflict<Step>(
  steps: readonly Step[] | undefined,
  take: (step: Step) => FindConflict | undefined,
): FindConflict | undefined {
  if (steps === undefined) return undefined;
  for (const step of steps) {
    const conflict = take(step);
    if (conflict !== undefined) return conflict;
  }
  return undefined;
}
