// The surface of the package, pinned by surface.test.ts.
export type {
  ApprovalAnswerInput,
  ApprovalGetOptions,
  ApprovalsListOptions,
} from "./approvals/approval-options.ts";
export type { Approvals } from "./approvals/approvals.ts";
export type { Answer, Answering } from "./call/answering.ts";
export type { Listing } from "./call/listing.ts";
export { connectEmbedded, type EmbeddedPlatform } from "./client/connect-embedded.ts";
export {
  type AnswerOf,
  type InputOf,
  type OutputOf,
  SimpleFunctions,
  type ToolName,
} from "./client/simple-functions.ts";
export type { GrantAnswerInput, GrantInput, GrantsListOptions } from "./grants/grant-options.ts";
export type { Grants } from "./grants/grants.ts";
export type { Resources } from "./generated/tool-types.ts";
export type { CallOptions, ReachOptions } from "./options/call-options.ts";
export type { ClientOptions, Fetch } from "./options/client-options.ts";
export type { EventsOptions } from "./stream/events-request.ts";
export type { FollowedEvent } from "./stream/follow-events.ts";
