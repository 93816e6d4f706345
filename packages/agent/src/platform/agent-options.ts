import type { AgentPolicy, ContractManifest } from "@spfunctions/contracts";
import type { SimpleFunctions } from "@spfunctions/sdk";
import type { GovernOptions } from "../govern.ts";
import type { TraceSource } from "../trace/trace-source.ts";

/** `live` calls the platform. `inspectOnly` explains and calls nothing. `replayOnly` answers from traces, and touches no network. */
export type AgentMode = "live" | "inspectOnly" | "replayOnly";

type Shared = Pick<
  GovernOptions<readonly []>,
  | "store"
  | "trace"
  | "installation"
  | "rules"
  | "evaluatePreTool"
  | "evaluatePostTool"
  | "asking"
  | "sessionId"
  | "network"
  | "limits"
  | "clock"
  | "ids"
>;

export type AgentOptions = Shared & {
  /** The way to the platform. Live calls need one that holds a key. */
  readonly client?: SimpleFunctions;
  /** What may be called. Without one nothing is changed and nothing traded. */
  readonly policy?: AgentPolicy;
  readonly mode?: AgentMode;
  /** The platform's contracts, where they are known; otherwise they are asked for with the first call. */
  readonly manifest?: ContractManifest;
  /** Under which account this side keeps its journal: `local` unless given. */
  readonly account?: string;
  /** Ends what it waits for before a call: the contracts, and what a crash has left. */
  readonly signal?: AbortSignal;
  /** What is replayed, with mode `replayOnly`; without it, what `trace` has. */
  readonly replay?: readonly TraceSource[];
};
