import type { AgentPolicy } from "@spfunctions/contracts";
import { parsePolicy } from "@spfunctions/contracts";
import { SimpleFunctions } from "@spfunctions/sdk";
import { bad } from "../../given-options.ts";
import type { SimpleFunctionsRuntimeOptions } from "../runtime-options.ts";

/** How an agent is made: as a runtime, with modest bounds where none are given. */
export type AgentCreateOptions = Omit<
  SimpleFunctionsRuntimeOptions,
  "policy" | "tools" | "mode" | "replay" | "modelReplay"
> & {
  /** A key of the platform whose tools it may call: `process.env.SF_API_KEY`. In place of a client. */
  readonly apiKey?: string;
  /** The platform's address, with `apiKey`; this machine's unless given. */
  readonly baseUrl?: string;
  /** What may be called. Without a ceiling nothing is changed. */
  readonly policy?: AgentPolicy;
  /** The canonical names of the tools that it may call; unless given, those that are on by default and that its policy allows. */
  readonly builtinTools?: readonly string[];
  /** Under which name what is said goes on; one of its own unless given. */
  readonly sessionId?: string;
};

/**
 * Answers of an agent's model in one run, where no policy says.
 * @limit run.steps | the run ends as `blocked`: `budget_exceeded` | `budget.maxSteps` of a policy, `--max-steps`
 */
const modestSteps = 20;

/**
 * Calls of tools in one run of an agent, where no policy says.
 * @limit run.toolCalls | further calls are refused: `budget_exceeded` | `budget.maxToolCalls` of a policy
 */
const modestToolCalls = 40;

/**
 * How an agent's session is kept, where no policy says.
 * @limit run.session | after its time it does not go on: `invalid_transition`; what is longer is condensed | `session` of a policy
 */
const modestSession = { persist: true, ttlMs: 24 * 60 * 60 * 1000, maxHistoryTokens: 32_000 } as const;

/** A policy with the bounds that every run needs, and which of them were not in it. */
export function withModestBounds(given: AgentPolicy = {}): {
  readonly policy: AgentPolicy;
  readonly defaults: readonly string[];
} {
  const { budget = {}, session } = parsePolicy(given);
  const { maxSteps = modestSteps, maxToolCalls = modestToolCalls } = budget;
  const defaults = [
    ...(budget.maxSteps === undefined ? [`budget.maxSteps is ${maxSteps}`] : []),
    ...(budget.maxToolCalls === undefined ? [`budget.maxToolCalls is ${maxToolCalls}`] : []),
    ...(session === undefined ? [`session is ${JSON.stringify(modestSession)}`] : []),
  ];
  const policy = {
    ...given,
    budget: { ...budget, maxSteps, maxToolCalls },
    session: session ?? modestSession,
  };
  return { policy, defaults };
}

/** The way to the platform that was given, or the one that a key stands for. */
export function clientOf({
  client,
  apiKey,
  baseUrl,
}: Pick<AgentCreateOptions, "client" | "apiKey" | "baseUrl">): SimpleFunctions | undefined {
  if (client !== undefined && (apiKey !== undefined || baseUrl !== undefined))
    throw bad("/client", "a client has its key and its address: give either client, or apiKey and baseUrl");
  if (apiKey === undefined && baseUrl === undefined) return client;
  return new SimpleFunctions({ apiKey, baseUrl });
}
