// The runs that this process drives: each with its journal, whoever tends its inbox, and why it is driven no more.
import { isSimpleFunctionsError, type RunId } from "@spfunctions/contracts";
import type { CallState } from "../../journal/fold-calls.ts";
import type { ChildRuns } from "../../subagent/child-runs.ts";
import type { StreamWriter } from "../../journal/stream-writer.ts";
import { isPassingOutage } from "../../store/is-outage.ts";
import { driveRun } from "./drive-run.ts";
import { isAtRest, mayBeHeardOf, type Run } from "../state/fold-run.ts";
import { LiveRun, type LiveRunParts, type WatchRun } from "./live-run.ts";
import type { ListedRun } from "../journal/listed-run.ts";
import { recordWake, restWake, runWake } from "../journal/run-document.ts";
import type { RunHost } from "../run-host.ts";
import { RunJournal } from "../journal/run-journal.ts";
import { Outage } from "./outage.ts";
import { tendRun } from "./tend-run.ts";

/** A run that nobody else can write meanwhile. */
export type HeldRun = { readonly writer: StreamWriter; readonly journal: RunJournal };

/** Takes a run of this process on anew, under a new lease. Whether it goes on here. */
export type TakeAgain = (runId: RunId, terms: Pick<LiveRunParts, "tree" | "before">) => Promise<boolean>;

type Driven = HeldRun & {
  readonly live: LiveRun;
  readonly tree: LiveRunParts["tree"];
  readonly outage: Outage;
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
  readonly #takeAgain: TakeAgain;
  readonly #driven = new Map<string, Driven>();
  readonly #faults = new Map<string, unknown>();
  readonly #tellOfLeft: () => Promise<void>;
  /** Whether a run was given up here that has not ended. */
  hasGivenUp = false;

  /** `tellOfLeft`: called for every run that is given up because this process closes. */
  constructor(host: RunHost, children: ChildRuns, takeAgain: TakeAgain, tellOfLeft: () => Promise<void>) {
    this.#host = host;
    this.#tellOfLeft = tellOfLeft;
    this.#children = children;
    this.#takeAgain = takeAgain;
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
        if (record.kind === "run.ended" || isAtRest(journal.run.shape)) {
          waits.nudge(restWake(runId));
          // Whoever began to wait while it was not driven here.
          waits.nudge(runWake(runId));
        }
        if (record.kind === "call.late") void this.#letGo(runId);
      },
    });
    return { writer, journal };
  }

  drive(held: HeldRun, terms: Pick<LiveRunParts, "watch" | "isForeign" | "tree" | "before">): void {
    const { runId } = held.journal.run.opening;
    const live = new LiveRun({ host: this.#host, journal: held.journal, ...terms });
    const gone = new AbortController();
    const left = new AbortController();
    this.#faults.delete(runId);
    const tending = tendRun(live, left.signal);
    const before = this.#driven.get(runId)?.outage;
    const outage = before ?? new Outage(this.#host);
    outage.begin(live.run.head.seq);
    const { tree } = terms;
    const driving = Promise.withResolvers<void>();
    const driven = { ...held, live, tree, outage, gone, left, tending, driving: driving.promise };
    this.#driven.set(runId, driven);
    void this.#drive(driven).finally(driving.resolve);
  }

  /** It never throws: why it has stopped is kept for whoever asks. */
  async #drive(driven: Driven): Promise<void> {
    const { live, gone } = driven;
    const { runId } = live.run.opening;
    const fault = await this.#driveOn(live);
    const isLeft = fault !== undefined && !live.isForeign && isPassingOutage(fault);
    const isBack = isLeft && (await this.#outlast(driven, fault));
    live.rest();
    gone.abort();
    if (!isBack) return await this.#letGo(runId);
    await this.#giveUp(driven);
    await this.#takeBack(driven, fault);
    if (this.#driven.get(runId) === driven) this.#forget(runId);
  }

  /** Drives it as far as it goes: the fault that it stopped by, where another process has not taken it over. */
  async #driveOn(live: LiveRun): Promise<unknown> {
    const { runId } = live.run.opening;
    try {
      this.#children.resume(live);
      await driveRun(live, this.#children);
      return undefined;
    } catch (error) {
      // One that another process has taken over goes on there.
      const fault = isTakenOver(error) ? undefined : error;
      if (fault !== undefined && !live.isForeign && isPassingOutage(fault)) {
        live.leave();
        await this.#children.untilLeft(live);
        return fault;
      }
      if (fault !== undefined) this.#faults.set(runId, fault);
      live.stop();
      // J2: once more, now that nothing else is to be written.
      await live.journal.begin().catch(() => undefined);
      await live.journal.flush().catch(() => undefined);
      return fault;
    }
  }

  /**
   * J2: until the store answers again, and everything is on record that has happened here. Whether the run is to be taken on anew: not
   * where another process has taken it over meanwhile, nor where this one closes.
   */
  async #outlast({ live, outage }: Driven, fault: unknown): Promise<boolean> {
    const { runId } = live.run.opening;
    // A store that takes what is written and cannot be read is asked again after a pause, too.
    if (outage.meet(live.run.head.seq)) {
      if (outage.isLong) this.#tellFault(runId, fault);
      if (!(await outage.pause())) return false;
    }
    /* oxlint-disable no-await-in-loop -- again and again until the store answers */
    do {
      try {
        await live.journal.settle();
        return live.run.end === undefined;
      } catch (error) {
        if (isTakenOver(error)) return false;
        if (!isPassingOutage(error)) {
          this.#tellFault(runId, error);
          return false;
        }
        if (outage.isLong) this.#tellFault(runId, fault);
      }
    } while (await outage.pause());
    /* oxlint-enable no-await-in-loop */
    return false;
  }

  /** Under a new lease, from what its journal says; nobody does where another process was faster. */
  async #takeBack({ live, tree, outage }: Driven, fault: unknown): Promise<void> {
    const { runId } = live.run.opening;
    /* oxlint-disable no-await-in-loop -- see above */
    while (!this.#host.closing.aborted) {
      try {
        return void (await this.#takeAgain(runId, { tree, before: live }));
      } catch (error) {
        if (!isPassingOutage(error)) return this.#tellFault(runId, error);
        if (outage.isLong) this.#tellFault(runId, fault);
      }
      await outage.pause();
    }
    /* oxlint-enable no-await-in-loop */
  }

  /** Whoever waits is told why it does not go on here, or not for a long time. */
  #tellFault(runId: RunId, fault: unknown): void {
    this.#faults.set(runId, fault);
    const { waits } = this.#host;
    for (const wake of [restWake, recordWake, runWake]) waits.nudge(wake(runId));
  }

  /** Gives a run up that nobody drives, unless somebody may still be heard of (J4). */
  async #letGo(runId: string): Promise<void> {
    const driven = this.#driven.get(runId);
    if (driven === undefined || !driven.gone.signal.aborted || driven.left.signal.aborted) return;
    if (isAwaited(driven.live) && !this.#host.closing.aborted) return;
    await this.#release(driven);
  }

  async #release(driven: Driven): Promise<void> {
    await this.#giveUp(driven);
    this.#forget(driven.live.run.opening.runId);
  }

  async #giveUp({ writer, left, tending, live }: Driven): Promise<void> {
    this.hasGivenUp ||= live.run.end === undefined;
    left.abort();
    await tending;
    await writer.end();
    await this.#host.store.release(writer.stream, writer.epoch).catch(() => undefined);
    // At once: the tools of other runs may take long to end.
    if (live.run.end === undefined && this.#host.closing.aborted) await this.#tellOfLeft();
  }

  #forget(runId: RunId): void {
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
    /* oxlint-disable no-await-in-loop -- again where one was just taken on anew */
    while (this.#driven.size > 0) {
      const all = [...this.#driven.values()];
      for (const { live } of all) live.nudge();
      await Promise.all(all.map(async ({ driving }) => await driving));
      const left = all.filter((one) => this.#driven.get(one.live.run.opening.runId) === one);
      await Promise.all(left.map(async (driven) => await this.#release(driven)));
    }
    /* oxlint-enable no-await-in-loop */
  }
}

/** J4: what a tool does after it was given up is noted, also after the run has ended. */
function isAwaited({ run: { calls, end }, begun }: LiveRun): boolean {
  const isHere = (call: CallState) =>
    begun.has(call.callId) && call.status !== "unknown" && mayBeHeardOf(call);
  return end !== undefined && [...calls.values()].some(isHere);
}

function isTakenOver(error: unknown): boolean {
  return isSimpleFunctionsError(error) && error.code === "lease_lost" && !isPassingOutage(error);
}
