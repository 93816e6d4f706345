// The surface of the package, pinned by surface.test.ts.
export { type CostEffect, costEffectRank, costEffects, costEffectSchema } from "./effect/cost-effect.ts";
export {
  type SideEffect,
  sideEffectRank,
  sideEffectsAllowedByName,
  sideEffects,
  sideEffectSchema,
  sideEffectsUnder,
} from "./effect/side-effect.ts";
export {
  type Capability,
  type CapabilityReach,
  capabilityReach,
  capabilitySchema,
  isHostName,
  reachesHost,
} from "./capability/capability.ts";
export {
  type AccountId,
  accountIdSchema,
  type AgentId,
  agentIdSchema,
  type ApprovalId,
  approvalIdSchema,
  type CallId,
  callIdSchema,
  type CapabilityGrantId,
  capabilityGrantIdSchema,
  type ContentRef,
  contentRefSchema,
  type Digest,
  digestSchema,
  type EffectId,
  effectIdSchema,
  type GrantId,
  grantIdSchema,
  type KeyId,
  keyIdSchema,
  type MessageId,
  messageIdSchema,
  type MemoryId,
  memoryIdSchema,
  type RunId,
  runIdSchema,
  type SessionId,
  sessionIdSchema,
  type StepId,
  stepIdSchema,
  timestampSchema,
  type TraceId,
  traceIdSchema,
} from "./identity/ids.ts";
export {
  isApiKey,
  type Origin,
  originSchema,
  type Principal,
  principalKindSchema,
  principalSchema,
  type Scope,
  scopes,
  scopeSchema,
  sideEffectsOfScopes,
} from "./identity/principal.ts";
export {
  givenAccountIdSchema,
  givenAgentIdSchema,
  givenKeyIdSchema,
  givenPrincipalSchema,
  givenRunIdSchema,
  givenSessionIdSchema,
  givenTraceIdSchema,
  secretInId,
  withoutSecret,
} from "./identity/given-names.ts";
export { type RunCredential, runCredentialSchema, runScopes } from "./identity/run-credential.ts";
export {
  type ContractTool,
  contractToolSchema,
  defaultIdempotency,
  type Idempotency,
  idempotencySchema,
  leastKeyRetentionMs,
  isActive,
  isFreeRead,
  permissionSchema,
  readsUserData,
  requiresIdentity,
  type Risk,
  risks,
  riskSchema,
  type ToolDefinition,
  toolDefinitionSchema,
  toolStabilitySchema,
  type ToolStatus,
  toolStatusSchema,
  type TradePointers,
  tradePointersSchema,
} from "./tool/contract-tool.ts";
export {
  buildKeptManifest,
  buildManifest,
  type ContractManifest,
  joinContracts,
  manifestSchema,
  manifestVersion,
  parseManifest,
  requireNoSecret,
  toolDigest,
} from "./tool/manifest.ts";
export { heldPlaceIn, secretPlaceIn, secretPlaceText } from "./tool/secret-in-contract.ts";
export {
  compatNameOf,
  compatNameSchema,
  isReservedName,
  matchesToolPattern,
  toolNameSchema,
  toolPatternSchema,
} from "./tool/tool-name.ts";
export {
  type AgentPolicy,
  agentPolicySchema,
  type ApprovalPolicy,
  approvalPolicySchema,
  type BudgetPolicy,
  budgetPolicySchema,
  type ParsedPolicy,
  parsePolicy,
  type SessionPolicy,
  sessionPolicySchema,
} from "./policy/agent-policy.ts";
export { defaultBudget, fillDefaults } from "./policy/fill-defaults.ts";
export { type HostRuleName, hostRuleNameSchema } from "./policy/host-rule.ts";
export { isKeptWord } from "./policy/kept-word.ts";
export {
  combinedApprovals,
  combinedBudget,
  combinedSession,
  permitsSideEffect,
  policyDigest,
  type PolicyLevel,
  type PolicyLevelName,
  policyLevelNames,
  policyLevelNameSchema,
} from "./policy/policy-levels.ts";
export {
  orderCostCents,
  readTradeFacts,
  type TradeFacts,
  type TradeGuardrails,
  tradeGuardrailsSchema,
  type TradeViolation,
  tradeViolation,
} from "./policy/trade-guardrails.ts";
export { type Explanation, explanationOf, type UncheckedPart, withUnchecked } from "./verdict/explanation.ts";
export {
  errorCodeSchema,
  errorReasonSchema,
  type Gate,
  gateCodes,
  type GateReport,
  gateReportSchema,
  gates,
  gateSchema,
  type Verdict,
  verdictSchema,
} from "./verdict/verdict.ts";
export {
  ApprovalDeniedError,
  ApprovalExpiredError,
  ApprovalMismatchError,
  ApprovalRequiredError,
  BrowserKeyForbiddenError,
  BudgetExceededError,
  CancelledError,
  CapabilityDeniedError,
  ContractViolationError,
  errorFor,
  ForbiddenError,
  HostConfigurationNeededError,
  IdempotencyConflictError,
  IdempotencyInProgressError,
  InternalError,
  InvalidApiKeyError,
  InvalidInputError,
  InvalidManifestError,
  InvalidOutputError,
  InvalidPackageError,
  InvalidPolicyError,
  InvalidTransitionError,
  JournalAppendFailedError,
  JournalCorruptError,
  LeaseLostError,
  LiveDisabledError,
  MissingApiKeyError,
  MissingFieldError,
  NotFoundError,
  PolicyDeniedError,
  ProviderFailedError,
  RateLimitedError,
  RecoveryNeededError,
  ReplayMissError,
  RevisionConflictError,
  SandboxDeniedError,
  TimeoutError,
  ToolNotActiveError,
  ToolNotCallableError,
  TradeGuardrailError,
  UnknownToolError,
  UpstreamError,
} from "./error/error-classes.ts";
export { type ErrorCode, errorCodes, exitCodes, isErrorCode, type Retry } from "./error/error-codes.ts";
export { type ErrorHelp, errorHelp } from "./error/error-help.ts";
export {
  type ErrorDetails,
  type ErrorJson,
  type ErrorOptions,
  isSimpleFunctionsError,
  SimpleFunctionsError,
} from "./error/simple-functions-error.ts";
export { canonicalJson, readCanonicalJson, snapshotJson } from "./json/canonical-json.ts";
export { isJsonPointer, readJsonPointer, splitJsonPointer, toJsonPointer } from "./json/json-pointer.ts";
export {
  isJsonObject,
  type JsonObject,
  type JsonPrimitive,
  type JsonValue,
  maxJsonDepth,
} from "./json/json-value.ts";
export { keyForMessage, pathForMessage } from "./json/path-for-message.ts";
export { type ParseJsonLimits, parseJsonStrict } from "./json/parse-json-strict.ts";
export { type BaseUrlWords, readBaseUrl, refuseExposedKey } from "./http/base-url.ts";
export { encodeToolInput, type EncodedToolInput } from "./http/encode-tool-input.ts";
export { EventStreamLines, readEventStreamLine } from "./http/event-stream-lines.ts";
export { type InputReader, inputReaderOf, type InputRequest } from "./http/input-reader.ts";
export { type QueryForm, queryFormOf } from "./http/query-form.ts";
export { readRetryAfter } from "./http/retry-after.ts";
export { type ToolRoute, toolRouteOf, travelsInQuery } from "./http/tool-route.ts";
export { hashInput, hashText } from "./hash/hash-input.ts";
export { heldSecrets, SecretRegistry } from "./redact/held-secrets.ts";
export {
  cutPlaceholders,
  hasPlaceholder,
  isPlaceholder,
  type KeyedHash,
  placeholderFactsIn,
} from "./redact/placeholder.ts";
export { publicPathsOf, secretPathsOf } from "./redact/public-paths.ts";
export { createTextRedactor, type TextRedactor } from "./redact/redact-stream.ts";
export { redactionVersion, type RedactOptions, redactText } from "./redact/redact-text.ts";
export { redact, type RedactValueOptions } from "./redact/redact.ts";
export { type InPlaceSchemas, inPlaceSchemas } from "./schema/in-place-schemas.ts";
export { jsonObjectSchema, jsonPointerSchema } from "./schema/json-schemas.ts";
export { listIn, membersIn } from "./schema/keyword-values.ts";
export { fragmentPointer, localTarget } from "./schema/local-target.ts";
export { checkAtDoor, parseAtDoor } from "./schema/parse-at-door.ts";
export { refuseUnknown } from "./schema/refuse-unknown.ts";
export { strictObject } from "./schema/strict-object.ts";
export { everySubschema, mapSubschemas, type SubschemaWay } from "./schema/subschemas.ts";
export { cutText } from "./text/cut-text.ts";
export { nearest } from "./text/nearest.ts";
export {
  type Approval,
  type ApprovalAnswer,
  approvalAnswerSchema,
  type ApprovalOfCall,
  approvalOfCallSchema,
  approvalSchema,
  type HiddenPart,
  type ApprovalStatus,
  approvalStatusSchema,
  askedSchema,
  keptApprovalSchema,
  keptGrantSchema,
  type StandingGrant,
  standingGrantSchema,
} from "./record/approval.ts";
export {
  type CapabilityAnswer,
  capabilityAnswerSchema,
  type CapabilityGrant,
  capabilityGrantSchema,
  type CapabilityHolder,
  capabilityHolderSchema,
  type CapabilityStatus,
  capabilityStatusSchema,
  type GrantScope,
  grantScopeSchema,
  keptCapabilitySchema,
} from "./record/capability-grant.ts";
export {
  type ApprovalErrand,
  type ErrandOutcome,
  keptErrandSchema,
  keptOutcomeSchema,
} from "./record/approval-errand.ts";
export {
  type AgentState,
  type ChatMessage,
  chatMessageSchema,
  type Checkpoint,
  type CheckpointWire,
  checkpointWireSchema,
  decodeCheckpoint,
  encodeCheckpoint,
} from "./record/checkpoint.ts";
export {
  type EffectIntent,
  effectIntentSchema,
  type EffectResult,
  effectResultSchema,
  type EffectTerminalStatus,
  effectTerminalStatusSchema,
  type ToolExecutionOutput,
  toolExecutionOutputSchema,
} from "./record/effect.ts";
export {
  type EnvelopeMeta,
  envelopeMetaSchema,
  type HttpEnvelope,
  httpEnvelopeSchema,
} from "./http/http-envelope.ts";
export { type JournalRecord, type JournalRecordKind, journalRecordSchema } from "./record/journal-record.ts";
export {
  type ContentDigest,
  contentDigestSchema,
  type RunEnd,
  runEndSchema,
  streamIdSchema,
} from "./record/record-parts.ts";
export {
  type ChildMode,
  childModeSchema,
  type HandoffAudit,
  handoffAuditSchema,
} from "./record/subagent-record.ts";
export {
  keptRunErrandSchema,
  type RunErrand,
  runErrandSchema,
  type RunPort,
  type SpentOn,
  spentOnSchema,
} from "./record/run-record.ts";
export {
  type ClaimedCall,
  claimedCallSchema,
  type JournalEnd,
  journalEndSchema,
  type RunDocument,
  runDocumentSchema,
  type SegmentSeal,
  segmentSealSchema,
  type UnknownEffect,
  unknownEffectSchema,
} from "./record/journal-document.ts";
export {
  type Receipt,
  receiptSchema,
  type Signature,
  signatureSchema,
  type ToolCallResult,
  toolCallResultSchema,
} from "./record/receipt.ts";
export {
  keptSessionSchema,
  type RunStatus,
  runStatusSchema,
  type RuntimeRunResult,
  runtimeRunResultSchema,
  type RuntimeSession,
  type SessionDocument,
  sessionDocumentSchema,
  runtimeSessionSchema,
  type RuntimeStep,
  runtimeStepSchema,
} from "./record/session.ts";
export { type BudgetState, budgetStateSchema, type Spent, spentSchema } from "./record/spent.ts";
export {
  type ContentRow,
  contentRowSchema,
  type TraceEntry,
  traceEntrySchema,
  type TraceHeader,
  traceHeaderSchema,
  type TraceLine,
  traceLineSchema,
  type TraceSeal,
  traceSealSchema,
} from "./record/trace.ts";
export {
  type AgentEvent,
  agentEventSchema,
  type OutputFrame,
  outputFrameSchema,
  type RuntimeEvent,
  runtimeEventSchema,
} from "./event/agent-event.ts";
export { endsRun } from "./event/ends-run.ts";
export { maxCursorChars } from "./event/max-cursor-chars.ts";
export { type CapabilityChoice, capabilityChoiceSchema } from "./package/capability-choice.ts";
export {
  type ChildPackageStripManifest,
  type ChildRuntimePackagePolicy,
  type ContextHandoffPolicy,
  childPackageStripManifestSchema,
  childRuntimePackagePolicySchema,
  contextHandoffPolicySchema,
  type DepthBudget,
  depthBudgetSchema,
  type PolicyRef,
  policyRefSchema,
  type RouteInheritanceMode,
  routeInheritanceModeSchema,
  type SubagentRoutePolicy,
  type SubagentToolPolicy,
  subagentRoutePolicySchema,
  subagentToolPolicySchema,
} from "./package/child-package.ts";
export {
  type ActiveCapability,
  activeCapabilitySchema,
  type CapabilityKind,
  capabilityIdSchema,
  capabilityKindSchema,
  type PackageCapability,
  packageCapabilitySchema,
  type ReservedCapability,
  reservedCapabilitySchema,
} from "./package/package-capability.ts";
export {
  type PackageChange,
  type PackageDelta,
  packageChangeSchema,
  packageDeltaSchema,
} from "./package/package-delta.ts";
export {
  type PackageFingerprint,
  packageFingerprintMethod,
  packageFingerprintSchema,
} from "./package/package-fingerprint.ts";
export {
  type HookPhase,
  type HookPoint,
  hookPhaseSchema,
  hookPhases,
  hookPointSchema,
  hookPoints,
  type PackageHook,
  packageHookSchema,
} from "./package/package-hook.ts";
export {
  executorRefSchema,
  type PackageRoute,
  type PrivacyClass,
  packageRouteSchema,
  privacyClassSchema,
  type RetentionClass,
  type RiskClass,
  type RouteDestination,
  retentionClassSchema,
  riskClassSchema,
  routeDestinationSchema,
} from "./package/package-route.ts";
export { type PackageSidecar, packageSidecarSchema } from "./package/package-sidecar.ts";
export {
  type PackageContent,
  type PackageDraft,
  type PackageVolatile,
  type ProviderRoute,
  packageDraftSchema,
  packageVolatileSchema,
  providerRouteSchema,
  type RuntimePackage,
  runtimePackageSchema,
} from "./package/runtime-package.ts";
export {
  type ResolvedToolCall,
  resolvedToolCallSchema,
  type ToolCallRequest,
  type ToolExecutionRequest,
  toolCallRequestSchema,
  toolExecutionRequestSchema,
} from "./package/tool-call-request.ts";
export {
  type ToolExecutionStrategy,
  toolExecutionStrategySchema,
} from "./package/tool-execution-strategy.ts";
export { type ToolRegistrySnapshot, toolRegistrySnapshotSchema } from "./package/tool-registry-snapshot.ts";
export {
  keptMemorySchema,
  keptMemoryVectorSchema,
  type MemoryItem,
  memoryItemSchema,
  memorySources,
  type MemoryTrust,
  type MemoryVector,
  memoryVectorSchema,
  trustOf,
} from "./spectator/memory-item.ts";
export {
  type NotesPatch,
  notesKeys,
  type ProposedToolCall,
  proposedToolCallsSchema,
} from "./spectator/notes-patch.ts";
export {
  agentExportSchema,
  type AgentHead,
  agentHeadSchema,
  type ErasedInRevision,
  type AgentRevision,
  agentRevisionSchema,
  keptAgentHeadSchema,
  keptRevisionSchema,
  type RevisionCause,
  revisionCauseSchema,
} from "./spectator/agent-revision.ts";
export { type AgentErasure, agentErasureSchema } from "./spectator/agent-erasure.ts";
export { type TurnEvent, turnEventKinds, turnEventSchema } from "./spectator/turn-event.ts";
export { version } from "./version.ts";
