import { TraceFollower, type Store, type TraceStore } from "@spfunctions/kernel";
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

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** That it could not be written is told here: the run itself is journaled whatever becomes of its trace. */
  async write(runId: string, hasEnded: boolean): Promise<void> {
    const { trace, traces } = this.#parts;
    const kept = this.#kept.get(runId) ?? (await this.#open(runId, trace ?? (await traces?.(runId))));
    if (kept === undefined) return;
    this.#kept.set(runId, kept);
    if (!hasEnded) await kept.grow();
    else {
      this.#kept.delete(runId);
      await kept.seal();
    }
    kept.requireKept();
  }

  /** Of those that went on by themselves after somebody had answered, what there is by now. */
  async close(): Promise<void> {
    const left = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(left.map(async (kept) => await kept.seal()));
  }

  async #open(runId: string, place: TraceStore | undefined): Promise<KeptTrace | undefined> {
    const { store, accountId, installation } = this.#parts;
    const follow = () => new TraceFollower({ store, accountId, stream: runId }, installation?.signer);
    return place && new KeptTrace({ followTrace: follow }, place);
  }
}
