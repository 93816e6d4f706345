// A model says what to do next, and every call that it proposes goes the governed path. No call goes round it: what a run does is done
// by the kernel's runs, and this says with what they are opened.
import {
  CancelledError,
  isSimpleFunctionsError,
  type RunDocument,
  type RunId,
  type RuntimeEvent,
  type RuntimeRunResult,
  type RuntimeSession,
} from "@spfunctions/contracts";
import {
  type InputOf,
  listedRun,
  readSession,
  type Resolution,
  type RunHandle,
  type RunResult,
  type Runs,
  type StartChild,
  type Store,
  type ToolSchema,
} from "@spfunctions/kernel";
import { LiveFeed, withLive } from "./live-feed.ts";
import { readRunInput } from "./read-run-input.ts";
import { readRuntimeOptions, type ReadRuntimeOptions } from "./read-runtime-options.ts";
import { RunTraces } from "./run-trace.ts";
import type { RuntimeMode, RuntimeRunInput, SimpleFunctionsRuntimeOptions } from "./runtime-options.ts";
import { type Borrowed, closed, RuntimeRuns } from "./runtime-runs.ts";
import { type Watch, watchOver } from "./watch/watch.ts";

/** The result of a run whose answer must be of a shape. */
export type TypedRunResult<Schema> = Omit<RuntimeRunResult, "output"> & { readonly output?: InputOf<Schema> };

export type RunOptions = {
  /** `rest`: until it ends or only a person can take it on, as unless given. `end`: people are waited for. */
  readonly until?: "rest" | "end" | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** A run's events as they happen. `result` is what the run has come to, and needs nobody to look at the events. */
export type RunStream = AsyncIterable<RuntimeEvent> & {
  /** Its id, once it has begun. */
  readonly runId: Promise<string>;
  readonly result: Promise<RuntimeRunResult>;
};

type Begun = Borrowed & {
  readonly handle: RunHandle;
  /** It had ended before anybody here looked. */
  readonly wasOver?: boolean;
};

export class SimpleFunctionsRuntime {
  readonly mode: RuntimeMode;
  /** Where its runs are kept: whoever answers what they ask opens an operator on it. */
  readonly store: Store;
  /** What goes on in the markets. */
  readonly watch: Watch;
  readonly #options: ReadRuntimeOptions;
  readonly #runs: RuntimeRuns;
  readonly #traces: RunTraces;
  /** Runs that wait for a person, each until this process drives it no more; then, whether its trace has an end. */
  readonly #resting = new Map<string, Promise<boolean>>();
  #closing: Promise<void> | undefined;

  constructor(options: SimpleFunctionsRuntimeOptions) {
    this.#options = readRuntimeOptions(options);
    const { mode, store, principal, client, clock } = this.#options;
    this.mode = mode;
    this.store = store;
    this.#runs = new RuntimeRuns(this.#options);
    this.#traces = new RunTraces({ ...this.#options, accountId: principal.accountId });
    this.watch = watchOver({ client: mode === "live" ? client : undefined, clock });
  }

  /** Runs until it has ended, or until nobody but a person can take it on (`requires_approval`, `recovery_needed`). */
  run<const Schema extends ToolSchema>(
    input: RuntimeRunInput & { readonly output: Schema },
    options?: RunOptions,
  ): Promise<TypedRunResult<Schema>>;
  run(input: RuntimeRunInput, options?: RunOptions): Promise<RuntimeRunResult>;
  async run(input: RuntimeRunInput, options: RunOptions = {}): Promise<RuntimeRunResult> {
    const given = withSignal(input, options);
    return await this.#finish(await this.#begin(input, given), given);
  }

  /** The same as events: those on record in their order, what is live in between. It ends where `run` would resolve. */
  runStream(input: RuntimeRunInput, options: RunOptions = {}): RunStream {
    const given = withSignal(input, options);
    return this.#stream((feed) => this.#begin(input, given, feed), given);
  }

  /** Takes a run on that waits, or that a process which is no more has left. Of one that has ended it is the result. */
  async resume(runId: string, options: RunOptions = {}): Promise<RuntimeRunResult> {
    return await this.#finish(await this.#takeOn(runId), options);
  }

  /** The same as events, from its first on. */
  resumeStream(runId: string, options: RunOptions & { readonly cursor?: string } = {}): RunStream {
    return this.#stream((feed) => this.#takeOn(runId, feed), options);
  }

  /** Stops what is under way and begins nothing, in whichever process; what had begun ends. */
  async cancel(runId: string): Promise<void> {
    await (await this.#near(runId)).cancel(runId);
  }

  /** Keeps what a person found out about an effect of which nobody knew what became (`unknownEffects`); the run can go on by it. */
  async resolve(runId: string, effectId: string, resolution: Resolution): Promise<void> {
    await (await this.#near(runId)).resolve(runId, effectId, resolution);
  }

  /**
   * Starts a child of a run that is driven here, of which it may be a child itself: no model can. It goes on in the background, and
   * its parent's model is told what it comes to. It is judged as a call by that run: what would be refused is thrown. The same key starts it
   * once.
   */
  async startChild(parentRunId: string, child: StartChild): Promise<RunHandle> {
    return await (await this.#near(parentRunId)).startChild(parentRunId, child);
  }

  /** Tells a child of a run that is driven here something, or answers what it has asked. */
  async tell(childRunId: string, text: string): Promise<void> {
    await (await this.#nearParent(childRunId)).tell(childRunId, text);
  }

  /** Lets a child go on without its parent, however that ends. `note`: who answers for it, and why. */
  async detach(childRunId: string, note: string): Promise<void> {
    await (await this.#nearParent(childRunId)).detach(childRunId, note);
  }

  /** Makes a child that was let go its parent's again, as long as that is under way. */
  async reclaim(childRunId: string): Promise<void> {
    const runs = await this.#nearParent(childRunId);
    // What drives it here apart from its parent gives it up to that.
    const apart = runs.driving(childRunId) === undefined ? this.#runs.driving(childRunId) : undefined;
    await apart?.leave(childRunId);
    try {
      await runs.reclaim(childRunId);
    } catch (error) {
      await apart?.resume(childRunId).catch(() => undefined);
      throw error;
    }
  }

  /** A run of this account, to be watched: nothing is taken on. */
  async get(runId: string): Promise<RunHandle> {
    return await (await this.#near(runId)).get(runId);
  }

  /** The tools that are on by default, by their canonical names; what of them may be called its policy says. */
  async defaultTools(): Promise<string[]> {
    return await this.#runs.defaultTools();
  }

  /** What is known of a session; null where there is none. */
  async session(sessionId: string): Promise<RuntimeSession | null> {
    const { sessionStore, store, principal, installation } = this.#options;
    if (sessionStore !== undefined) return await sessionStore.get(sessionId);
    return (await readSession(store, principal.accountId, sessionId, installation)) ?? null;
  }

  /** Takes on what processes that are no more have left of this agent's runs, as far as it can go on here. Gives back which. */
  async open(): Promise<string[]> {
    this.#requireOpen();
    const base = await this.#runs.base();
    const all = await base.list();
    const left = all.filter(
      ({ seal, agentId, parentRunId }) =>
        seal === undefined && agentId === this.#options.agentId && parentRunId === undefined,
    );
    const others = new Set(left.map(({ packageFingerprint }) => packageFingerprint));
    others.delete(base.package.fingerprint);
    const taken = await this.#openAll({ runs: base, giveBack: async () => undefined });
    for (const packageFingerprint of others) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const more = await this.#openOther(packageFingerprint).catch((error: unknown) => {
        // What cannot go on here its own resume says.
        if (isSimpleFunctionsError(error)) return [];
        throw error;
      });
      taken.push(...more);
    }
    return [...taken, ...(await this.#openDetached(all))];
  }

  /** Children of this agent's runs that go on without their parents. */
  async #openDetached(all: readonly RunDocument[]): Promise<string[]> {
    const byId = new Map(all.map((one) => [one.runId, one]));
    const rootOf = (one: RunDocument): RunDocument => {
      const above = one.parentRunId && byId.get(one.parentRunId);
      return above === undefined ? one : rootOf(above);
    };
    const { agentId } = this.#options;
    const base = await this.#runs.base();
    const taken: string[] = [];
    for (const one of all) {
      const isOpen =
        one.seal === undefined && one.parentRunId !== undefined && rootOf(one).agentId === agentId;
      if (!isOpen) continue;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const begun = await this.#takeOnAlone(base, one.runId).catch((error: unknown) => {
        // What cannot go on here its own resume says.
        if (isSimpleFunctionsError(error)) return undefined;
        throw error;
      });
      if (begun === undefined) continue;
      taken.push(one.runId);
      this.#finish(begun, { until: "end" }).catch(() => undefined);
    }
    return taken;
  }

  /** Nothing of a child that is its parent's. */
  async #takeOnAlone(base: Runs, runId: string): Promise<Begun | undefined> {
    return (await base.isDetached(runId)) ? await this.#takeOn(runId) : undefined;
  }

  /** What is under way ends, what waits for a person waits on, for whoever opens the store next. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      await this.#runs.close();
      await Promise.all(this.#resting.values());
      await this.#traces.close();
    })();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #begin(input: RuntimeRunInput, { signal }: RunOptions, feed?: LiveFeed): Promise<Begun> {
    this.#requireOpen();
    this.#traces.requireKept();
    const { objective, terms, sessionId } = readRunInput(input, this.#options);
    if (signal?.aborted === true) throw new CancelledError("cancelled before it began; nothing has happened");
    const borrowed = await this.#runs.borrow(terms);
    return await this.#orGiveBack(borrowed, async () => {
      const handle = await borrowed.runs.start({ objective, sessionId }, feed?.watch);
      if (sessionId !== undefined) await this.#noteSession(sessionId, handle);
      return { ...borrowed, handle };
    });
  }

  async #takeOn(runId: string, feed?: LiveFeed): Promise<Begun> {
    const document = await this.#listed(runId);
    const borrowed = await this.#runs.borrowFor(document);
    return await this.#orGiveBack(borrowed, async () => {
      const handle = await borrowed.runs.resume(runId, feed?.watch);
      return { ...borrowed, handle, wasOver: document.seal !== undefined };
    });
  }

  async #openOther(packageFingerprint: RunDocument["packageFingerprint"]): Promise<string[]> {
    return await this.#openAll(await this.#runs.borrowFor({ packageFingerprint }));
  }

  async #openAll(borrowed: Borrowed): Promise<string[]> {
    return await this.#orGiveBack(borrowed, async () => {
      const handles = await borrowed.runs.open();
      // It is the last of them that gives back what all go on with.
      const ended = handles.map((handle) =>
        this.#finish({ runs: borrowed.runs, giveBack: async () => undefined, handle }, { until: "end" }),
      );
      Promise.allSettled(ended)
        .then(borrowed.giveBack)
        .catch(() => undefined);
      return handles.map(({ runId }) => runId);
    });
  }

  async #near(runId: string): Promise<Runs> {
    return await this.#runs.near(await this.#listed(runId));
  }

  async #nearParent(childRunId: string): Promise<Runs> {
    const { parentRunId = childRunId } = await this.#listed(childRunId);
    return await this.#near(parentRunId);
  }

  async #listed(runId: string): Promise<RunDocument> {
    this.#requireOpen();
    // One whose start was just told of is listed a moment later.
    await this.#runs.begun(runId as RunId);
    const { store, principal } = this.#options;
    return (await listedRun(store, principal.accountId, runId)).document;
  }

  async #orGiveBack<Value>({ giveBack }: Borrowed, act: () => Promise<Value>): Promise<Value> {
    try {
      return await act();
    } catch (error) {
      await giveBack();
      throw error;
    }
  }

  /** A host's own list is told what the store has. Where it does not take that, the run does not go on behind its back. */
  async #noteSession(sessionId: string, handle: RunHandle): Promise<void> {
    const { sessionStore, store, principal, installation } = this.#options;
    if (sessionStore === undefined) return;
    try {
      const session = await readSession(store, principal.accountId, sessionId, installation);
      if (session !== undefined) await sessionStore.put(session);
    } catch (error) {
      await handle
        .cancel()
        .then(() => handle.wait())
        .catch(() => undefined);
      throw error;
    }
  }

  async #finish(begun: Begun, { until = "rest", signal }: RunOptions): Promise<RuntimeRunResult> {
    const { handle, runs, wasOver = false } = begun;
    const { runId } = handle;
    const resting = this.#resting.get(runId);
    let cancelling: Promise<void> | undefined;
    const cancel = () => {
      cancelling ??= runs.cancel(runId);
      // Told to whoever waits below.
      cancelling.catch(() => undefined);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted === true) cancel();
    return await this.#orGiveBack(begun, async () => {
      try {
        const rest = shown(await handle.wait({ for: until }));
        await cancelling;
        // What was told to stop while it rested ends.
        const result = isAtRest(rest) && cancelling ? shown(await handle.wait()) : rest;
        const isResting = isAtRest(result);
        const isWritten = !isResting && ((await resting) === true || wasOver);
        if (!isWritten || this.#traces.has(runId)) await this.#traces.write(runId, !isResting);
        await (isResting ? this.#letRest(begun) : begun.giveBack());
        return result;
      } finally {
        signal?.removeEventListener("abort", cancel);
      }
    });
  }

  /** One that waits goes on here by itself once somebody has answered: what it goes on with is kept until then, once. */
  async #letRest({ handle, giveBack }: Begun): Promise<void> {
    const { runId } = handle;
    if (this.#resting.has(runId)) return await giveBack();
    const resting = this.#seeOff(handle)
      // What became of the run is told to whoever asks for it.
      .catch(() => false)
      .finally(() => this.#resting.delete(runId));
    this.#resting.set(runId, resting);
    resting.then(giveBack).catch(() => undefined);
  }

  async #seeOff(handle: RunHandle): Promise<boolean> {
    await handle.left();
    const { runId } = handle;
    const { store, principal } = this.#options;
    const { seal } = (await listedRun(store, principal.accountId, runId)).document;
    if (!this.#traces.has(runId)) return false;
    await this.#traces.write(runId, seal !== undefined);
    return seal !== undefined;
  }

  #stream(
    begin: (feed: LiveFeed) => Promise<Begun>,
    { cursor, ...options }: RunOptions & { readonly cursor?: string },
  ): RunStream {
    const feed = new LiveFeed();
    const resting = new AbortController();
    const beginning = begin(feed);
    const runId = beginning.then(({ handle }) => handle.runId);
    const result = beginning.then(async (begun) => {
      try {
        return await this.#finish(begun, options);
      } finally {
        begun.runs.unwatch(begun.handle.runId, feed.watch);
      }
    });
    // Nobody has to look at either. Where only a person can go on, its events end, too.
    runId.catch(() => undefined);
    result.then(
      (ended) => isAtRest(ended) && resting.abort(),
      () => resting.abort(),
    );
    async function* events(): AsyncGenerator<RuntimeEvent> {
      const live = feed.reader();
      const { handle } = await beginning;
      const stop = new AbortController();
      const signal = AbortSignal.any([resting.signal, stop.signal]);
      yield* withLive(handle.stream({ cursor, signal }), live, stop, placeOf(cursor));
      await result;
    }
    return { runId, result, [Symbol.asyncIterator]: events };
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) throw closed();
  }
}

/** Either of them cancels it. */
function withSignal(input: Partial<RuntimeRunInput> | undefined, options: RunOptions): RunOptions {
  const all = [input?.signal, options.signal].filter((one) => one !== undefined);
  return all.length < 2 ? { ...options, signal: all[0] } : { ...options, signal: AbortSignal.any(all) };
}

/** Of which record the event is that a cursor names. Whether there is one is found out by whoever reads from there. */
function placeOf(cursor: string | undefined): number {
  return Number(/:(\d+)\./.exec(cursor ?? "")?.[1] ?? 0);
}

function isAtRest({ status }: Pick<RuntimeRunResult, "status">): boolean {
  return status === "requires_approval" || status === "recovery_needed";
}

function shown(result: RunResult): RuntimeRunResult {
  const { runId, sessionId, status, output, error, spent, steps, approvals, unknown, children } = result;
  return {
    runId,
    ...(sessionId !== undefined && { sessionId }),
    status,
    ...(output !== undefined && { output }),
    ...(error && { error }),
    steps: [...steps],
    usage: spent,
    approvals: [...approvals],
    ...(unknown.length > 0 && { unknownEffects: [...unknown] }),
    ...(children.length > 0 && { children: [...children] }),
  } as RuntimeRunResult;
}
