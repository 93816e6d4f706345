// The runs that this process drives: each with its journal, whoever tends its inbox, and why it is driven no more.
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import type { CallState } from "../../journal/fold-calls.ts";
import type { ChildRuns } from "../../subagent/child-runs.ts";
import type { StreamWriter } from "../../journal/stream-writer.ts";
import { driveRun } from "./drive-run.ts";
import { isAtRest, mayBeHeardOf, type Run } from "../state/fold-run.ts";
import { LiveRun, type LiveRunParts, type WatchRun } from "./live-run.ts";
import type { ListedRun } from "../journal/listed-run.ts";
import { recordWake, restWake } from "../journal/run-document.ts";
import type { RunHost } from "../run-host.ts";
import { RunJournal } from "../journal/run-journal.ts";
import { tendRun } from "./tend-run.ts";

/** A run that nobody else can write meanwhile. */
export type HeldRun = { readonly writer: StreamWriter; readonly journal: RunJournal };

type Driven = HeldRun & {
  readonly live: LiveRun;
  readonly driving: Promise<void>;
  /** Aborts when it is driven no more. */
  readonly gone: AbortController;
  /** Aborts when it is not even held any more. */
  readonly left: AbortController;
  readonly tending: Promise<void>;
};

/**
 * Runs of which it is remembered by which fault they stopped, after whoever waited was told.
 * @limit run.rememberedFaults | whoever waits for one that stopped earlier waits until somebody takes it on | fixed: its journal says how far it came
 */
const mostFaults = 100;

export class DrivenRuns {
  readonly #host: RunHost;
  readonly #children: ChildRuns;
  readonly #driven = new Map<string, Driven>();
  readonly #faults = new Map<string, unknown>();
  /** Whether a run was given up here that has not ended. */
  hasGivenUp = false;

  constructor(host: RunHost, children: ChildRuns) {
    this.#host = host;
    this.#children = children;
  }

  get size(): number {
    return this.#driven.size;
  }

  /** One that is driven here, or of which a tool may still say something. */
  live(runId: string): LiveRun | undefined {
    return this.#driven.get(runId)?.live;
  }

  /** One more sees what is live of it. */
  watch(runId: string, watch: WatchRun | undefined): void {
    const live = this.live(runId);
    if (watch === undefined || live === undefined) return;
    live.watchers.add(watch);
    this.#children.show(live);
  }

  unwatch(runId: string, watch: WatchRun): void {
    this.live(runId)?.watchers.delete(watch);
  }

  /** One that this process alone writes: what it has written is all there is. */
  held(runId: string): LiveRun | undefined {
    const driven = this.#driven.get(runId);
    return driven === undefined || this.#faults.has(runId) ? undefined : driven.live;
  }

  /** Aborts when it is driven here no more; nothing where it is not. */
  goneOf(runId: string): AbortSignal | undefined {
    const gone = this.#driven.get(runId)?.gone.signal;
    return gone?.aborted === false ? gone : undefined;
  }

  /** Why it is driven here no more, where that was a fault. */
  faultOf(runId: string): unknown {
    return this.#faults.get(runId);
  }

  /** Until one that has stopped can be taken on again. */
  async stopped(runId: string): Promise<void> {
    const driven = this.#driven.get(runId);
    if (driven?.gone.signal.aborted === true) await driven.driving;
  }

  /** Stops driving one, as it stands. */
  async leave(runId: string): Promise<void> {
    const driven = this.#driven.get(runId);
    driven?.live.leave();
    await driven?.driving;
  }

  hold(
    writer: StreamWriter,
    { document, revision }: Pick<ListedRun, "document" | "revision">,
    run?: Run,
  ): HeldRun {
    const { clock, signer, proves, waits } = this.#host;
    const { runId } = document;
    const journal = new RunJournal({
      writer,
      clock,
      signer,
      proves,
      run,
      document,
      revision,
      told: (record) => {
        this.live(runId)?.told(record);
        waits.nudge(recordWake(runId));
        if (record.kind === "run.ended" || isAtRest(journal.run.shape)) waits.nudge(restWake(runId));
        if (record.kind === "call.late") void this.#letGo(runId);
      },
    });
    return { writer, journal };
  }

  drive(held: HeldRun, terms: Pick<LiveRunParts, "watch" | "isForeign" | "tree">): void {
    const { runId } = held.journal.run.opening;
    const live = new LiveRun({ host: this.#host, journal: held.journal, ...terms });
    const gone = new AbortController();
    const left = new AbortController();
    this.#faults.delete(runId);
    const tending = tendRun(live, left.signal);
    const driven = { ...held, live, gone, left, tending, driving: this.#drive(live, gone) };
    this.#driven.set(runId, driven);
  }

  /** It never throws: why it has stopped is kept for whoever asks. */
  async #drive(live: LiveRun, gone: AbortController): Promise<void> {
    const { runId } = live.run.opening;
    try {
      this.#children.resume(live);
      await driveRun(live, this.#children);
    } catch (error) {
      // One that another process has taken over goes on there.
      if (!isTakenOver(error)) this.#faults.set(runId, error);
      live.stop();
      // J2: once more, now that nothing else is to be written.
      await live.journal.begin().catch(() => undefined);
      await live.journal.flush().catch(() => undefined);
    }
    live.rest();
    gone.abort();
    await this.#letGo(runId);
  }

  /** Gives a run up that nobody drives, unless somebody may still be heard of (J4). */
  async #letGo(runId: string): Promise<void> {
    const driven = this.#driven.get(runId);
    if (driven === undefined || !driven.gone.signal.aborted || driven.left.signal.aborted) return;
    if (isAwaited(driven.live) && !this.#host.closing.aborted) return;
    await this.#release(driven);
  }

  async #release({ writer, left, tending, live }: Driven): Promise<void> {
    this.hasGivenUp ||= live.run.end === undefined;
    left.abort();
    await tending;
    await writer.end();
    await this.#host.store.release(writer.stream, writer.epoch).catch(() => undefined);
    const { runId } = live.run.opening;
    this.#driven.delete(runId);
    this.#children.forget(runId);
    this.#forgetFaults();
  }

  /** Whoever waited was told: of many that have stopped, the latest are remembered for those who ask later. */
  #forgetFaults(): void {
    for (const runId of this.#faults.keys()) {
      if (this.#faults.size <= mostFaults) return;
      if (!this.#driven.has(runId)) this.#faults.delete(runId);
    }
  }

  /** What is under way ends; what waits for a person is left. */
  async close(): Promise<void> {
    const all = [...this.#driven.values()];
    for (const { live } of all) live.nudge();
    await Promise.all(all.map(async ({ driving }) => await driving));
    await Promise.all([...this.#driven.values()].map(async (driven) => await this.#release(driven)));
  }
}

/** J4: what a tool does after it was given up is noted, also after the run has ended. */
function isAwaited({ run: { calls, end }, begun }: LiveRun): boolean {
  const isHere = (call: CallState) =>
    begun.has(call.callId) && call.status !== "unknown" && mayBeHeardOf(call);
  return end !== undefined && [...calls.values()].some(isHere);
}

function isTakenOver(error: unknown): boolean {
  return isSimpleFunctionsError(error) && error.code === "lease_lost";
}
