// The children of the runs of one package: started once, watched over, told to stop with their parent. J3: what drives a parent drives
// its children, so that a whole tree has one writer. What a child does is in its own stream; here is what its parent says of it.
import {
  CancelledError,
  hashText,
  InvalidInputError,
  InvalidTransitionError,
  type JsonObject,
  type Principal,
  type RunId,
  type RuntimePackage,
} from "@spfunctions/contracts";
import { onAbort } from "../time/abort-signal.ts";
import { readKeptPackage } from "../run/journal/kept-package.ts";
import type { LiveRun } from "../run/driver/live-run.ts";
import { keepPackage } from "../run/open-run.ts";
import { Places } from "../run/driver/places.ts";
import type { RunHandle } from "../run/run-handle.ts";
import type { RunHost, RunModel } from "../run/run-host.ts";
import type { ChildHost } from "./child-host.ts";
import { answerOf, outcomeOf } from "./child-outcome.ts";
import { ChildProgress } from "./child-progress.ts";
import {
  cancellingRecord,
  detachedRecord,
  detachingRecord,
  messageIdOf,
  neverBegunRecord,
  reclaimedRecord,
} from "./child-records.ts";
import {
  append,
  beginChild,
  childIn,
  followChild,
  giveUpChild,
  note,
  phaseOf,
  shapeOf,
} from "./follow-child.ts";
import { type ChildShape, isAttached, mayFollow } from "./child-states.ts";
import type { Child } from "./fold-child.ts";
import { readHostStart, requireSameStart, type StartChild } from "./host-start.ts";
import { type ChildStart, planChild, requireModel } from "./plan-child.ts";
import { erased, notNow, noteMessage, toldBy } from "./tell-child.ts";
import type { SubagentCalls } from "./subagent-calls.ts";
import type { SubagentOutput, SubagentPlan } from "./subagent.ts";

export type ChildRunsParts = {
  readonly host: RunHost;
  readonly live: (runId: string) => LiveRun | undefined;
  /** Runs on a child's package. */
  readonly open: (runtimePackage: RuntimePackage, model: RunModel) => ChildHost;
  /** The runs whose children these are. */
  readonly own: ChildHost;
};

type Tended = {
  readonly letGo: AbortController;
  readonly progress: ChildProgress;
  readonly done: Promise<void>;
  readonly packageFingerprint: string;
};

export class ChildRuns {
  readonly #parts: ChildRunsParts;
  readonly #hosts = new Map<string, ChildHost>();
  readonly #tended = new Map<RunId, Tended>();
  /** Those that are only just being started. */
  readonly #starting = new Map<RunId, Promise<void>>();
  /** Why children of a run are looked after here no more. */
  readonly #faults = new Map<string, unknown>();
  /** One after the other: what is left is there for whoever comes first. */
  readonly #turn = new Places(1);

  constructor(parts: ChildRunsParts) {
    this.#parts = parts;
  }

  /** What is behind the tools that start and direct children. */
  readonly calls: SubagentCalls = {
    start: async (plan, task, { runId, effectId, callId }) => {
      const live = this.#require(runId);
      const childRunId = childRunIdOf(runId, effectId);
      const by = live.run.opening.principal;
      if (task !== null) await this.#start(live, { childRunId, plan, task, call: callId, by });
      else if (!live.run.children.has(childRunId)) throw erased(plan.name);
      return await this.#outcome(live, childRunId, plan, callId);
    },
    tell: async (said, { runId, effectId, callId }) => {
      const live = this.#require(runId);
      const unique = effectId.slice("eff_".length);
      const child = said === null ? toldBy(live, unique) : childIn(live, said.run);
      const plan = this.#planOf(child);
      const call = plan.mode === "wait" ? callId : undefined;
      await this.#tell(live, child, said?.text ?? "", { unique, call });
      return await this.#outcome(live, child.childRunId, plan, callId);
    },
    look: async ({ runId }) => childrenOf(this.#require(runId)),
  };

  /** By the host, and by no model: it goes on in the background, and its parent's model is told what it comes to. */
  async start(parentRunId: string, given: StartChild, by: Principal): Promise<RunHandle> {
    const { key, ...start } = await readHostStart(this.#require(parentRunId), given);
    // It may have ended while a rule of the host was asked.
    const live = this.#require(parentRunId);
    const childRunId = childRunIdOf(parentRunId, `host ${key}`);
    await this.#start(live, { ...start, childRunId, by });
    await this.begun(childRunId);
    const child = childIn(live, childRunId);
    if (child.ended !== undefined && child.ended.head === undefined) await answerOf(live, child);
    // Of one that has ended nobody has runs open any more.
    const host = this.#hosts.get(child.started.packageFingerprint) ?? this.#parts.own;
    return await host.get(childRunId);
  }

  async tell(parentRunId: string, childRunId: string, text: string): Promise<void> {
    const live = this.#require(parentRunId);
    requireText(text, "text", "a child is told a text");
    const child = childIn(live, childRunId);
    const isTold = await this.#tell(live, child, text, { unique: live.host.ids.unique() });
    if (!isTold) throw notNow(child, { ...shapeOf(live, child.childRunId), phase: "ended" }, "told anything");
  }

  /** It goes on without its parent from here on, and somebody answers for it. */
  async detach(parentRunId: string, childRunId: string, by: Principal, why: string): Promise<void> {
    const live = this.#require(parentRunId);
    requireText(why, "note", "a child is let go with a note: who answers for it, and why");
    const child = childIn(live, childRunId);
    await note(live, child.childRunId, (shape) => {
      // Somebody has said so before, and it is not over.
      if (shape.phase === "detaching") return [];
      if (!mayFollow("subagent.detaching", shape)) throw notNow(child, shape, "detached");
      return [detachingRecord(live, child.childRunId, by, why)];
    });
    if (!(await this.#letGo(live, child)))
      throw notNow(child, { ...shapeOf(live, child.childRunId), phase: "ended" }, "detached");
  }

  /** It is its parent's again: it ends with that, and its parent hears of it. Its parent's word is first; it has its own after that. */
  async reclaim(parentRunId: string, childRunId: string, by: Principal): Promise<void> {
    const live = this.#require(parentRunId);
    const child = childIn(live, childRunId);
    const { childRunId: runId } = child;
    const records = (shape: ChildShape) => {
      if (mayFollow("subagent.reclaimed", shape)) return [reclaimedRecord(live, runId, by)];
      throw notNow(child, shape, "taken back");
    };
    records(shapeOf(live, runId));
    await this.#tended.get(runId)?.done;
    const host = await this.#hostOf(live, child);
    try {
      if (!(await host.takeOn({ runId, tree: live.tree })))
        throw new InvalidTransitionError(
          `${runId} is driven by another process: it cannot be taken back before that has ended`,
          { details: { childRunId: runId, reason: "driven_elsewhere" } },
        );
      await note(live, runId, records);
      this.#tend(live, child);
      await host.ownChild(runId, "parent");
    } finally {
      this.#dropIdle(child.started.packageFingerprint);
    }
  }

  /** Takes on the children of a run that is driven here from now on. */
  resume(live: LiveRun): void {
    this.#faults.delete(live.run.opening.runId);
    for (const child of live.run.children.values()) this.#tend(live, child);
  }

  /** Stops every child that is still its parent's, and waits for them. Whether none is left. */
  async end(live: LiveRun): Promise<boolean> {
    for (;;) {
      const { changed } = live;
      const left = [...live.run.children.values()].filter((child) =>
        isAttached({ phase: phaseOf(live, child.childRunId) }),
      );
      if (left.length === 0) return true;
      if (live.closing.aborted) return false;
      this.requireWell(live);
      // oxlint-disable-next-line no-await-in-loop -- until there is none
      await Promise.all(left.map(async (child) => await this.#stop(live, child)));
      // oxlint-disable-next-line no-await-in-loop -- see above
      await changed;
    }
  }

  /** Until nobody looks after the children of a run any more that is left. */
  async untilLeft({ run }: LiveRun): Promise<void> {
    await Promise.all([...run.children.keys()].map(async (runId) => await this.#tended.get(runId)?.done));
  }

  /** Those that are still a run's own are driven here no more, as it is not. */
  async leave({ run }: LiveRun): Promise<void> {
    const own = [...run.shape.children].filter(([, child]) => isAttached(child)).map(([runId]) => runId);
    await Promise.all(own.map(async (runId) => await this.driving(runId)?.leave(runId)));
  }

  /** Throws where children of a run cannot be looked after here. */
  requireWell({ run }: LiveRun): void {
    const fault = this.#faults.get(run.opening.runId);
    if (fault !== undefined) throw fault;
  }

  /** Of a run that is driven here no more. */
  forget(runId: string): void {
    this.#faults.delete(runId);
  }

  /** Whoever watches a run from now on sees its children, too. */
  show(live: LiveRun): void {
    for (const childRunId of live.run.children.keys()) this.#tended.get(childRunId)?.progress.show();
  }

  /** Those that drive a run that stands below. */
  driving(runId: string): ChildHost | undefined {
    for (const host of this.#hosts.values()) {
      const found = host.driving(runId);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Until a child that is being taken on is driven, or is not to be. */
  async begun(childRunId: RunId): Promise<void> {
    await this.#starting.get(childRunId);
    await this.#tended.get(childRunId)?.progress.begun;
    for (const host of this.#hosts.values()) {
      // oxlint-disable-next-line no-await-in-loop -- it is of one of them at the most
      await host.begun(childRunId);
    }
  }

  get isDriving(): boolean {
    return [...this.#hosts.values()].some((host) => host.isDriving);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#tended.values()].map(async ({ done }) => await done));
    await Promise.all([...this.#hosts.values()].map(async (host) => await host.close()));
  }

  #require(runId: string): LiveRun {
    const live = this.#parts.live(runId);
    if (live !== undefined && live.run.end === undefined) return live;
    throw new InvalidTransitionError(`${runId} is not driven here, or has ended; resume it here first`, {
      details: { runId, reason: "not_driven" },
    });
  }

  #planOf({ started }: Child): SubagentPlan {
    const plan = this.#parts.host.subagents.get(started.subagent);
    if (plan === undefined) throw new TypeError(`${started.subagent} is no subagent of this package`);
    return { ...plan, mode: started.mode };
  }

  async #start(live: LiveRun, start: ChildStart): Promise<void> {
    const { childRunId } = start;
    const started = this.#startInTurn(live, start);
    const before = this.#starting.get(childRunId);
    const isOver: Promise<void> = Promise.allSettled([started, before]).then(() =>
      this.#hasStarted(childRunId, isOver),
    );
    this.#starting.set(childRunId, isOver);
    await started;
  }

  #hasStarted(childRunId: RunId, isOver: Promise<void>): void {
    if (this.#starting.get(childRunId) === isOver) this.#starting.delete(childRunId);
  }

  async #startInTurn(live: LiveRun, start: ChildStart): Promise<void> {
    const { childRunId } = start;
    await this.#turn.take();
    try {
      const known = live.run.children.get(childRunId);
      if (known === undefined) await this.#write(live, start);
      else if (start.call === undefined) await requireSameStart(live, known, start);
    } finally {
      this.#turn.give();
    }
    this.#tend(live, childIn(live, childRunId));
  }

  async #write(live: LiveRun, start: ChildStart): Promise<void> {
    const { childRunId, plan } = start;
    if (live.halted.aborted) throw new CancelledError(`${plan.name}: cancelled before it began`);
    try {
      const { record, package: made } = await planChild(live, start);
      // What cannot be run on is not begun.
      this.#open(live, made);
      const documents = [keepPackage(made)];
      const draft = { durability: "process", records: [record], documents } as const;
      await live.journal.append(draft).catch((error: unknown) => {
        this.#dropIdle(made.fingerprint);
        throw error;
      });
    } finally {
      live.dropAside(childRunId);
    }
  }

  async #outcome(
    live: LiveRun,
    childRunId: RunId,
    { mode }: SubagentPlan,
    callId: string,
  ): Promise<SubagentOutput> {
    if (mode === "background") return { run: childRunId, status: "started" };
    return await outcomeOf(live, childRunId, callId, () => this.#faults.get(live.run.opening.runId));
  }

  /** Whether it has heard it: not where it has ended before that. */
  async #tell(
    live: LiveRun,
    child: Child,
    given: string,
    { unique, call }: { readonly unique: string; readonly call?: string | undefined },
  ): Promise<boolean> {
    const { childRunId } = child;
    const messageId = messageIdOf(unique);
    await noteMessage(live, child, { messageId, text: given, call });
    await this.begun(childRunId);
    const told = childIn(live, childRunId).told.find((one) => one.messageId === messageId);
    if (told === undefined) return false;
    try {
      return await (await this.#hostOf(live, child)).tellChild(childRunId, told);
    } finally {
      this.#dropIdle(child.started.packageFingerprint);
    }
  }

  /** Watches over a child until it ends, or goes on without its parent. */
  #tend(live: LiveRun, child: Child): void {
    const { childRunId, started } = child;
    if (this.#tended.has(childRunId) || !isAttached({ phase: phaseOf(live, childRunId) })) return;
    const { runId } = live.run.opening;
    const letGo = new AbortController();
    const progress = new ChildProgress(live, childRunId, started.subagent, letGo.signal);
    const done = this.#lookAfter(live, child, progress, AbortSignal.any([live.closing, letGo.signal]))
      .catch((error: unknown) => {
        if (live.closing.aborted || letGo.signal.aborted) return;
        this.#faults.set(runId, error);
        live.leave();
      })
      .finally(() => {
        letGo.abort();
        this.#tended.delete(childRunId);
        live.nudge();
        this.#dropIdle(started.packageFingerprint);
      });
    const { packageFingerprint } = started;
    this.#tended.set(childRunId, { letGo, progress, done, packageFingerprint });
  }

  async #lookAfter(live: LiveRun, child: Child, progress: ChildProgress, signal: AbortSignal): Promise<void> {
    if (live.isForeign) return await giveUpChild(live, child, this.#parts.own, progress, signal);
    const { childRunId } = child;
    const host = await this.#hostOf(live, child);
    const { mayAsk } = this.#planOf(child);
    const handle = await beginChild(live, child, host, { mayAsk, watch: progress.watch });
    if ("neverBegins" in handle) return await append(live, neverBegunRecord(live, child, handle.neverBegins));
    // What was said before is heard first: whoever says something from here on says it themselves.
    for (const message of childIn(live, childRunId).told) {
      // oxlint-disable-next-line no-await-in-loop -- in the order in which they were said
      await host.tellChild(childRunId, message);
    }
    progress.begin(handle);
    if (phaseOf(live, childRunId) === "detaching" && (await this.#letGo(live, child))) return;
    // One that was taken back while nobody drove it.
    await host.ownChild(childRunId, "parent");
    const stop = () => void this.#stop(live, child).catch(() => undefined);
    const stopListening = onAbort(live.signal, stop);
    try {
      const isCancelling = live.run.shape.children.get(childRunId)?.isCancelling === true;
      if (live.signal.aborted || isCancelling) await this.#stop(live, child);
      await followChild(live, child, host, handle, signal);
    } finally {
      stopListening();
    }
  }

  async #stop(live: LiveRun, child: Child): Promise<void> {
    const { childRunId } = child;
    if (live.isForeign) return;
    const by = live.run.cancelledBy ?? live.run.opening.principal;
    await note(live, childRunId, (shape) =>
      mayFollow("subagent.cancelling", shape) ? [cancellingRecord(live, childRunId, by)] : [],
    );
    // One that is only just to begin is told so once it has.
    await this.begun(childRunId);
    const { phase } = shapeOf(live, childRunId);
    if (phase === "detaching") await this.#letGo(live, child);
    else if (isAttached({ phase })) await (await this.#hostOf(live, child)).cancel(childRunId, by);
  }

  /** Whether it goes on alone from here on: not where it has ended before, which its parent is still to say. */
  async #letGo(live: LiveRun, child: Child): Promise<boolean> {
    const { childRunId } = child;
    const host = await this.#hostOf(live, child);
    if (!(await host.ownChild(childRunId, "host"))) return false;
    await note(live, childRunId, (shape) =>
      mayFollow("subagent.detached", shape)
        ? [detachedRecord(live, childRunId, live.run.opening.starter)]
        : [],
    );
    this.#tended.get(childRunId)?.letGo.abort();
    const handle = await host.get(childRunId);
    const drop = () => this.#dropIdle(child.started.packageFingerprint);
    handle.wait({ signal: this.#parts.host.closing }).then(drop, () => undefined);
    return true;
  }

  /** Runs of a package that nobody has runs of any more are closed. */
  #dropIdle(packageFingerprint: string): void {
    const host = this.#hosts.get(packageFingerprint);
    if (host === undefined || host.isDriving || this.#parts.host.closing.aborted) return;
    const isAwaited = [...this.#tended.values()].some((one) => one.packageFingerprint === packageFingerprint);
    if (isAwaited) return;
    this.#hosts.delete(packageFingerprint);
    host.close().catch(() => undefined);
  }

  async #hostOf(live: LiveRun, { started }: Child): Promise<ChildHost> {
    const known = this.#hosts.get(started.packageFingerprint);
    return known ?? this.#open(live, await readKeptPackage(live.host.store, started.packageFingerprint));
  }

  #open(live: LiveRun, made: RuntimePackage): ChildHost {
    const known = this.#hosts.get(made.fingerprint);
    if (known !== undefined) return known;
    const host = this.#parts.open(made, requireModel(live, made));
    this.#hosts.set(made.fingerprint, host);
    return host;
  }
}

/** The same child for the same effect: it begins once, however often it is begun. */
function childRunIdOf(parentRunId: string, key: string): RunId {
  return `run_${hashText(`simplefunctions child v1\n${parentRunId}\n${key}`).slice(7, 39)}` as RunId;
}

function requireText(given: unknown, field: string, message: string): void {
  if (typeof given === "string" && given.trim() !== "") return;
  throw new InvalidInputError(message, { details: { path: `/${field}` } });
}

function childrenOf(live: LiveRun): JsonObject[] {
  return [...live.run.children.values()].map(({ childRunId, started, asked }) => {
    const phase = phaseOf(live, childRunId);
    return {
      run: childRunId,
      subagent: started.subagent,
      status: phase,
      ...(phase === "asking" && asked && { question: asked.text }),
    };
  });
}
