export {
  type ChildTask,
  type StartChild,
  subagent,
  type SubagentHandoff,
  type SubagentOutput,
  type SubagentSpec,
} from "@spfunctions/kernel";
export { Agent } from "./facade/agent.ts";
export { type AgentCreateOptions, withModestBounds } from "./facade/agent-options.ts";
export type { AgentRun, SendOptions } from "./facade/agent-run.ts";
export {
  type PermissionMode,
  type Query,
  query,
  type QueryEvent,
  type QueryOptions,
} from "./facade/query.ts";
export { SimpleFunctionsRuntime } from "./simple-functions-runtime.ts";
export type { RunOptions, RunStream, TypedRunResult } from "./simple-functions-runtime.ts";
export type {
  CanUseTool,
  RuntimeHook,
  RuntimeHooks,
  RuntimeMode,
  RuntimeRunInput,
  RuntimeToolSelectionMode,
  RuntimeToolSelectionPolicy,
  SessionStore,
  SimpleFunctionsRuntimeOptions,
} from "./runtime-options.ts";
export type { TickTerms } from "./watch/each-tick.ts";
export type { TickEvent, WorldEvent } from "./watch/watch-events.ts";
export { type TickWatch, type Watch, watchOver, type WatchOptions } from "./watch/watch.ts";
