import { type Store, TraceFollower } from "@spfunctions/kernel";
import { KeptTrace } from "../trace/keep-trace.ts";
import type { ReadRuntimeOptions } from "./read-runtime-options.ts";

type Parts = Pick<ReadRuntimeOptions, "trace" | "traces" | "installation"> & {
  readonly store: Store;
  readonly accountId: string;
};

/** The traces of runs, each written as far as its run has come whenever that rests or ends. */
export class RunTraces {
  readonly #parts: Parts;
  readonly #kept = new Map<string, KeptTrace>();
  /** One after the other: runs may share a place. */
  #writing: Promise<void> = Promise.resolve();
  #fault: unknown;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Nothing further begins where what was done before could not be written down. */
  requireKept(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  /** Whether more of it is to be written. */
  has(runId: string): boolean {
    return this.#kept.has(runId);
  }

  /** That it could not be written is told to whoever begins the next run, and in the end: a run's own result is given. */
  async write(runId: string, hasEnded: boolean): Promise<void> {
    await this.#inTurn(async () => {
      const { trace } = this.#parts;
      const kept = this.#kept.get(runId) ?? (await this.#open(runId));
      if (kept === undefined) return;
      // A place for all of them has one trace: whichever is written next is written whole.
      if (trace !== undefined) this.#kept.clear();
      this.#kept.set(runId, kept);
      if (!hasEnded) await kept.grow();
      else {
        this.#kept.delete(runId);
        await this.#seal(kept);
      }
      kept.requireKept();
    });
  }

  /** Of those that went on by themselves after somebody had answered, what there is by now. What was given to keep traces is let go of. */
  async close(): Promise<void> {
    const left = [...this.#kept.values()];
    this.#kept.clear();
    for (const kept of left) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await this.#inTurn(async () => {
        await this.#seal(kept);
        kept.requireKept();
      });
    }
    await this.#inTurn(async () => await this.#parts.trace?.end());
    this.requireKept();
  }

  async #inTurn(act: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(act).catch((error: unknown) => {
      this.#fault ??= error;
    });
    await this.#writing;
  }

  async #seal(kept: KeptTrace): Promise<void> {
    await (this.#parts.trace === undefined ? kept.end() : kept.seal());
  }

  async #open(runId: string): Promise<KeptTrace | undefined> {
    const { store, accountId, installation, trace, traces } = this.#parts;
    const place = trace ?? (await traces?.(runId));
    const follow = () => new TraceFollower({ store, accountId, stream: runId }, installation?.signer);
    return place && new KeptTrace({ followTrace: follow }, place);
  }
}
