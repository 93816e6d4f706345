// A model says what to do next, and every call that it proposes goes the governed path. No call goes round it: what a run does is done
// by the kernel's runs, and this says with what they are opened.
import {
  InvalidTransitionError,
  isSimpleFunctionsError,
  type RuntimeEvent,
  type RuntimeRunResult,
  type RuntimeSession,
} from "@spfunctions/contracts";
import {
  type InputOf,
  listedRun,
  readSession,
  type RunHandle,
  type RunResult,
  type Store,
  type ToolSchema,
} from "@spfunctions/kernel";
import { LiveFeed, withLive } from "./live-feed.ts";
import { readRunInput } from "./read-run-input.ts";
import { readRuntimeOptions, type ReadRuntimeOptions } from "./read-runtime-options.ts";
import { RunTraces } from "./run-trace.ts";
import type { RuntimeMode, RuntimeRunInput, SimpleFunctionsRuntimeOptions } from "./runtime-options.ts";
import { type Borrowed, RuntimeRuns } from "./runtime-runs.ts";
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

type Begun = Borrowed & { readonly handle: RunHandle };

export class SimpleFunctionsRuntime {
  readonly mode: RuntimeMode;
  /** Where its runs are kept: whoever answers what they ask opens an operator on it. */
  readonly store: Store;
  /** What goes on in the markets. */
  readonly watch: Watch;
  readonly #options: ReadRuntimeOptions;
  readonly #runs: RuntimeRuns;
  readonly #traces: RunTraces;
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
    const begun = await this.#begin(input);
    return await this.#finish(begun, { signal: input.signal, ...options });
  }

  /** The same as events: those on record in their order, what is live in between. It ends where `run` would resolve. */
  runStream(input: RuntimeRunInput, options: RunOptions = {}): RunStream {
    return this.#stream((feed) => this.#begin(input, feed), { signal: input.signal, ...options });
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
    const { runs } = await this.#borrowFor(runId);
    await runs.cancel(runId);
  }

  /** A run of this account, to be watched: nothing is taken on. */
  async get(runId: string): Promise<RunHandle> {
    const { runs } = await this.#borrowFor(runId);
    return await runs.get(runId);
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
    const listed = await (await this.#runs.base()).list();
    const taken: string[] = [];
    for (const { runId, agentId, seal } of listed) {
      if (seal !== undefined || agentId !== this.#options.agentId) continue;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const begun = await this.#takeOn(runId).catch((error: unknown) => {
        if (isSimpleFunctionsError(error)) return undefined;
        throw error;
      });
      if (begun === undefined) continue;
      taken.push(runId);
      this.#finish(begun, { until: "end" }).catch(() => undefined);
    }
    return taken;
  }

  /** What is under way ends, what waits for a person waits on, for whoever opens the store next. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      await this.#runs.close();
      await this.#traces.close();
    })();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #begin(input: RuntimeRunInput, feed?: LiveFeed): Promise<Begun> {
    this.#requireOpen();
    const { objective, terms, sessionId, signal } = readRunInput(input, this.#options);
    signal?.throwIfAborted();
    const borrowed = await this.#runs.borrow(terms);
    return await this.#orGiveBack(borrowed, async () => {
      const handle = await borrowed.runs.start({ objective, sessionId }, feed?.watch);
      if (sessionId !== undefined) await this.#noteSession(sessionId);
      return { ...borrowed, handle };
    });
  }

  async #takeOn(runId: string, feed?: LiveFeed): Promise<Begun> {
    this.#requireOpen();
    const borrowed = await this.#borrowFor(runId);
    return await this.#orGiveBack(borrowed, async () => ({
      ...borrowed,
      handle: await borrowed.runs.resume(runId, feed?.watch),
    }));
  }

  /** The runs of the package that one was started under. */
  async #borrowFor(runId: string): Promise<Borrowed> {
    this.#requireOpen();
    const { store, principal } = this.#options;
    const { document } = await listedRun(store, principal.accountId, runId);
    return await this.#runs.borrowFor(document);
  }

  async #orGiveBack<Value>({ giveBack }: Borrowed, act: () => Promise<Value>): Promise<Value> {
    try {
      return await act();
    } catch (error) {
      await giveBack();
      throw error;
    }
  }

  /** A host's own list is told what the store has. */
  async #noteSession(sessionId: string): Promise<void> {
    const { sessionStore, store, principal, installation } = this.#options;
    if (sessionStore === undefined) return;
    const session = await readSession(store, principal.accountId, sessionId, installation);
    if (session !== undefined) await sessionStore.put(session);
  }

  async #finish(
    { handle, runs, giveBack }: Begun,
    { until = "rest", signal }: RunOptions,
  ): Promise<RuntimeRunResult> {
    const { runId } = handle;
    const cancel = () => void runs.cancel(runId).catch(() => undefined);
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted === true) cancel();
    try {
      const result = shown(await handle.wait({ for: until }));
      const isOver = !isAtRest(result);
      await this.#traces.write(runId, isOver);
      // One that waits goes on here by itself once somebody has answered.
      if (isOver) await giveBack();
      return result;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  #stream(
    begin: (feed: LiveFeed) => Promise<Begun>,
    { cursor, ...options }: RunOptions & { readonly cursor?: string },
  ): RunStream {
    const feed = new LiveFeed();
    const stop = new AbortController();
    const beginning = begin(feed);
    const runId = beginning.then(({ handle }) => handle.runId);
    const result = beginning.then((begun) => this.#finish(begun, options));
    // Nobody has to look at either. Where only a person can go on, its events end, too.
    runId.catch(() => undefined);
    result.then(
      (ended) => isAtRest(ended) && stop.abort(),
      () => stop.abort(),
    );
    async function* events(): AsyncGenerator<RuntimeEvent> {
      const { handle } = await beginning;
      yield* withLive(handle.stream({ cursor, signal: stop.signal }), feed, stop);
      await result;
    }
    return { runId, result, [Symbol.asyncIterator]: events };
  }

  #requireOpen(): void {
    if (this.#closing !== undefined)
      throw new InvalidTransitionError("this runtime is closed; make another to go on");
  }
}

function isAtRest({ status }: Pick<RuntimeRunResult, "status">): boolean {
  return status === "requires_approval" || status === "recovery_needed";
}

function shown(result: RunResult): RuntimeRunResult {
  const { runId, sessionId, status, output, error, spent, steps, approvals } = result;
  return {
    runId,
    ...(sessionId !== undefined && { sessionId }),
    status,
    ...(output !== undefined && { output }),
    ...(error && { error }),
    steps: [...steps],
    usage: spent,
    approvals: approvals.map(({ approvalId }) => approvalId),
  } as RuntimeRunResult;
}
