// A run in the process that drives it: what it has written, what it may still do, and how it is told to stop.
import {
  type CallId,
  InvalidApiKeyError,
  type JournalRecord,
  type JsonValue,
  type Principal,
  type RuntimeEvent,
  type SimpleFunctionsError,
  type Spent,
  type StepId,
} from "@spfunctions/contracts";
import type { CallBudget, CallHost, RunTree } from "../../call/call-host.ts";
import { emit } from "../../call/emit.ts";
import { draftRecord } from "../../journal/record-draft.ts";
import type { DocumentWrite } from "../../store/store.ts";
import type { Judge } from "../../judge/judge.ts";
import { isAttached } from "../../subagent/child-states.ts";
import { questionIn } from "../../subagent/question.ts";
import { Conversation, type WhyWrong } from "../model/conversation.ts";
import { offeredTools, ShownTools } from "../model/offered-tools.ts";
import { isInDoubt } from "../state/decide-run.ts";
import { isAtRest, type Run } from "../state/fold-run.ts";
import type { Place } from "./run-batch.ts";
import { isStarterGood, type RunHost } from "../run-host.ts";
import type { RunJournal } from "../journal/run-journal.ts";
import { plus } from "../state/run-spent.ts";
import { hasEnded, type RunState } from "../state/run-states.ts";
import { sessionHistory } from "../model/session-history.ts";

/** Sees what is live only: progress, and what a model says while it says it. `after`: the last record that was written before. */
export type WatchRun = (event: RuntimeEvent, after: number) => void;

export type LiveRunParts = {
  readonly host: RunHost;
  readonly journal: RunJournal;
  readonly watch?: WatchRun | undefined;
  /** Whether it was started under another package: it can only be given up here. */
  readonly isForeign?: boolean | undefined;
  /** Of a child: what the run at the top of its tree is granted by. */
  readonly tree?: RunTree | undefined;
  /** The same run as this process has driven it until the store did not answer: whoever watches goes on, and inputs are still known. */
  readonly before?: LiveRun | undefined;
};

export class LiveRun {
  readonly host: RunHost;
  readonly journal: RunJournal;
  /** The part without meaning that everything of this run is named by. */
  readonly unique: string;
  readonly watchers = new Set<WatchRun>();
  readonly isForeign: boolean;
  readonly judge: Judge;
  readonly #callHost: CallHost;
  readonly #tree: RunTree | undefined;
  readonly #stop = new AbortController();
  readonly #leaving = new AbortController();
  /** Aborts when this process closes, or can drive it no more: what waits for a person is left where it is. */
  readonly closing: AbortSignal;
  /** Aborts where nothing more is waited for: it was stopped, or is left. */
  readonly halted: AbortSignal;
  /** Inputs as the model gave them, of this process alone: on record are their recorded forms. */
  readonly #args = new Map<CallId, JsonValue>();
  conversation: Conversation;
  readonly shown: ShownTools;
  /** The model's last answer that no hook has objected to, in this process. */
  heard: StepId | undefined;
  #recalling: Promise<void> | undefined;
  /** How long the model's provider has asked to be left alone when it failed last, in this process. */
  patienceMs = 0;
  /** The places in flight that calls have which are under way here. */
  readonly places = new Map<CallId, Place>();
  /** Calls that were begun in this process: of others nobody is heard of here. */
  readonly begun = new Set<CallId>();
  /** What may begin, and of which no record says so yet, with what it may use up: calls, the model's turn, children. */
  readonly #setAside = new Map<string, Spent>();
  #changed = Promise.withResolvers<void>();
  #cancelling: Promise<boolean> | undefined;
  #withdrawn: SimpleFunctionsError | undefined;
  #callOffWall: (() => void) | undefined;

  constructor({ host, journal, watch, isForeign = false, tree, before }: LiveRunParts) {
    this.#tree = tree;
    this.host = host;
    this.journal = journal;
    this.unique = journal.run.opening.runId.slice("run_".length);
    if (before !== undefined) {
      for (const one of before.watchers) this.watchers.add(one);
      for (const [callId, args] of before.#args) this.#args.set(callId, args);
    }
    if (watch !== undefined) this.watchers.add(watch);
    this.isForeign = isForeign;
    this.conversation = new Conversation(this.#whyWrong);
    const { principal, origin, sessionId } = journal.run.opening;
    this.judge = host.judgeOf(principal);
    this.shown = new ShownTools(offeredTools(host, this.judge), journal.run.opening.shown, host.registry);
    this.closing = AbortSignal.any([host.closing, this.#leaving.signal]);
    const { closing } = this;
    this.halted = AbortSignal.any([this.#stop.signal, closing]);
    this.#callHost = { ...host, journal, principal, origin, judge: this.judge, sessionId, closing };
    // Told so in an earlier life.
    if (journal.run.cancelledBy !== undefined) this.#stop.abort();
  }

  get run(): Run {
    return this.journal.run;
  }

  /** Nothing where nobody watches. */
  get watch(): ((event: RuntimeEvent) => void) | undefined {
    if (this.watchers.size === 0) return undefined;
    return (event) => {
      for (const watch of this.watchers) emit(watch, event, this.run.head.seq);
    };
  }

  /** A question is no wrong answer, unless there is nobody to ask. */
  readonly #whyWrong: WhyWrong = (text, { isAlone = false }) => {
    const mayAsk = this.run.opening.parent?.mayAsk === true && !isAlone;
    if (mayAsk && questionIn(text) !== undefined) return undefined;
    return this.host.runLimits.answered?.(text).error?.message;
  };

  /** What was said in its session before. */
  async recall(): Promise<void> {
    const { previous, accountId } = this.run.opening;
    const { store, contextTokens = 0, requireProven, assemble } = this.host;
    if (previous === undefined || assemble !== undefined) return;
    this.#recalling ??= (async () => {
      const terms = { store, accountId, mostBytes: 4 * contextTokens, requireProven };
      this.conversation = new Conversation(this.#whyWrong, await sessionHistory(previous, terms));
    })();
    await this.#recalling;
  }

  /** Aborts what is under way: a cancel, or the end of the time that a run has. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Milliseconds in which it did something, by now. */
  get activeMs(): number {
    const { shape, activeMs } = this.run;
    return activeMs + (isAtRest(shape) ? 0 : this.journal.sinceLast);
  }

  /** One that was let go is at the top of its own. */
  get tree(): RunTree {
    const { runId, sessionId } = this.run.opening;
    return this.#tree === undefined || this.run.isDetached ? { runId, sessionId } : this.#tree;
  }

  /** What one of its calls is made with. */
  hostOf(callId: CallId): CallHost {
    const isStarting = this.#isStarting(callId);
    const one = { toolCalls: 1, ...(isStarting && { children: 1 }) };
    const used = () => {
      const { toolCalls = 0, children = 0 } = this.used(callId);
      return { toolCalls, ...(isStarting && { children: children - this.#childrenOf(callId) }) };
    };
    const decide: CallBudget["decide"] = (judge) => {
      const judgement = judge(used());
      if (judgement.verdict.outcome === "allow") this.setAside(callId, one);
      return judgement;
    };
    return { ...this.#callHost, tree: this.tree, budget: { used, decide } };
  }

  /** Whether a call starts a child. */
  #isStarting(callId: CallId): boolean {
    const call = this.run.steps.at(-1)?.calls.find((one) => one.callId === callId);
    return call !== undefined && this.host.subagents.has(call.name);
  }

  /** How many a call has started itself: what it has is not in its own way. */
  #childrenOf(callId: CallId): number {
    const own = [...this.run.children.values()].filter(({ started }) => started.call === callId);
    return own.reduce(
      (sum, { childRunId }) => sum + (this.run.shape.children.get(childRunId)?.children ?? 0),
      0,
    );
  }

  /** What is used up, and what is set aside for what is under way, but for what asks for itself. */
  used(except?: string): Spent {
    const { shape, spending, attempt, children } = this.run;
    const aside = new Map(this.#setAside);
    for (const [callId, phase] of shape.calls)
      if (phase === "running") aside.set(callId, this.#needs(callId));
    for (const [childRunId, child] of shape.children)
      if (isAttached(child)) aside.set(childRunId, children.get(childRunId)?.started.reserved ?? {});
    if (shape.isModelling && attempt !== undefined) aside.set("turn", attempt.reserved);
    if (except !== undefined) aside.delete(except);
    return [...aside.values()].reduce(plus, spending.total);
  }

  /** How many of that are children that calls which may run are still to start. */
  get toStart(): number {
    const running = [...this.run.shape.calls].filter(([, phase]) => phase === "running").map(([id]) => id);
    const all = new Set<string>([...running, ...this.#setAside.keys()]);
    return [...all].filter((id) => this.#isToStart(id as CallId)).length;
  }

  #isToStart(callId: CallId): boolean {
    return this.#isStarting(callId) && this.#childrenOf(callId) === 0;
  }

  /** What a call that runs is counted for. */
  #needs(callId: CallId): Spent {
    return { toolCalls: 1, ...(this.#isToStart(callId) && { children: 1 }) };
  }

  setAside(what: string, worst: Spent): void {
    this.#setAside.set(what, worst);
  }

  /** Of what is on record, or is over. */
  dropAside(what: string): void {
    this.#setAside.delete(what);
  }

  keepArgs(callId: CallId, args: JsonValue): void {
    this.#args.set(callId, args);
  }

  argsOf(callId: CallId): JsonValue | undefined {
    return this.#args.get(callId);
  }

  /** A record was written. */
  told(record: JournalRecord): void {
    if ("callId" in record) this.#setAside.delete(record.callId);
    if ("childRunId" in record) this.#setAside.delete(record.childRunId);
    if (record.kind === "model.intended") {
      this.#args.clear();
      this.#setAside.delete("turn");
    }
    this.mindTime();
    this.nudge();
  }

  /** Whoever looks what to do next looks again. */
  nudge(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Until something was written, or it was told to stop. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  /** X1: until it is known what became of every effect. Nothing further is waited for by a run that is stopped, or left. */
  async untilKnown(): Promise<void> {
    const { closing } = this;
    while (isInDoubt(this.run) && !this.signal.aborted && !closing.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- once for each record
      await this.changed;
    }
  }

  /** Stops what is under way, and what would begin; it ends as cancelled by whoever said so first. Whether that was this one. */
  async cancel(by: Principal, documents: readonly DocumentWrite[] = []): Promise<boolean> {
    if (this.run.end !== undefined || this.run.cancelledBy !== undefined) return false;
    const isFirst = this.#cancelling === undefined;
    this.#cancelling ??= this.#cancel(by, documents);
    try {
      return (await this.#cancelling) && isFirst;
    } finally {
      if (isFirst) this.#cancelling = undefined;
    }
  }

  async #cancel(by: Principal, documents: readonly DocumentWrite[]): Promise<boolean> {
    const { runId } = this.run.opening;
    const record = draftRecord("run.cancelling", { runId, by });
    try {
      await this.journal.append({ durability: "power", records: [record], documents });
    } catch (error) {
      // It has come to its own end meanwhile.
      if (this.run.end !== undefined) return false;
      throw error;
    }
    this.stop();
    return true;
  }

  /** Whether it may begin something. Where its starter's key is valid no more, it is stopped. */
  async mayGoOn(): Promise<boolean> {
    const { starter, runId } = this.run.opening;
    if (this.signal.aborted) return false;
    if (await isStarterGood(this.host, starter, runId)) return !this.signal.aborted;
    this.#withdrawn = new InvalidApiKeyError(
      `the key that started this run, ${starter.keyId}, is not valid any more`,
    );
    this.stop();
    return false;
  }

  /** Why it was stopped, where that was for its starter's key. */
  get withdrawn(): SimpleFunctionsError | undefined {
    return this.#withdrawn;
  }

  /** It is driven here no more: it has failed, and whoever waits for it is to be told so (J2), or goes on elsewhere. */
  leave(): void {
    this.#leaving.abort();
    this.nudge();
  }

  stop(): void {
    this.rest();
    this.#stop.abort();
    this.nudge();
  }

  /** Nothing more is timed. */
  rest(): void {
    this.#callOffWall?.();
    this.#callOffWall = undefined;
  }

  /** The time that a run has passes while it does something. */
  mindTime(): void {
    this.rest();
    const { maxWallMs } = this.judge.budget;
    const { shape } = this.run;
    if (maxWallMs === undefined || isAtRest(shape) || hasEnded(shape.state as RunState)) return;
    const left = Math.max(1, maxWallMs - this.activeMs + 1);
    this.#callOffWall = this.host.clock.after(Math.min(left, 2 ** 31 - 1), () => this.stop());
  }
}
