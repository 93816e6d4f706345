// A long-lived agent: state, notes and memory from turn to turn, every call of it governed.
export {
  type Backend,
  type BackendMessage,
  backendOf,
  type ChatDelta,
  type ChatRequest,
  type ChatResponse,
} from "./model/backend.ts";
export type { ErasedCall } from "../erase/erase-call.ts";
export type { ToolCalling } from "./model/turn-model.ts";
export type { SpectatorLimits } from "./read-limits.ts";
export type { CondensedSession } from "./session/condense-session.ts";
export { type LeftTurn, SpectatorSession } from "./session/spectator-session.ts";
export type { SpectatorEvent, TurnOptions } from "./session/turn-options.ts";
export type { TurnResult } from "./session/turn-result.ts";
export { Spectator } from "./spectator.ts";
export type { SpectatorOptions, Trouble } from "./spectator-options.ts";
export type { CheckpointDiff } from "./state/diff-checkpoints.ts";
export type { Wish } from "./turn/ask-wishes.ts";
export type { TurnLog } from "./turn/turn-log.ts";
