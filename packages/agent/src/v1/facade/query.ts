// A conversation: each thing that is said is a run, with what was said before. What is changed in between holds from the next run on.
import {
  type AgentPolicy,
  InvalidTransitionError,
  type RuntimeEvent,
  type RuntimeRunResult,
} from "@spfunctions/contracts";
import { createMemoryStore, type ModelAdapter } from "@spfunctions/kernel";
import { bad } from "../../given-options.ts";
import { SimpleFunctionsRuntime } from "../simple-functions-runtime.ts";
import { type AgentCreateOptions, clientOf, withModestBounds } from "./agent-options.ts";
import { Prompts } from "./prompts.ts";

/** The events of its runs, and what each of them has come to. */
export type QueryEvent =
  | RuntimeEvent
  | { readonly type: "turn.completed"; readonly result: RuntimeRunResult };

/** `plan`: nothing is changed, whatever the policy allows. A mode only lowers authority. */
export type PermissionMode = "default" | "plan";

export type QueryOptions = AgentCreateOptions & { readonly model: ModelAdapter };

export type Query = AsyncIterable<QueryEvent> & {
  /** Cancels the run that is under way; what is said next begins another. */
  readonly interrupt: () => Promise<void>;
  readonly setModel: (model: ModelAdapter) => void;
  readonly setPermissionMode: (mode: PermissionMode) => void;
  /** What is said next; resolves when all of it was taken. */
  readonly streamInput: (prompts: AsyncIterable<string> | Iterable<string>) => Promise<void>;
  readonly close: () => Promise<void>;
};

const planning: AgentPolicy = { maxSideEffect: "none", maxCostEffect: "llm_cost" };

export function query({
  prompt,
  options,
}: {
  readonly prompt: string | AsyncIterable<string>;
  readonly options: QueryOptions;
}): Query {
  const session = new QuerySession(options);
  const prompts = new Prompts();
  // A text is not said letter by letter.
  prompts.take(typeof prompt === "string" ? [prompt] : prompt).catch(() => undefined);
  return {
    interrupt: () => session.interrupt(),
    setModel: (model) => session.setModel(model),
    setPermissionMode: (mode) => session.setMode(mode),
    streamInput: (more) => prompts.take(more),
    close: async () => {
      prompts.close();
      await session.close();
    },
    async *[Symbol.asyncIterator]() {
      try {
        for await (const said of prompts.all()) yield* session.turn(said);
      } finally {
        prompts.close();
        await session.close();
      }
    },
  };
}

class QuerySession {
  readonly #options: Omit<QueryOptions, "apiKey" | "baseUrl" | "policy" | "builtinTools" | "sessionId">;
  readonly #policy: AgentPolicy;
  readonly #builtinTools: readonly string[] | undefined;
  readonly #sessionId: string;
  readonly #runtimes = new Map<ModelAdapter, SimpleFunctionsRuntime>();
  #model: ModelAdapter;
  #mode: PermissionMode = "default";
  #underWay: AbortController | undefined;
  #isClosed = false;

  constructor({ apiKey, baseUrl, policy, builtinTools, sessionId, ...rest }: QueryOptions) {
    const client = clientOf({
      ...rest,
      ...(apiKey !== undefined && { apiKey }),
      ...(baseUrl !== undefined && { baseUrl }),
    });
    this.#options = { ...rest, store: rest.store ?? createMemoryStore(), ...(client && { client }) };
    this.#policy = withModestBounds(policy).policy;
    this.#builtinTools = builtinTools;
    this.#sessionId = sessionId ?? `query-${crypto.randomUUID()}`;
    this.#model = rest.model;
    this.#runtime();
  }

  async *turn(objective: string): AsyncGenerator<QueryEvent> {
    if (this.#isClosed) throw new InvalidTransitionError("this query is closed; begin another");
    const runtime = this.#runtime();
    const tools = this.#builtinTools ?? (await runtime.defaultTools());
    const underWay = new AbortController();
    this.#underWay = underWay;
    const less = this.#mode === "plan" ? { policy: planning } : {};
    const run = runtime.runStream(
      { objective, tools, sessionId: this.#sessionId, signal: underWay.signal, ...less },
      { until: "end" },
    );
    try {
      yield* run;
      yield { type: "turn.completed", result: await run.result };
    } finally {
      this.#underWay = undefined;
      // Whoever stops looking ends the query, and with it what is under way.
      underWay.abort();
      await run.result.catch(() => undefined);
    }
  }

  async interrupt(): Promise<void> {
    this.#underWay?.abort();
  }

  setModel(model: ModelAdapter): void {
    if (typeof model?.complete !== "function")
      throw bad("/model", "a model is an adapter: { name, complete }");
    this.#model = model;
  }

  setMode(mode: PermissionMode): void {
    if (mode !== "default" && mode !== "plan")
      throw bad("/mode", "a permission mode is default or plan: a mode only lowers authority");
    this.#mode = mode;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#underWay?.abort();
    await Promise.all([...this.#runtimes.values()].map(async (one) => await one.close()));
  }

  #runtime(): SimpleFunctionsRuntime {
    const known = this.#runtimes.get(this.#model);
    if (known !== undefined) return known;
    const tools = { mode: "explicit" } as const;
    const made = new SimpleFunctionsRuntime({
      ...this.#options,
      model: this.#model,
      policy: this.#policy,
      tools,
    });
    this.#runtimes.set(this.#model, made);
    return made;
  }
}
