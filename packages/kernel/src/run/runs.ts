// The runs of one package: started, taken over, watched, stopped. J3: whoever wants something of a run that another process drives
// leaves it in its inbox.
import {
  type Digest,
  ForbiddenError,
  InvalidInputError,
  InvalidTransitionError,
  parseAtDoor,
  type Principal,
  givenPrincipalSchema,
  type RunDocument,
  type RunErrand,
  runErrandSchema,
  type RunId,
  type RuntimePackage,
  sessionIdSchema,
} from "@spfunctions/contracts";
import { requireSomebody } from "../approval/may-answer.ts";
import { askFor, type AskForTerms } from "../capability/ask-for.ts";
import type { Asked, Capabilities } from "../capability/capabilities.ts";
import { bindInstallation } from "../installation/bind-installation.ts";
import { AccountJournal } from "../journal/account-journal.ts";
import { runIn } from "../journal/run-seal.ts";
import { readResolution, type Resolution } from "../recovery/resolve-effect.ts";
import type { ChildHost, NeverBegins } from "../subagent/child-host.ts";
import { ChildRuns } from "../subagent/child-runs.ts";
import type { ChildMessage } from "../subagent/fold-child.ts";
import type { StartChild } from "../subagent/host-start.ts";
import { isOwnMaster, requireOwnMaster } from "../subagent/own-master.ts";
import { DrivenRuns } from "./driver/driven-runs.ts";
import { HeldRuns, isNotOurs } from "./driver/held-runs.ts";
import { TendedAccount } from "./driver/tended-account.ts";
import { ownLive, tellLive } from "./driver/told-child.ts";
import { isAtRest, type Run } from "./state/fold-run.ts";
import { LiveRun, type WatchRun } from "./driver/live-run.ts";
import { type AsChild, openingRun, readStart, type StartRun } from "./open-run.ts";
import { openRunHost, type RunsOnPackage, type RunsOptions } from "./open-run-host.ts";
import { holderOfEffect } from "./journal/holder-of-effect.ts";
import { listedRun, readRun } from "./journal/read-run.ts";
import { RunHandle } from "./run-handle.ts";
import { recordWake, runsLeftWake } from "./journal/run-document.ts";
import { isStarterGood, type RunHost, type RunModel } from "./run-host.ts";
import { leaveErrand } from "./journal/run-inbox.ts";
import { hasEnded, type RunState } from "./state/run-states.ts";
import { enterSession, keptSession, overtaken } from "./session.ts";
import { takenOver } from "./driver/take-over.ts";
import { takeErrand } from "./driver/tend-run.ts";
import { documentsOf } from "../store/documents-of.ts";
import { undrivenRunsOf } from "../store/undriven-runs.ts";
import { runKind } from "../store/kernel-kinds.ts";

/** Between two attempts at a child that somebody else still has. */
const lookAgainMs = 200;

export class Runs implements ChildHost {
  readonly package: RuntimePackage;
  readonly #host: RunHost;
  readonly #starter: Principal;
  readonly #policyDigest: Digest;
  readonly #bind: () => Promise<void>;
  readonly #closing: AbortController;
  readonly #driven: DrivenRuns;
  readonly #children: ChildRuns;
  readonly #held: HeldRuns;
  readonly #account: TendedAccount;
  /** Where answers are on record that others have left. */
  readonly #answers: AccountJournal;

  constructor(options: RunsOptions | RunsOnPackage) {
    const { host, starter, policyDigest, closing, installation } = openRunHost(options, {
      start: async (plan, task, context) => await this.#children.calls.start(plan, task, context),
      tell: async (said, context) => await this.#children.calls.tell(said, context),
      look: async (context) => await this.#children.calls.look(context),
    });
    this.#host = host;
    this.#starter = starter;
    this.#policyDigest = policyDigest;
    this.#closing = closing;
    this.#children = new ChildRuns({
      host,
      live: (runId) => this.#driven.live(runId),
      open: (runtimePackage, model) => new Runs(onPackage(options, runtimePackage, model)),
      own: this,
    });
    this.#driven = new DrivenRuns(
      host,
      this.#children,
      async (runId, { tree, before }) => await this.#takeOver(runId, undefined, tree && { tree }, before),
      async () => await this.#tellOfLeft(),
    );
    const { accountId } = starter;
    this.#held = new HeldRuns(host, accountId, policyDigest, this.#driven);
    const { store, clock, ids, limits, registry } = host;
    this.#answers = new AccountJournal(
      { store, clock, ids },
      {
        accountId,
        manifestDigest: registry.manifest.digest,
        segmentRecords: limits.segmentRecords,
        signer: installation?.signer,
      },
    );
    // One that has stopped here by a fault is taken on again by whoever resumes it, or by another process.
    const takeOver = async (runId: RunId) =>
      this.#driven.faultOf(runId) === undefined && (await this.#takeOver(runId));
    this.#account = new TendedAccount({ host, accountId, installation, answers: this.#answers, takeOver });
    this.package = host.package;
    this.#bind = async () => await bindInstallation(host.store, installation, host.clock.now());
  }

  /** Takes over what processes that are no more have left, as far as it is of this package. Gives back which runs go on here. */
  async open(): Promise<RunHandle[]> {
    await this.#ready();
    const left: RunId[] = [];
    const { store } = this.#host;
    const { accountId } = this.#starter;
    const ours = { accountId, packageFingerprint: this.package.fingerprint };
    for await (const { id } of undrivenRunsOf(store, [ours])) left.push(id as RunId);
    const taken: RunHandle[] = [];
    for (const runId of left) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const isTaken = await this.#takeOver(runId).catch((error: unknown) => {
        if (isNotOurs(error)) return false;
        throw error;
      });
      if (isTaken) taken.push(this.#handle(runId));
    }
    await this.#account.tendInbox();
    this.#account.sweepLater();
    return taken;
  }

  async start(given: StartRun, watch?: WatchRun): Promise<RunHandle> {
    const handle = await this.#start(given, watch);
    if (handle !== undefined) return handle;
    throw new ForbiddenError(`the key ${this.#starter.keyId} may not start a run: it is not valid any more`);
  }

  /** Nothing where its starter's key is not valid any more. */
  async #start(given: StartRun, watch?: WatchRun, child?: AsChild): Promise<RunHandle | undefined> {
    this.#requireOpen();
    const read = readStart(given);
    const { sessionId } = read;
    const place = sessionId && (await enterSession(this.#host, this.#starter, sessionId));
    const { document, draft } = openingRun(this.#host, this.#starter, this.#policyDigest, read, place, child);
    if (!(await isStarterGood(this.#host, this.#starter, document.runId))) return undefined;
    await this.#ready();
    const { runId } = document;
    const writer = await this.#held.lease(runId);
    if (writer === undefined) throw existing(runId);
    const held = this.#driven.hold(writer, { document, revision: 0 });
    await this.#held.orRelease(held, async () => {
      const { written } = await held.journal.open(draft);
      if (written.type === "conflict") throw place ? overtaken(place.sessionId) : existing(runId);
    });
    await this.#account.tendInbox();
    this.#driven.drive(held, { watch, tree: child?.tree });
    return this.#handle(runId);
  }

  /** Takes a run on in this process, where nobody drives it; where somebody does, it is only watched. */
  async resume(id: string, watch?: WatchRun): Promise<RunHandle> {
    await this.#ready();
    const { runId, state } = await this.#listed(id);
    await this.#driven.stopped(runId);
    if (this.#driven.goneOf(runId) !== undefined) this.#driven.watch(runId, watch);
    else if (!hasEnded(state) && (await this.#takeOver(runId, watch))) await this.#account.tendInbox();
    return this.#handle(runId);
  }

  /** Whoever watched a run that is driven here sees no more of it. */
  unwatch(runId: string, watch: WatchRun): void {
    this.#driven.unwatch(runId, watch);
  }

  /** Begins a child of a run that is driven here, or takes it on where it has begun. */
  async beginChild(
    child: AsChild,
    { objective, traceId, watch }: Parameters<ChildHost["beginChild"]>[1],
  ): Promise<RunHandle | NeverBegins> {
    const { runId } = child;
    const { store } = this.#host;
    const { accountId, keyId } = this.#starter;
    if ((await store.document({ kind: runKind, accountId, id: runId })) === undefined) {
      const told = await objective();
      if (told === undefined) return { neverBegins: "what it was to be told was erased" };
      const handle = await this.#start({ objective: told, traceId }, watch, child);
      return handle ?? { neverBegins: `the key ${keyId} is not valid any more` };
    }
    /* oxlint-disable no-await-in-loop -- until it is ours, or has ended: whoever has it has it for a moment, or is no more */
    while (!(await this.#hasTaken(child, watch))) {
      await this.#host.waits.pause(lookAgainMs, [this.#closing.signal]);
      this.#requireOpen();
    }
    /* oxlint-enable no-await-in-loop */
    return this.#handle(runId);
  }

  /** Takes a child on where nobody else drives it. Whether it is driven here, or has ended. */
  async takeOn(child: Pick<AsChild, "runId" | "tree">): Promise<boolean> {
    return await this.#hasTaken(child, undefined);
  }

  /** Whether a child is driven here, or has ended. */
  async #hasTaken(child: Pick<AsChild, "runId" | "tree">, watch: WatchRun | undefined): Promise<boolean> {
    const { runId } = child;
    if (this.#driven.goneOf(runId) !== undefined) return true;
    if (hasEnded((await this.#listed(runId)).state)) return true;
    return await this.#takeOver(runId, watch, child);
  }

  /** Starts a child of a run that is driven here, by the host. `by`: who does. */
  async startChild(
    parentRunId: string,
    given: StartChild,
    by: Principal = this.#starter,
  ): Promise<RunHandle> {
    await this.#ready();
    await this.begun(parentRunId as RunId);
    return await this.#childrenOf(parentRunId).start(parentRunId, given, this.#byOwn(by));
  }

  /** Tells a child of a run that is driven here something; where it has asked, that is the answer. */
  async tell(childRunId: string, text: string): Promise<void> {
    const parentRunId = await this.#parentOf(childRunId);
    await this.#childrenOf(parentRunId).tell(parentRunId, childRunId, text);
  }

  /** Lets a child go on without its parent, however that ends. `note`: who answers for it, and why. */
  async detach(childRunId: string, note: string, by: Principal = this.#starter): Promise<void> {
    const parentRunId = await this.#parentOf(childRunId);
    await this.#childrenOf(parentRunId).detach(parentRunId, childRunId, this.#byOwn(by), note);
  }

  /** Makes a child that was let go its parent's again, as long as that is under way. */
  async reclaim(childRunId: string, by: Principal = this.#starter): Promise<void> {
    const parentRunId = await this.#parentOf(childRunId);
    await this.#childrenOf(parentRunId).reclaim(parentRunId, childRunId, this.#byOwn(by));
  }

  /** Those that drive a run, here or below. */
  driving(runId: string): Runs | undefined {
    if (this.#driven.goneOf(runId) !== undefined) return this;
    return this.#children.driving(runId) as Runs | undefined;
  }

  async begun(runId: RunId): Promise<void> {
    await this.#children.begun(runId);
  }

  /** Stops driving a run of its own, as it stands, with what is below it: whoever takes it on goes on with it. */
  async leave(runId: string): Promise<void> {
    const live = this.#driven.live(runId);
    await this.#driven.leave(runId);
    if (live !== undefined) await this.#children.leave(live);
  }

  /** Whether a child goes on without its parent: both of them say so. */
  async isDetached(runId: string): Promise<boolean> {
    const { store } = this.#host;
    return await isOwnMaster(store, (await readRun(store, this.#starter.accountId, runId)).run);
  }

  /** Those that drive a run, once they do: a child that is only just taken on with its parent is waited for. */
  async #reach(runId: string): Promise<Runs> {
    const found = this.driving(runId);
    if (found !== undefined) return found;
    await this.begun(runId as RunId);
    const { document } = await listedRun(this.#host.store, this.#starter.accountId, runId);
    if (document.parentRunId === undefined) return this;
    const above = await this.#reach(document.parentRunId);
    await above.begun(document.runId);
    return this.driving(runId) ?? this;
  }

  /** Whether children of its runs are driven here, also of such as have ended. */
  get isDrivingChildren(): boolean {
    return this.#children.isDriving;
  }

  get isDriving(): boolean {
    return this.#driven.size > 0 || this.#children.isDriving;
  }

  #childrenOf(runId: string): ChildRuns {
    return (this.driving(runId) ?? this).#children;
  }

  async #parentOf(childRunId: string): Promise<RunId> {
    await this.#ready();
    await this.begun(childRunId as RunId);
    const { document } = await listedRun(this.#host.store, this.#starter.accountId, childRunId);
    if (document.parentRunId !== undefined) return document.parentRunId;
    throw new InvalidTransitionError(`${document.runId} is nobody's child`, {
      details: { reason: "no_child" },
    });
  }

  #byOwn(given: Principal): Principal {
    return ofAccount(given, this.#starter);
  }

  seqOf(runId: RunId): number {
    return this.#driven.live(runId)?.run.head.seq ?? 0;
  }

  async untilPast(runId: RunId, seq: number, signal: AbortSignal): Promise<boolean> {
    const look = async () => {
      const isDriven = this.#driven.goneOf(runId) !== undefined;
      return !isDriven || this.seqOf(runId) > seq ? true : undefined;
    };
    const signals = [signal, this.#driven.goneOf(runId)];
    await this.#host.waits.until(recordWake(runId), look, { signals });
    const run = this.#driven.live(runId)?.run;
    return run === undefined || !isAtRest(run.shape);
  }

  async tellChild(runId: RunId, message: ChildMessage): Promise<boolean> {
    const live = this.#driven.live(runId);
    const { told } = live?.run ?? (await readRun(this.#host.store, this.#starter.accountId, runId)).run;
    if (live === undefined || told.has(message.messageId)) return told.has(message.messageId);
    return await tellLive(live, message);
  }

  async ownChild(runId: RunId, owner: "parent" | "host"): Promise<boolean> {
    const live = this.#driven.live(runId);
    return live !== undefined && (await ownLive(live, owner));
  }

  /** A run as its journal has it. B22: as this installation has left it. */
  async read(id: string): Promise<Run> {
    const { run, ...listed } = await readRun(this.#host.store, this.#starter.accountId, id);
    this.#host.requireProven({ run, ...listed });
    return run;
  }

  /** The last run of a session, where there was one. */
  async lastOf(sessionId: string): Promise<RunId | undefined> {
    const { store, proves } = this.#host;
    return (await keptSession(store, this.#starter.accountId, sessionId, proves))?.value.runId;
  }

  /** Asks an operator for a capability, for a run. Nothing is reached by asking. */
  async askFor(runId: string, capability: string, { reason, readBefore }: AskForTerms = {}): Promise<Asked> {
    await this.#ready();
    const { principal, origin, sessionId } = (await this.read(runId)).opening;
    const asker = { ...this.#host, journal: this.#answers, principal, origin, sessionId };
    return await askFor(asker, { capability, reason, readBefore });
  }

  /** What a session has been granted and may use now, and what it has asked for. */
  async capabilities(sessionId: string): ReturnType<Capabilities["standing"]> {
    const { accountId, keyId } = this.#starter;
    const named = parseAtDoor(sessionIdSchema, sessionId, "sessionId", InvalidInputError);
    return await this.#host.capabilities.standing({ accountId, keyId, sessionId: named });
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
    const holder = await holderOfEffect(this.#host.store, this.#starter.accountId, { runId, effectId });
    await this.#want(holder, { type: "resolve", by, effectId, status, note } as RunErrand);
  }

  /** Stops driving: what is under way ends, what waits for a person waits on, for whoever opens the store next. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#account.callOffSweep();
    await this.#children.close();
    await this.#driven.close();
    if (this.#driven.hasGivenUp) await this.#tellOfLeft();
    await this.#account.stop();
    await this.#answers.close();
  }

  /** Others take over at once what was given up here. Where they cannot be told, they find it with their next look. */
  async #tellOfLeft(): Promise<void> {
    const { store, clock } = this.#host;
    const wake = runsLeftWake(this.#starter.accountId, this.package.fingerprint);
    await store.commit({ durability: "process", now: clock.now(), wakes: [wake] }).catch(() => undefined);
  }

  /** By the process that drives the run: this one, or the one that finds it in the run's inbox. */
  async #want(id: string, given: RunErrand): Promise<void> {
    await this.#ready();
    const reached = await this.#reach(id);
    if (reached !== this) return await reached.#want(id, given);
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
    const held = await this.#held.hold(runId);
    if (held === undefined) return false;
    const { journal } = held;
    const { run } = journal;
    const isOurs = this.#held.isOurs(held);
    // Under another package it is only given up. What became of an effect can be kept in any case.
    const goesOn = run.end === undefined && (isOurs || errand.type === "cancel");
    await this.#held.orRelease(held, async () => {
      if (goesOn) await journal.append({ durability: "process", records: takenOver(run) });
      await takeErrand(new LiveRun({ host: this.#host, journal }), errand);
    });
    if (goesOn) this.#driven.drive(held, { isForeign: !isOurs });
    else await this.#held.release(held);
    return true;
  }

  /** Whether it goes on here: not where a living process drives it, nor where it has ended. */
  async #takeOver(
    runId: RunId,
    watch?: WatchRun,
    child?: Pick<AsChild, "tree">,
    before?: LiveRun,
  ): Promise<boolean> {
    // Before it is leased: one that is not for here stays abandoned, for whoever can take it on.
    await this.#held.requireOurs(runId);
    const held = await this.#held.hold(runId);
    if (held === undefined) return false;
    const { run } = held.journal;
    if (run.end !== undefined) {
      await this.#held.release(held);
      return false;
    }
    await this.#held.orRelease(held, async () => {
      this.#held.requireSame(run);
      if (child === undefined) await requireOwnMaster(this.#host.store, run);
      await held.journal.append({ durability: "process", records: takenOver(run) });
    });
    this.#driven.drive(held, { watch, tree: child?.tree, before });
    return true;
  }

  async #listed(id: string): Promise<{ readonly runId: RunId; readonly state: RunState }> {
    const { document, state } = await listedRun(this.#host.store, this.#starter.accountId, id);
    return { runId: document.runId, state };
  }

  #handle(runId: RunId): RunHandle {
    const { store, clock, waits, closing, runLimits } = this.#host;
    const { accountId } = this.#starter;
    return new RunHandle({
      store,
      clock,
      waits,
      accountId,
      runId,
      closing,
      outageMs: runLimits.outageMs,
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

/** What runs on a child's package are opened with: with what its parent's are, less what is in the package. */
function onPackage(
  options: RunsOptions | RunsOnPackage,
  runtimePackage: RuntimePackage,
  model: RunModel,
): RunsOnPackage {
  // What a child is told is what was handed over, and which tools it has its package says.
  return {
    ...options,
    package: runtimePackage,
    model,
    selection: undefined,
    assemble: undefined,
    checkAnswer: undefined,
  };
}

/** I1: nobody wants something of another account's run. */
function ofAccount(given: Principal, { accountId }: Principal): Principal {
  const by = parseAtDoor(givenPrincipalSchema, given, "by", InvalidInputError);
  if (by.accountId === accountId) return by;
  throw new ForbiddenError(`${by.keyId} is of another account: nothing is done for it here`);
}

function readErrand(given: RunErrand, starter: Principal): RunErrand {
  const by = ofAccount(given.by, starter);
  if (given.type === "resolve") requireSomebody(by, "decides what became of an effect");
  return parseAtDoor(runErrandSchema, { ...given, by }, "what is wanted of a run", InvalidInputError);
}

function existing(runId: RunId): InvalidTransitionError {
  return new InvalidTransitionError(`${runId} exists already`);
}

function closed(): InvalidTransitionError {
  return new InvalidTransitionError("it is closed here; open it again, or resume the run elsewhere");
}
