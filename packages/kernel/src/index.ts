export type { CallCheck, CheckRequest } from "./call/check-call.ts";
export { type HostRule, type HostRuleOptions, keepHostRules, readHostRules } from "./call/host-rules.ts";
export type { EvaluatePostTool, EvaluatePreTool, PolicyView, PostToolView } from "./call/ask-policy.ts";
export {
  type Asking,
  type CallLimits,
  type CallOutcome,
  type CallRequest,
  defaultCallLimits,
  type OrderedCall,
} from "./call/call-host.ts";
export type { Watch } from "./call/call-in-progress.ts";
export { heedless } from "./call/emit.ts";
export type { EarlierCall, Reach, Reconciled, ToolContext } from "./call/executors.ts";
export type { AskForTerms } from "./capability/ask-for.ts";
export type { Asked } from "./capability/capabilities.ts";
export type { CapabilityAnswers, GrantTerms } from "./capability/capability-desk.ts";
export type { NetworkOptions } from "./capability/network.ts";
export { endOfEvents } from "./events/end-of-events.ts";
export { startOfEvents } from "./events/event-cursor.ts";
export { findRun, hasRunEnded, type RunSearch } from "./events/find-run.ts";
export { Openings } from "./events/openings.ts";
export type { EventPage, PlacedEvent } from "./events/page-reading.ts";
export type { EventScope } from "./events/project-stored.ts";
export { type EventQuery, readAccountEvents } from "./events/read-account-events.ts";
export { mostLiveWaiting, WaitingEvents } from "./events/waiting-events.ts";
export { bindInstallation, requireInstallation } from "./installation/bind-installation.ts";
export {
  type Installation,
  isSignedBy,
  newInstallationSecret,
  openInstallation,
  processInstallation,
  type Signer,
  signingKeyId,
} from "./installation/installation.ts";
export { type Kept, proofOf, provenBody, provenRow, provenValue } from "./installation/proven.ts";
export { keptLevels } from "./judge/kept-policy.ts";
export type { PolicyAnswer } from "./judge/input-gates.ts";
export { undeclaredPartsIn, wasStoppedAsHidden } from "./call/hidden-parts.ts";
export { compileRejudge, type RecordedInput, type RecordedSubject, type Rejudge } from "./judge/rejudge.ts";
export { AccountJournals } from "./journal/account-journals.ts";
export {
  type AccountVerification,
  problemsOf,
  type SegmentVerification,
  segmentsOf,
  verifyAccount,
} from "./journal/verify-account.ts";
export { unlessCorrupt, readKept } from "./journal/read-kept.ts";
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
export { unknownEffects } from "./journal/unknown-effects.ts";
export type { Resolution } from "./recovery/resolve-effect.ts";
export {
  type ReceiptCheck,
  type ReceiptEvidence,
  type ReceiptVerification,
  verifyReceipt,
} from "./receipt/verify-receipt.ts";
export { openReplay, type Replay } from "./replay/replay.ts";
export { openModelReplay } from "./replay/replay-model.ts";
export type { GivenLevel } from "./seat/given-levels.ts";
export { requireParts } from "./seat/require-parts.ts";
export { Seat, type SeatOptions } from "./seat/seat.ts";
export { type Collection, bestHits, bm25 } from "./search/bm25.ts";
export { createMemorySearchIndex } from "./search/memory-search-index.ts";
export { type CountedWord, scoredWords } from "./search/scored-words.ts";
export { countWords, wordsOf } from "./search/words.ts";
export type { SearchEntry, SearchHit, SearchIndex, SearchQuery } from "./search/search-index.ts";
export { documentsOf } from "./store/documents-of.ts";
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
  PackageRuns,
  SealedRecord,
  Store,
  StoredDocument,
  StoredRecord,
  StreamRange,
  UndrivenRun,
  UndrivenRunsQuery,
  Unit,
  Watched,
  Hear,
} from "./store/store.ts";
export { installationAccount } from "./store/store.ts";
export { type Clock, systemClock } from "./time/clock.ts";
export { type Ids, randomIds } from "./time/ids.ts";
export { passed } from "./time/passed.ts";
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
export { type TracedEffect, traceEffects } from "./trace/trace-effects.ts";
export { traceEntries } from "./trace/trace-entries.ts";
export { readTrace, type Trace } from "./trace/read-trace.ts";
export {
  type AnswerTerms,
  type Operator,
  type OperatorOptions,
  openOperator,
} from "./approval/open-operator.ts";
export type { Decision, IsDecisionOver } from "./approval/approvals-host.ts";
export type { AskedQuestion, IsInFamily } from "./approval/may-answer.ts";
export { approvalWake } from "./approval/approval-wake.ts";
export {
  type GuestOperatorOptions,
  openGuestOperator,
  type OperatorDesk,
} from "./approval/guest-operator.ts";
export { approvalKind, inboxKind, journalKind, runKind, segmentKind } from "./store/kernel-kinds.ts";
export { tendInboxes } from "./approval/tend-inbox.ts";
export type { SessionTerms } from "./approval/session-grant.ts";
export { applyPackageDelta } from "./package/apply-package-delta.ts";
export {
  buildChildRuntimePackage,
  childPackageId,
  type ChildRequest,
  type ChildRuntimePackage,
  stripManifestDigest,
  stripRecursiveDefaults,
} from "./subagent/build-child-package.ts";
export {
  buildRuntimePackage,
  type GivenHook,
  type GivenPackage,
  type GivenSidecar,
} from "./package/build-runtime-package.ts";
export { childDepthBudget, depthBudget, requireChildStart } from "./subagent/depth-budget.ts";
export type { StartChild } from "./subagent/host-start.ts";
export { controlToolNames } from "./subagent/control-names.ts";
export {
  type ChildTask,
  subagent,
  type SubagentHandoff,
  type SubagentOutput,
  subagentPlan,
  type SubagentSpec,
} from "./subagent/subagent.ts";
export type { GivenTools } from "./package/choose-capabilities.ts";
export { packageDifferences } from "./package/package-differences.ts";
export type { GivenPrincipal } from "./seat/given-principal.ts";
export { movedAmong } from "./store/moved-among.ts";
export { Listeners } from "./store/listeners.ts";
export { watchingOf } from "./store/watching.ts";
export { Waits } from "./store/waits.ts";
export type { ModelPrice } from "./run/state/run-budget.ts";
export type { RunLimits, RunModel } from "./run/run-host.ts";
export type { RunsOnPackage, RunsOptions } from "./run/open-run-host.ts";
export { runCursor } from "./run/state/run-events.ts";
export type { RunHandle, WaitOptions } from "./run/run-handle.ts";
export { type ChildResult, type RunResult, resultOf as runResultOf } from "./run/state/run-result.ts";
export type { RunState } from "./run/state/run-states.ts";
export { type PackageOptions, readKeptPackage, runsOptionsOf } from "./run/journal/kept-package.ts";
export type { Run } from "./run/state/fold-run.ts";
export type { CallResult, ProposedCall, RunStep } from "./run/state/run-step.ts";
export type { StartRun } from "./run/open-run.ts";
export type { WatchRun } from "./run/driver/live-run.ts";
export { listedRun } from "./run/journal/read-run.ts";
export { forgetObjectives, readSession } from "./run/session.ts";
export { searchToolName } from "./run/model/search-tool.ts";
export { requireCanonical, type ToolSelection, usualCandidates } from "./run/model/select-tools.ts";
export type { HookAnswer, HookViews, JsonPatch, PatchStep, RunHook } from "./hook/run-hook.ts";
export { jsonSchemaOf } from "./tool/json-schema-of.ts";
export { Runs } from "./run/runs.ts";
