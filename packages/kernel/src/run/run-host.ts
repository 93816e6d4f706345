import type {
  JsonObject,
  KeyedHash,
  Principal,
  RunId,
  RunPort,
  RuntimePackage,
  SessionPolicy,
} from "@spfunctions/contracts";
import type { CallHost } from "../call/call-host.ts";
import type { Hooks } from "../hook/hooks.ts";
import type { ModelAdapter, ModelCompleteInput } from "../model/model-adapter.ts";
import type { DecideTerms } from "./state/decide-run.ts";
import type { Run } from "./state/fold-run.ts";
import type { ListedRun } from "./journal/listed-run.ts";
import type { SubagentPlan } from "../subagent/subagent.ts";
import type { ModelPrice } from "./state/run-budget.ts";
import type { ToolChoice } from "./model/select-tools.ts";

/** How long a model may take, how often it may fail, and how much it may ask for at once. */
export type RunLimits = DecideTerms & {
  /** Milliseconds that a model may take for one answer. */
  readonly modelMs: number;
  /** Milliseconds before a model is asked again the first time; twice as long each time after. */
  readonly backoffMs: number;
  /** Milliseconds between two looks at what processes that died meanwhile have left. */
  readonly sweepMs: number;
  /** Milliseconds that whoever waits for a run waits for a store that does not answer. */
  readonly outageMs: number;
  /** Calls in one answer of a model. */
  readonly callsPerStep: number;
};

/**
 * @limits run | `runLimits: { … }` of a runtime
 */
export const defaultRunLimits: RunLimits = {
  onDenied: "continue",
  /** How often the same call is refused before the run is stopped. @at the run ends as `blocked` */
  repeatedCalls: 3,
  /** How often a model is told that its last word is not what it must be. @at the run fails */
  repairs: 2,
  /** How often in a row a model may fail. @at the run fails: `provider_failed` */
  modelAttempts: 3,
  /** @at the attempt fails, and the model is asked again */
  modelMs: 120_000,
  /** @at the model is asked again */
  backoffMs: 500,
  /** @at what died is taken over */
  sweepMs: 2000,
  /** @at whoever waits is told; the run goes on once the store answers */
  outageMs: 300_000,
  /** @at the answer is not taken, and the model is asked again */
  callsPerStep: 64,
};

/**
 * What a model may answer with.
 * @limit run.outputTokens | `provider_failed`: half an answer is none | `maxOutputTokens` of a runtime
 */
export const defaultOutputTokens = 4096;

/** The model that a run is driven by. */
export type RunModel = {
  readonly adapter: ModelAdapter;
  /** The most it may answer with; 4,096 unless given. */
  readonly maxOutputTokens?: number | undefined;
  /** Without one nothing can be spent against `budgetUsd`. */
  readonly price?: ModelPrice | undefined;
  /** Never less than what will be billed; a token for every two bytes unless given. */
  readonly countTokens?:
    | ((input: Pick<ModelCompleteInput, "messages" | "tools" | "output">) => number)
    | undefined;
};

/** What the runs of one package are driven with. */
export type RunHost = Omit<
  CallHost,
  "journal" | "principal" | "origin" | "judge" | "sessionId" | "tree" | "budget"
> & {
  readonly package: RuntimePackage;
  /** What else of the host's has a say. */
  readonly ports: RunPort[];
  /** Made with the installation's secret. */
  readonly proves: KeyedHash;
  /** The judge for whoever a run acts as. */
  readonly judgeOf: (principal: Principal) => CallHost["judge"];
  readonly model: RunModel;
  readonly runLimits: RunLimits;
  readonly runHooks: Hooks;
  /** How sessions are kept; without it a session's name is a name and no more. */
  readonly session?: (SessionPolicy & { readonly process: string }) | undefined;
  /** The most that a model is shown, in tokens. */
  readonly contextTokens?: number | undefined;
  /** Which tools a model is shown; all that it may call unless given. */
  readonly choice?: ToolChoice | undefined;
  /** B22: throws where somebody else wrote a run that is gone on from. */
  readonly requireProven: (run: ListedRun & { readonly run: Run }) => void;
  /** The subagents that there are, by their names; whether its model may start one its package says. */
  readonly subagents: ReadonlyMap<string, SubagentPlan>;
  /** The models that children may be driven by instead of their parent's. */
  readonly routes: ReadonlyMap<string, RunModel>;
  /** What the model is shown: the whole history unless given. It is asked before every step. */
  readonly assemble?:
    | ((run: Run) => Pick<ModelCompleteInput, "messages"> | Promise<Pick<ModelCompleteInput, "messages">>)
    | undefined;
  /** By whom the calls of its runs are said to come; those of a child are a subagent's. */
  readonly origin: "model" | "spectator";
  /** JSON Schema of what the answer must be. */
  readonly output?: JsonObject | undefined;
  /** Whether whoever started a run may still do so; asked before every step and every call, and after every wait. */
  readonly isStarterValid?: ((starter: Principal, runId: RunId) => boolean | Promise<boolean>) | undefined;
};

/** G1: where somebody is to be asked, only a clear yes is one. R1: a replay asks nobody. */
export async function isStarterGood(
  { isStarterValid, replay }: Pick<RunHost, "isStarterValid" | "replay">,
  starter: Principal,
  runId: RunId,
): Promise<boolean> {
  if (replay !== undefined) return true;
  const said: unknown = isStarterValid === undefined ? true : await isStarterValid(starter, runId);
  return said === true;
}

/** What of the host's has a say in a run, besides its policies. Without one of them it does not go on (B3). */
export function portsOf({
  evaluatePreTool,
  evaluatePostTool,
  isStarterValid,
}: Pick<RunHost, RunPortName>): RunPort[] {
  const ports = [
    evaluatePreTool && ("pre_tool" as const),
    evaluatePostTool && ("post_tool" as const),
    isStarterValid && ("starter" as const),
  ];
  return ports.filter((port) => port !== undefined);
}

type RunPortName = "evaluatePreTool" | "evaluatePostTool" | "isStarterValid";
