export type { ErasableLogs, ErasedCall } from "./erase/erase-call.ts";
export { eraseCall, type EraseCallOptions } from "./erase/erase-terms.ts";
export { type EventStream } from "./event-stream.ts";
export { govern, type Governed, type GovernOptions } from "./govern.ts";
export type { AgentMode, AgentOptions } from "./platform/agent-options.ts";
export { remotePack } from "./platform/remote-pack.ts";
export { SimpleFunctionsAgent } from "./platform/simple-functions-agent.ts";
export type { Decision, ExplainedDecision } from "./policy/decision.ts";
export {
  diffPolicies,
  type DiffPoliciesOptions,
  type PolicyChange,
  type PolicyDiff,
  type PolicyEffect,
  type ToolChange,
} from "./policy/diff-policies.ts";
export type { GivenPolicy } from "./policy/given-levels.ts";
export { type PolicyLine, suggestPolicy, type SuggestedPolicy } from "./policy/suggest-policy.ts";
export {
  type PastDecision,
  whatIf,
  type WhatIf,
  type WhatIfCall,
  type WhatIfDifference,
  type WhatIfOptions,
} from "./policy/what-if.ts";
export type { TakeLine } from "./trace/take-lines.ts";
export type { TraceSource } from "./trace/trace-source.ts";
export type {
  CallableName,
  CallOptions,
  CallResult,
  ToolInput,
  ToolNames,
  ToolOutput,
  ToolTree,
} from "./typed-tools.ts";
export {
  defineTool,
  memoryTrace,
  openReplay,
  openStoreTrace,
  storedTrace,
  type TraceStore,
} from "@spfunctions/kernel";
