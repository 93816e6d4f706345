// The real one, also where a test has put fake timers in its place.
import { setImmediate } from "node:timers";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { CommitResult, Durability, Unit } from "@spfunctions/kernel";
import type { Tables } from "./tables.ts";
import type { Transactions } from "./transactions.ts";
import { countSteps, type FindConflict, type KeptUnit, keepUnit, takeBack, type Undo } from "./unit-steps.ts";
import type { Wakes } from "./wakes.ts";

type Waiting = {
  readonly unit: KeptUnit;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (fault: unknown) => void;
};

export type CommitQueueParts = {
  readonly database: DatabaseSync;
  readonly transactions: Transactions;
  readonly tables: Tables;
  /** Asked inside every transaction: throws where this store may not write, or not any more. */
  readonly permit: () => void;
  /** Called after content was erased, outside of any transaction. */
  readonly afterErasing: () => void;
  readonly wakes: Wakes;
  readonly faultOf: (error: unknown) => Error;
};

const committed: CommitResult = Object.freeze({ type: "committed" });

/**
 * Gathers the units of one turn of the event loop and writes them in one transaction, in the order in which they came. No
 * unit is answered before that transaction is committed; if it fails, nothing of any of them was written.
 */
export class CommitQueue {
  readonly #parts: CommitQueueParts;
  readonly #savepoint: StatementSync;
  readonly #goBack: StatementSync;
  readonly #goOn: StatementSync;
  readonly #flush = () => this.flush();
  #waiting: Waiting[] = [];

  constructor(parts: CommitQueueParts) {
    this.#parts = parts;
    this.#savepoint = parts.database.prepare("SAVEPOINT unit");
    this.#goBack = parts.database.prepare("ROLLBACK TO unit");
    this.#goOn = parts.database.prepare("RELEASE unit");
  }

  add(unit: Unit): Promise<CommitResult> {
    const kept = keepUnit(unit);
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(this.#flush);
      this.#waiting.push({ unit: kept, resolve, reject });
    });
  }

  /** Writes what is waiting, now. */
  flush(): void {
    const gathered = this.#waiting;
    const [first] = gathered;
    if (first === undefined) return;
    this.#waiting = [];
    try {
      const results = gathered.length === 1 ? [this.#writeAlone(first.unit)] : this.#writeTogether(gathered);
      if (gathered.some(({ unit }) => unit.erasures.length > 0)) this.#parts.afterErasing();
      for (const [at, { unit, resolve }] of gathered.entries()) {
        const result = results[at] ?? committed;
        resolve(result);
        if (result.type === "committed") this.#parts.wakes.tell(unit.wakes);
      }
    } catch (error) {
      const fault = this.#parts.faultOf(error);
      for (const { reject } of gathered) reject(fault);
    }
  }

  #writeAlone(unit: KeptUnit): CommitResult {
    const undo: Undo[] = [];
    let conflict: FindConflict | undefined;
    this.#transact(unit.durability, undo, () => {
      conflict = this.#apply(unit, undo);
      return conflict === undefined ? "keep" : "drop";
    });
    if (conflict === undefined) return committed;
    takeBack(undo);
    return conflict();
  }

  #writeTogether(gathered: readonly Waiting[]): CommitResult[] {
    const durability = gathered.some(({ unit }) => unit.durability === "power") ? "power" : "process";
    const undo: Undo[] = [];
    let results: CommitResult[] = [];
    this.#transact(durability, undo, () => {
      results = gathered.map(({ unit }) => this.#applyBeside(unit, undo));
      return "keep";
    });
    return results;
  }

  /** One unit among others: where it conflicts, the others stay. */
  #applyBeside(unit: KeptUnit, undoAll: Undo[]): CommitResult {
    const undo: Undo[] = [];
    // Before its first step: should one fail, those before it are among what is taken back.
    undoAll.push(() => takeBack(undo));
    const isSplittable = countSteps(unit) > 1;
    if (isSplittable) this.#savepoint.run();
    const conflict = this.#apply(unit, undo);
    if (conflict !== undefined) takeBack(undo.splice(0));
    if (isSplittable && conflict !== undefined) this.#goBack.run();
    if (isSplittable) this.#goOn.run();
    return conflict?.() ?? committed;
  }

  #apply(unit: KeptUnit, undo: Undo[]): FindConflict | undefined {
    const { tables, wakes } = this.#parts;
    if (unit.wakes.length === 0) return tables.apply(unit, undo);
    let conflict: FindConflict | undefined;
    wakes.applyVisibly(() => {
      conflict = tables.apply(unit, undo);
    });
    return conflict;
  }

  #transact(durability: Durability, undo: readonly Undo[], write: () => "keep" | "drop"): void {
    try {
      this.#parts.transactions.run(durability, () => {
        this.#parts.permit();
        return write();
      });
    } catch (error) {
      takeBack(undo);
      throw error;
    }
  }
}
