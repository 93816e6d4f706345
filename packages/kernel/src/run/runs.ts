// The runs of one package: started, taken over, watched, stopped. J3: whoever wants something of a run that another process drives
// leaves it in its inbox.
import {
  type Digest,
  ForbiddenError,
  InvalidInputError,
  InvalidTransitionError,
  isSimpleFunctionsError,
  NotFoundError,
  parseAtDoor,
  type Principal,
  principalSchema,
  type RunDocument,
  type RunErrand,
  runErrandSchema,
  type RunId,
  type RuntimePackage,
} from "@spfunctions/contracts";
import { documentsOf } from "../approval/standing-grants.ts";
import { type TendedInbox, tendInbox } from "../approval/tend-inbox.ts";
import { bindInstallation } from "../installation/bind-installation.ts";
import type { Installation } from "../installation/installation.ts";
import { AccountJournal } from "../journal/account-journal.ts";
import { isRunStream, runIn, runKind } from "../journal/run-seal.ts";
import { genesisOf } from "../journal/seal.ts";
import { StreamWriter } from "../journal/stream-writer.ts";
import { verifyRecord } from "../journal/verify-stream.ts";
import { readResolution, type Resolution } from "../recovery/unknown-effects.ts";
import { DrivenRuns, type HeldRun } from "./driven-runs.ts";
import { LiveRun, type WatchRun } from "./live-run.ts";
import { openingRun, readStart, type StartRun } from "./open-run.ts";
import { openRunHost, type RunsOnPackage, type RunsOptions } from "./open-run-host.ts";
import { listedRun, readRun, requireSamePackage } from "./read-run.ts";
import { RunHandle } from "./run-handle.ts";
import { isStarterGood, type RunHost } from "./run-host.ts";
import { leaveErrand } from "./run-inbox.ts";
import { hasEnded, type RunState, runStates } from "./run-states.ts";
import { enterSession, overtaken } from "./session.ts";
import { takenOver } from "./take-over.ts";
import { takeErrand } from "./tend-run.ts";

export class Runs {
  readonly package: RuntimePackage;
  readonly #host: RunHost;
  readonly #starter: Principal;
  readonly #policyDigest: Digest;
  readonly #bind: () => Promise<void>;
  readonly #closing: AbortController;
  readonly #driven: DrivenRuns;
  readonly #installation: Installation | undefined;
  /** Where answers are on record that others have left. */
  readonly #answers: AccountJournal;
  #inbox: TendedInbox | undefined;
  #callOffSweep: (() => void) | undefined;

  constructor(options: RunsOptions | RunsOnPackage) {
    const { host, starter, policyDigest, closing, installation } = openRunHost(options);
    this.#host = host;
    this.#starter = starter;
    this.#policyDigest = policyDigest;
    this.#closing = closing;
    this.#driven = new DrivenRuns(host);
    this.#installation = installation;
    const { store, clock, ids, limits, registry } = host;
    this.#answers = new AccountJournal(
      { store, clock, ids },
      {
        accountId: starter.accountId,
        manifestDigest: registry.manifest.digest,
        segmentRecords: limits.segmentRecords,
        signer: installation?.signer,
      },
    );
    this.package = host.package;
    this.#bind = async () => await bindInstallation(host.store, installation, host.clock.now());
  }

  /** Takes over what processes that are no more have left, as far as it is of this package. Gives back which runs go on here. */
  async open(): Promise<RunHandle[]> {
    await this.#ready();
    const left: RunId[] = [];
    for await (const runId of this.#unended()) left.push(runId);
    const taken: RunHandle[] = [];
    for (const runId of left) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const isTaken = await this.#takeOver(runId).catch((error: unknown) => {
        if (isNotOurs(error)) return false;
        throw error;
      });
      if (isTaken) taken.push(this.#handle(runId));
    }
    await this.#tendInbox();
    this.#sweepLater();
    return taken;
  }

  /** Operators beside the one process that writes leave their answers in the inbox. */
  async #tendInbox(): Promise<void> {
    const { store, clock, ids } = this.#host;
    const { accountId } = this.#starter;
    if (this.#installation === undefined) return;
    this.#inbox ??= tendInbox({
      store,
      clock,
      ids,
      installation: this.#installation,
      journal: this.#answers,
      accountId,
    });
    await this.#inbox.first;
  }

  /** What processes leave that die while this one lives is taken over, too. */
  #sweepLater(): void {
    if (this.#closing.signal.aborted || this.#callOffSweep !== undefined) return;
    const { clock, runLimits } = this.#host;
    this.#callOffSweep = clock.after(runLimits.sweepMs, () => {
      this.#callOffSweep = undefined;
      void this.#sweep().finally(() => this.#sweepLater());
    });
  }

  async #sweep(): Promise<void> {
    try {
      for (const stream of await this.#host.store.abandoned(this.#starter.accountId)) {
        if (!isRunStream(stream) || this.#closing.signal.aborted) continue;
        // oxlint-disable-next-line no-await-in-loop -- a handful
        await this.#takeOver(stream as RunId).catch(() => undefined);
      }
    } catch {
      // The next time it is asked again.
    }
  }

  async start(given: StartRun, watch?: WatchRun): Promise<RunHandle> {
    this.#requireOpen();
    const read = readStart(given);
    const { sessionId } = read;
    const place = sessionId && (await enterSession(this.#host, this.#starter, sessionId));
    const { document, draft } = openingRun(this.#host, this.#starter, this.#policyDigest, read, place);
    if (!(await isStarterGood(this.#host, this.#starter, document.runId)))
      throw new ForbiddenError(
        `the key ${this.#starter.keyId} may not start a run: it is not valid any more`,
      );
    await this.#ready();
    const { runId } = document;
    const writer = await this.#lease(runId);
    if (writer === undefined) throw existing(runId);
    const held = this.#driven.hold(writer, { document, revision: 0 });
    await this.#orRelease(held, async () => {
      const { written } = await held.journal.open(draft);
      if (written.type === "conflict") throw place ? overtaken(place.sessionId) : existing(runId);
    });
    await this.#tendInbox();
    this.#driven.drive(held, { watch });
    return this.#handle(runId);
  }

  /** Takes a run on in this process, where nobody drives it; where somebody does, it is only watched. */
  async resume(id: string, watch?: WatchRun): Promise<RunHandle> {
    await this.#ready();
    const { runId, state } = await this.#listed(id);
    await this.#driven.stopped(runId);
    if (this.#driven.goneOf(runId) !== undefined) this.#driven.watch(runId, watch);
    else if (!hasEnded(state) && (await this.#takeOver(runId, watch))) await this.#tendInbox();
    return this.#handle(runId);
  }

  /** A run of this account, to be watched. */
  async get(id: string): Promise<RunHandle> {
    return this.#handle((await this.#listed(id)).runId);
  }

  async list({ state }: { readonly state?: RunState } = {}): Promise<(RunDocument & { state: RunState })[]> {
    const found: (RunDocument & { state: RunState })[] = [];
    const { store } = this.#host;
    for await (const document of documentsOf(store, runKind, this.#starter.accountId, state))
      found.push({ ...runIn(document), state: document.status as RunState });
    return found;
  }

  /** Stops a run, wherever it is driven. */
  async cancel(runId: string, by: Principal = this.#starter): Promise<void> {
    await this.#want(runId, { type: "cancel", by });
  }

  /** Keeps what a person found out about an effect of a run of which nobody knew what became; the run goes on by it. */
  async resolve(
    runId: string,
    effectId: string,
    resolution: Resolution,
    by: Principal = this.#starter,
  ): Promise<void> {
    const { status, note } = readResolution(resolution);
    await this.#want(runId, { type: "resolve", by, effectId, status, note } as RunErrand);
  }

  /** Stops driving: what is under way ends, what waits for a person waits on, for whoever opens the store next. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#callOffSweep?.();
    await this.#driven.close();
    await this.#inbox?.stop();
    await this.#answers.close();
  }

  /** By the process that drives the run: this one, or the one that finds it in the run's inbox. */
  async #want(id: string, given: RunErrand): Promise<void> {
    await this.#ready();
    const { runId, state } = await this.#listed(id);
    const errand = readErrand(given, this.#starter);
    if (hasEnded(state) && errand.type === "cancel") return;
    await this.#driven.stopped(runId);
    const live = this.#driven.live(runId);
    if (live !== undefined) return void (await takeErrand(live, errand));
    if (await this.#takeFor(runId, errand)) return;
    const { store, ids, clock, proves } = this.#host;
    await store.commit(leaveErrand(runId, ids.unique(), errand, proves, clock.now()));
  }

  /** Of a run that nobody drives. Not where somebody does. */
  async #takeFor(runId: RunId, errand: RunErrand): Promise<boolean> {
    const held = await this.#hold(runId);
    if (held === undefined) return false;
    const { journal } = held;
    const { run } = journal;
    const isOurs = this.#isOurs(held);
    // Under another package it is only given up. What became of an effect can be kept in any case.
    const goesOn = run.end === undefined && (isOurs || errand.type === "cancel");
    await this.#orRelease(held, async () => {
      if (goesOn) await journal.append({ durability: "process", records: takenOver(run) });
      await takeErrand(new LiveRun({ host: this.#host, journal }), errand);
    });
    if (goesOn) this.#driven.drive(held, { isForeign: !isOurs });
    else await this.#release(held);
    return true;
  }

  async *#unended(): AsyncGenerator<RunId> {
    const { store } = this.#host;
    for (const state of runStates.filter((one) => !hasEnded(one)))
      for await (const { id } of documentsOf(store, runKind, this.#starter.accountId, state))
        yield id as RunId;
  }

  /** Whether it goes on here: not where a living process drives it, nor where it has ended. */
  async #takeOver(runId: RunId, watch?: WatchRun): Promise<boolean> {
    // Before it is leased: one that is not for here stays abandoned, for whoever can take it on.
    await this.#requireOurs(runId);
    const held = await this.#hold(runId);
    if (held === undefined) return false;
    const { run } = held.journal;
    if (run.end !== undefined) {
      await this.#release(held);
      return false;
    }
    await this.#orRelease(held, async () => {
      requireSamePackage(run, this.#host, this.#policyDigest);
      await held.journal.append({ durability: "process", records: takenOver(run) });
    });
    this.#driven.drive(held, { watch });
    return true;
  }

  async #requireOurs(runId: RunId): Promise<void> {
    const { store } = this.#host;
    const { accountId } = this.#starter;
    const [first] = await store.readStream({ stream: runId, accountId, limit: 1 });
    const verified = first && verifyRecord(first, 1);
    // What cannot be read is said by whoever holds it.
    if (verified?.record.kind === "run.opened")
      requireSamePackage({ opening: verified.record }, this.#host, this.#policyDigest);
  }

  /** A run that is there, as its journal has it, and that nobody else can write from here on. */
  async #hold(runId: RunId): Promise<HeldRun | undefined> {
    const { store } = this.#host;
    const { accountId } = this.#starter;
    await listedRun(store, accountId, runId);
    const writer = await this.#lease(runId);
    if (writer === undefined) return undefined;
    try {
      const { run, ...listed } = await readRun(store, accountId, runId);
      this.#host.requireProven({ run, ...listed });
      return this.#driven.hold(writer, listed, run);
    } catch (error) {
      await store.release(writer.stream, writer.epoch);
      throw error;
    }
  }

  async #lease(runId: RunId): Promise<StreamWriter | undefined> {
    const { store, clock } = this.#host;
    const { accountId } = this.#starter;
    const lease = await store.lease(runId, accountId, genesisOf(runId, accountId));
    if (lease.type === "held") return undefined;
    return new StreamWriter(store, clock, { stream: runId, accountId, epoch: lease.epoch, head: lease.head });
  }

  async #orRelease(held: HeldRun, act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      await this.#release(held);
      throw error;
    }
  }

  async #release({ writer }: HeldRun): Promise<void> {
    await writer.end();
    await this.#host.store.release(writer.stream, writer.epoch);
  }

  #isOurs({ journal }: HeldRun): boolean {
    try {
      requireSamePackage(journal.run, this.#host, this.#policyDigest);
      return true;
    } catch (error) {
      if (isNotOurs(error)) return false;
      throw error;
    }
  }

  async #listed(id: string): Promise<{ readonly runId: RunId; readonly state: RunState }> {
    const { document, state } = await listedRun(this.#host.store, this.#starter.accountId, id);
    return { runId: document.runId, state };
  }

  #handle(runId: RunId): RunHandle {
    const { store, clock, waits, closing } = this.#host;
    const { accountId } = this.#starter;
    return new RunHandle({
      store,
      clock,
      waits,
      accountId,
      runId,
      closing,
      here: () => this.#driven.held(runId)?.run,
      driven: () => this.#driven.goneOf(runId),
      fault: () => this.#driven.faultOf(runId) ?? (closing.aborted ? closed() : undefined),
      cancel: async (by) => await this.cancel(runId, by),
    });
  }

  async #ready(): Promise<void> {
    this.#requireOpen();
    await this.#bind();
  }

  #requireOpen(): void {
    if (this.#closing.signal.aborted) throw closed();
  }
}

/** I1: nobody wants something of another account's run. A2: no run decides what became of an effect. */
function readErrand(given: RunErrand, { accountId }: Principal): RunErrand {
  const by = parseAtDoor(principalSchema, given.by, "by", InvalidInputError);
  if (by.accountId !== accountId)
    throw new ForbiddenError(`${by.keyId} is of another account: nothing is done for it here`);
  if (given.type === "resolve" && by.kind === "run")
    throw new ForbiddenError("no run decides what became of an effect: a person does, with a key of theirs");
  return parseAtDoor(runErrandSchema, { ...given, by }, "what is wanted of a run", InvalidInputError);
}

/** There, and not to be taken on here: its own `resume` says why. */
function isNotOurs(error: unknown): boolean {
  const isOther =
    isSimpleFunctionsError(error) && (error.code === "invalid_package" || error.code === "journal_corrupt");
  return isOther || error instanceof NotFoundError;
}

function existing(runId: RunId): InvalidTransitionError {
  return new InvalidTransitionError(`${runId} exists already`);
}

function closed(): InvalidTransitionError {
  return new InvalidTransitionError("it is closed here; open it again, or resume the run elsewhere");
}
