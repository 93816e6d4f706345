import type { AgentPolicy, JsonObject, RuntimeSession } from "@spfunctions/contracts";
import type {
  CallLimits,
  Clock,
  EvaluatePostTool,
  EvaluatePreTool,
  GivenPrincipal,
  HookAnswer,
  HookViews,
  Ids,
  Installation,
  ModelAdapter,
  ModelPrice,
  NetworkOptions,
  Pack,
  RunLimits,
  RunModel,
  RunsOptions,
  Store,
  ToolSchema,
  TraceStore,
  HostRule,
} from "@spfunctions/kernel";
import type { SimpleFunctions } from "@spfunctions/sdk";
import type { TraceSource } from "../trace/trace-source.ts";

/** `live` asks its model and calls tools. `replayOnly` answers calls from traces: no network, and no tool runs (R1). */
export type RuntimeMode = "live" | "replayOnly";

export type RuntimeToolSelectionMode = "explicit" | "manifest-search" | "preload-only";

/** Which of the tools that its policy allows a model is shown. */
export type RuntimeToolSelectionPolicy = {
  /**
   * `explicit`: those that a run is given, and no others. `preload-only`: those of `preload`. `manifest-search`: those of `preload`, those
   * that fit the objective best, and a tool to look for more.
   */
  readonly mode: RuntimeToolSelectionMode;
  readonly preload?: readonly string[] | undefined;
  /** How many besides, with `manifest-search`; 8 unless given. */
  readonly maxCandidateTools?: number | undefined;
};

/** Where a host keeps its own list of sessions. What it says widens nothing: what was said in a session is in the store. */
export interface SessionStore {
  get(sessionId: string): Promise<RuntimeSession | null>;
  put(session: RuntimeSession): Promise<void>;
}

type HookFunction<View> = (view: View) => HookAnswer | Promise<HookAnswer>;

/** A function, or one with its name: a run goes on only where hooks of the same names and versions are given. */
export type RuntimeHook<View> =
  | HookFunction<View>
  | {
      readonly id?: string;
      readonly version?: string;
      readonly order?: number;
      readonly timeoutMs?: number;
      readonly phase?: "change" | "guard";
      readonly run: HookFunction<View>;
    }
  | {
      readonly id?: string;
      readonly version?: string;
      readonly order?: number;
      readonly timeoutMs?: number;
      /** It only watches: what it gives back is not looked at. */
      readonly phase: "observe";
      readonly run: (view: View) => unknown;
    };

type Hooked<View> = RuntimeHook<View> | readonly RuntimeHook<View>[];

/** Each can object; before a call one can change its input. None can approve. One that fails, is late or gives no answer has denied. */
export type RuntimeHooks = {
  readonly beforeModel?: Hooked<HookViews["before_model"]>;
  readonly afterModel?: Hooked<HookViews["after_model"]>;
  readonly beforeToolCall?: Hooked<HookViews["before_tool_call"]>;
  readonly afterToolCall?: Hooked<HookViews["after_tool_call"]>;
  readonly onApproval?: Hooked<HookViews["on_approval"]>;
  readonly onStop?: Hooked<HookViews["on_stop"]>;
};

/** Whether a call may be made, as far as the host is concerned; with `patch`, on another input. */
export type CanUseTool = (
  call: HookViews["before_tool_call"],
) => boolean | HookAnswer | Promise<boolean | HookAnswer>;

export type SimpleFunctionsRuntimeOptions = {
  /** The way to a platform, whose tools it may call. Live it needs a key. */
  readonly client?: SimpleFunctions;
  /** Tools of your own, and subagents. At least one of `client` and `packs`. */
  readonly packs?: readonly Pack[];
  /** Giving it authorises asking it; budgets bound that. In a replay `modelReplay` may stand for it. */
  readonly model?: ModelAdapter;
  /** Models that subagents may be driven by instead, by the name of their route; with prices by their own names. */
  readonly routes?: { readonly [routeId: string]: ModelAdapter };
  /** It needs `budget.maxSteps`, `budget.maxToolCalls` and `session`. Without a ceiling nothing is changed. */
  readonly policy: AgentPolicy;
  /** Who starts runs; with a client, its key unless given. */
  readonly principal?: GivenPrincipal;
  /** Where runs, approvals and sessions are kept; in memory unless given. Whoever opened it closes it. */
  readonly store?: Store;
  /** For proofs and hashes that outlive this process. */
  readonly installation?: Installation;
  /** Where the trace of its last run is kept: it is written whenever a run rests or ends. */
  readonly trace?: TraceStore;
  /** The same, a place for each run. */
  readonly traces?: (runId: string) => TraceStore | Promise<TraceStore>;
  readonly tools?: RuntimeToolSelectionPolicy;
  readonly sessionStore?: SessionStore;
  readonly hooks?: RuntimeHooks;
  readonly canUseTool?: CanUseTool;
  /** Hears of hooks that only watch and have failed; a warning of this process unless given. */
  readonly onHookFailure?: RunsOptions["onHookFailure"];
  readonly mode?: RuntimeMode;
  /** With mode `replayOnly`: what is replayed; without it, what `trace` has. */
  readonly replay?: readonly TraceSource[];
  /** With mode `replayOnly`: the model says again what it has said in those traces. */
  readonly modelReplay?: boolean;
  /** What comes first in every run. */
  readonly instructions?: string;
  /** Under which name its runs and sessions are kept: `agent` unless given. */
  readonly agentId?: string;
  /** What a million tokens cost, by the model's name: without its price nothing can be spent against `budgetUsd`. */
  readonly prices?: { readonly [model: string]: ModelPrice };
  readonly maxOutputTokens?: number;
  readonly countTokens?: RunModel["countTokens"];
  /** How the calls of one answer run: one after the other unless given. */
  readonly strategy?: RunsOptions["strategy"];
  /** Rules of your own, asked after the judge; they can only object. Each has an id and a version. */
  readonly rules?: readonly HostRule[];
  /** The same without an id and a version: what a person approves under it is approved in this process only. */
  readonly evaluatePreTool?: EvaluatePreTool;
  readonly evaluatePostTool?: EvaluatePostTool;
  /** What is said of the network: which hosts `net` reaches, and which local ones are opened. What may be reached, operators grant. */
  readonly network?: NetworkOptions;
  readonly limits?: Partial<CallLimits>;
  readonly runLimits?: Partial<Omit<RunLimits, "onDenied" | "answered">>;
  readonly clock?: Clock;
  readonly ids?: Ids;
};

export type RuntimeRunInput = {
  /** What is to be done. */
  readonly objective: string;
  /** The canonical names of those that it may call at most; with mode `explicit`, of those that it is shown. */
  readonly tools?: readonly string[] | undefined;
  /** Facts for the model, as data. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  /** Under which name a later run goes on from this one. */
  readonly sessionId?: string | undefined;
  /** No more than the policy allows in any case. */
  readonly maxSteps?: number | undefined;
  /** One policy more, for this run alone: it can only forbid. */
  readonly policy?: AgentPolicy | undefined;
  /** What the answer must be. An answer that is not is told why, and asked for again, within a limit. */
  readonly output?: ToolSchema | undefined;
  /** Cancels the run. */
  readonly signal?: AbortSignal | undefined;
};

/** What one run is given less than its runtime, and what it must answer with. */
export type RunTerms = {
  readonly tools?: readonly string[] | undefined;
  readonly maxSteps?: number | undefined;
  readonly policy?: AgentPolicy | undefined;
  readonly output?: JsonObject | undefined;
};
