export type { EvaluatePostTool, EvaluatePreTool, PolicyView, PostToolView } from "./call/ask-policy.ts";
export { type CallLimits, type CallOutcome, type CallRequest, defaultCallLimits } from "./call/call-host.ts";
export type { Watch } from "./call/call-in-progress.ts";
export type { Reconciled, ToolContext } from "./call/executors.ts";
export { endOfEvents } from "./events/end-of-events.ts";
export { startOfEvents } from "./events/event-cursor.ts";
export { findRun, hasRunEnded, type RunSearch } from "./events/find-run.ts";
export { Openings } from "./events/openings.ts";
export type { EventPage, PlacedEvent } from "./events/page-reading.ts";
export type { EventScope } from "./events/project-stored.ts";
export { type EventQuery, readAccountEvents } from "./events/read-account-events.ts";
export {
  type Installation,
  isSignedBy,
  newInstallationSecret,
  openInstallation,
  type Signer,
  signingKeyId,
} from "./installation/installation.ts";
export { keptLevels } from "./judge/kept-policy.ts";
export type { PolicyAnswer } from "./judge/input-gates.ts";
export { compileRejudge, type RecordedInput, type RecordedSubject, type Rejudge } from "./judge/rejudge.ts";
export { AccountJournals } from "./journal/account-journals.ts";
export {
  type AccountVerification,
  problemsOf,
  type SegmentVerification,
  segmentsOf,
  verifyAccount,
} from "./journal/verify-account.ts";
export { readKept } from "./journal/read-kept.ts";
export type { Broken, StreamVerification } from "./journal/verify-stream.ts";
export { requireWhole } from "./journal/verify-stream.ts";
export type {
  ModelAdapter,
  ModelCompleteInput,
  ModelCompleteResult,
  ModelEvent,
  ModelMessage,
  ModelTool,
  ModelToolCall,
  ModelUsage,
} from "./model/model-adapter.ts";
export type { RecoveryReport } from "./recovery/recover-account.ts";
export type { Settled } from "./recovery/settled.ts";
export { type Resolution, unknownEffects } from "./recovery/unknown-effects.ts";
export {
  type ReceiptCheck,
  type ReceiptEvidence,
  type ReceiptVerification,
  verifyReceipt,
} from "./receipt/verify-receipt.ts";
export { openReplay, type Replay } from "./replay/replay.ts";
export { type GivenLevel, type GivenPrincipal, Seat, type SeatOptions } from "./seat/seat.ts";
export { type Collection, bestHits, bm25 } from "./search/bm25.ts";
export { type DocumentSearch, type FoundDocument, findDocuments } from "./search/find-documents.ts";
export { createMemorySearchIndex } from "./search/memory-search-index.ts";
export { countWords, wordsOf } from "./search/words.ts";
export type { SearchEntry, SearchHit, SearchIndex, SearchQuery } from "./search/search-index.ts";
export { createMemoryStore } from "./store/memory-store.ts";
export type {
  Append,
  Claim,
  ClaimKey,
  ClaimWrite,
  CommitResult,
  Conflict,
  DocumentKey,
  DocumentQuery,
  DocumentWrite,
  Durability,
  Erasure,
  Head,
  LeaseResult,
  SealedRecord,
  Store,
  StoredDocument,
  StoredRecord,
  StreamRange,
  Unit,
} from "./store/store.ts";
export { installationAccount } from "./store/store.ts";
export { type Clock, systemClock } from "./time/clock.ts";
export { type Ids, randomIds } from "./time/ids.ts";
export { unlessAborted } from "./time/unless-aborted.ts";
export { describedTool, type ToolWay } from "./tool/described-tool.ts";
export { registerPacks, type ToolRegistry } from "./tool/registry.ts";
export { defineTool, type Pack, type Tool, type ToolSpec } from "./tool/define-tool.ts";
export type { InputOf, OutputOf, StandardSchema, ToolSchema } from "./tool/standard-schema.ts";
export {
  type CallDifference,
  diffTraces,
  type FieldDifference,
  type LawDifference,
  type TraceDiff,
} from "./trace/diff-traces.ts";
export type { CallInTrace } from "./trace/diffed-call.ts";
export { exportTrace, traceSealText } from "./trace/export-trace.ts";
export { TraceFollower, type TraceGrowth } from "./trace/follow-trace.ts";
export { openStoreTrace, storedTrace } from "./trace/store-trace.ts";
export { memoryTrace, type TraceStore } from "./trace/trace-store.ts";
export { traceEntries } from "./trace/trace-entries.ts";
export { readTrace, type Trace } from "./trace/read-trace.ts";
