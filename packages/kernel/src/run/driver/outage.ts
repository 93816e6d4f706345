import { passed } from "../../time/passed.ts";
import type { RunHost } from "../run-host.ts";

const minPauseMs = 250;
const maxPauseMs = 2000;
/** Records that a run is taken on with again, and asks its model by: as many are no progress. */
const recordsOfNewAttempt = 3;

/** How long a store has not answered a run, and how long is waited before it is asked again: longer each time. */
export class Outage {
  readonly #host: Pick<RunHost, "clock" | "closing" | "runLimits">;
  #since: number | undefined;
  #pauseMs = minPauseMs;
  /** Where the run's stream ended when it was taken on. */
  #seq = 0;

  constructor(host: Pick<RunHost, "clock" | "closing" | "runLimits">) {
    this.#host = host;
  }

  /** The run is driven from this record on. */
  begin(seq: number): void {
    this.#seq = seq;
  }

  /**
   * The store does not answer a run that ends with this record. Returns whether it is the same outage as before: the run came no further
   * since it was taken on.
   */
  meet(seq: number): boolean {
    const isSame = this.#since !== undefined && seq <= this.#seq + recordsOfNewAttempt;
    if (!isSame) {
      this.#since = this.#host.clock.elapsed();
      this.#pauseMs = minPauseMs;
    }
    return isSame;
  }

  /** Whether it has lasted longer than anybody is to wait without being told. */
  get isLong(): boolean {
    const { clock, runLimits } = this.#host;
    return this.#since !== undefined && clock.elapsed() - this.#since >= runLimits.outageMs;
  }

  /** Whether the store is to be asked again: not where this process closes. */
  async pause(): Promise<boolean> {
    const ms = this.#pauseMs;
    this.#pauseMs = Math.min(2 * ms, maxPauseMs);
    return await passed(this.#host.clock, ms, [this.#host.closing]);
  }
}
