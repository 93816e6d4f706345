import type { ErrorCode } from "./error-codes.ts";
import { type ErrorOptions, requireErrorCode, SimpleFunctionsError } from "./simple-functions-error.ts";

/** Stated, not inferred: what Node adds to Error is no part of our types. */
type ErrorClass<Code extends ErrorCode> = new (
  message: string,
  options?: ErrorOptions,
) => SimpleFunctionsError & { readonly code: Code };

function errorOf<Code extends ErrorCode>(code: Code): ErrorClass<Code> {
  return class extends SimpleFunctionsError {
    declare readonly code: Code;
    constructor(message: string, options?: ErrorOptions) {
      super(code, message, options);
    }
  };
}

export class MissingApiKeyError extends errorOf("missing_api_key") {}
export class InvalidApiKeyError extends errorOf("invalid_api_key") {}
export class ForbiddenError extends errorOf("forbidden") {}
export class BrowserKeyForbiddenError extends errorOf("browser_key_forbidden") {}
export class UnknownToolError extends errorOf("unknown_tool") {}
export class ToolNotActiveError extends errorOf("tool_not_active") {}
export class ToolNotCallableError extends errorOf("tool_not_callable") {}
export class PolicyDeniedError extends errorOf("policy_denied") {}
export class TradeGuardrailError extends errorOf("trade_guardrail") {}
export class CapabilityDeniedError extends errorOf("capability_denied") {}
export class ApprovalRequiredError extends errorOf("approval_required") {}
export class ApprovalDeniedError extends errorOf("approval_denied") {}
export class ApprovalExpiredError extends errorOf("approval_expired") {}
export class ApprovalMismatchError extends errorOf("approval_mismatch") {}
export class BudgetExceededError extends errorOf("budget_exceeded") {}
export class InvalidInputError extends errorOf("invalid_input") {}
export class InvalidOutputError extends errorOf("invalid_output") {}
export class ReplayMissError extends errorOf("replay_miss") {}
export class LiveDisabledError extends errorOf("live_disabled") {}
export class JournalCorruptError extends errorOf("journal_corrupt") {}
export class JournalAppendFailedError extends errorOf("journal_append_failed") {}
export class RecoveryNeededError extends errorOf("recovery_needed") {}
export class RevisionConflictError extends errorOf("revision_conflict") {}
export class LeaseLostError extends errorOf("lease_lost") {}
export class RateLimitedError extends errorOf("rate_limited") {}
export class IdempotencyConflictError extends errorOf("idempotency_conflict") {}
export class IdempotencyInProgressError extends errorOf("idempotency_in_progress") {}
export class UpstreamError extends errorOf("upstream_error") {}
export class ProviderFailedError extends errorOf("provider_failed") {}
export class TimeoutError extends errorOf("timeout") {}
export class CancelledError extends errorOf("cancelled") {}
export class InvalidManifestError extends errorOf("invalid_manifest") {}
export class InvalidPolicyError extends errorOf("invalid_policy") {}
export class InvalidPackageError extends errorOf("invalid_package") {}
export class MissingFieldError extends errorOf("missing_field") {}
export class ContractViolationError extends errorOf("contract_violation") {}
export class InvalidTransitionError extends errorOf("invalid_transition") {}
export class HostConfigurationNeededError extends errorOf("host_configuration_needed") {}
export class SandboxDeniedError extends errorOf("sandbox_denied") {}
export class NotFoundError extends errorOf("not_found") {}
export class InternalError extends errorOf("internal") {}

/** The class of each code: the one way from a code on a wire or in a journal back to an error. */
const errorClasses = {
  missing_api_key: MissingApiKeyError,
  invalid_api_key: InvalidApiKeyError,
  forbidden: ForbiddenError,
  browser_key_forbidden: BrowserKeyForbiddenError,
  unknown_tool: UnknownToolError,
  tool_not_active: ToolNotActiveError,
  tool_not_callable: ToolNotCallableError,
  policy_denied: PolicyDeniedError,
  trade_guardrail: TradeGuardrailError,
  capability_denied: CapabilityDeniedError,
  approval_required: ApprovalRequiredError,
  approval_denied: ApprovalDeniedError,
  approval_expired: ApprovalExpiredError,
  approval_mismatch: ApprovalMismatchError,
  budget_exceeded: BudgetExceededError,
  invalid_input: InvalidInputError,
  invalid_output: InvalidOutputError,
  replay_miss: ReplayMissError,
  live_disabled: LiveDisabledError,
  journal_corrupt: JournalCorruptError,
  journal_append_failed: JournalAppendFailedError,
  recovery_needed: RecoveryNeededError,
  revision_conflict: RevisionConflictError,
  lease_lost: LeaseLostError,
  rate_limited: RateLimitedError,
  idempotency_conflict: IdempotencyConflictError,
  idempotency_in_progress: IdempotencyInProgressError,
  upstream_error: UpstreamError,
  provider_failed: ProviderFailedError,
  timeout: TimeoutError,
  cancelled: CancelledError,
  invalid_manifest: InvalidManifestError,
  invalid_policy: InvalidPolicyError,
  invalid_package: InvalidPackageError,
  missing_field: MissingFieldError,
  contract_violation: ContractViolationError,
  invalid_transition: InvalidTransitionError,
  host_configuration_needed: HostConfigurationNeededError,
  sandbox_denied: SandboxDeniedError,
  not_found: NotFoundError,
  internal: InternalError,
} satisfies { [Code in ErrorCode]: ErrorClass<Code> };

export function errorFor(code: ErrorCode, message: string, options?: ErrorOptions): SimpleFunctionsError {
  requireErrorCode(code);
  return new errorClasses[code](message, options);
}
