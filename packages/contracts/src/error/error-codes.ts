/**
 * Whether trying again can help: `never`; `safe` at once and as it is; `after_wait` as it is, later;
 * `after_user_action` once a person has changed something.
 */
export type Retry = "never" | "safe" | "after_wait" | "after_user_action";

/** Exit codes of `sf`. */
export const exitCodes = {
  /** Done; allowed; verified. */
  done: 0,
  /** Failed: the tool, the model, the host, or a pack that ended the process. */
  failed: 1,
  /** Bad usage: an option, an input that is no JSON, a policy or a pack that cannot be used, a file that cannot be read. */
  badUsage: 2,
  /** Refused by a gate, also an input that its tool's schema does not allow; a run that was blocked. */
  refused: 3,
  /** A person must approve. */
  approvalRequired: 4,
  /** Not in the traces that are replayed. */
  replayMiss: 5,
  /** Verification failed: broken, forged, or not signed by a key that was given. */
  verificationFailed: 6,
  /** Whole, and signed by a key that is not known here. */
  signerUnknown: 7,
} as const;

type ErrorFacts = {
  readonly retry: Retry;
  /** HTTP status at the platform's door. */
  readonly status: number;
  readonly exit: (typeof exitCodes)[keyof typeof exitCodes];
};

const { failed, badUsage, refused, approvalRequired, replayMiss, verificationFailed } = exitCodes;

/** The closed list of error codes, each with what a caller may do about it. */
export const errorCodes = {
  missing_api_key: { retry: "after_user_action", status: 401, exit: refused },
  invalid_api_key: { retry: "after_user_action", status: 401, exit: refused },
  forbidden: { retry: "after_user_action", status: 403, exit: refused },
  browser_key_forbidden: { retry: "after_user_action", status: 403, exit: refused },
  unknown_tool: { retry: "never", status: 404, exit: refused },
  tool_not_active: { retry: "never", status: 403, exit: refused },
  tool_not_callable: { retry: "never", status: 403, exit: refused },
  policy_denied: { retry: "after_user_action", status: 403, exit: refused },
  trade_guardrail: { retry: "after_user_action", status: 403, exit: refused },
  capability_denied: { retry: "after_user_action", status: 403, exit: refused },
  approval_required: { retry: "after_user_action", status: 409, exit: approvalRequired },
  approval_denied: { retry: "never", status: 403, exit: refused },
  approval_expired: { retry: "after_user_action", status: 409, exit: refused },
  approval_mismatch: { retry: "never", status: 409, exit: refused },
  budget_exceeded: { retry: "after_user_action", status: 403, exit: refused },
  invalid_input: { retry: "never", status: 400, exit: refused },
  invalid_output: { retry: "never", status: 502, exit: failed },
  replay_miss: { retry: "never", status: 404, exit: replayMiss },
  live_disabled: { retry: "never", status: 403, exit: refused },
  journal_corrupt: { retry: "never", status: 500, exit: verificationFailed },
  journal_append_failed: { retry: "after_wait", status: 503, exit: failed },
  recovery_needed: { retry: "after_user_action", status: 409, exit: failed },
  revision_conflict: { retry: "safe", status: 409, exit: failed },
  lease_lost: { retry: "after_wait", status: 503, exit: failed },
  rate_limited: { retry: "after_wait", status: 429, exit: failed },
  idempotency_conflict: { retry: "never", status: 409, exit: refused },
  idempotency_in_progress: { retry: "after_wait", status: 409, exit: failed },
  upstream_error: { retry: "after_wait", status: 502, exit: failed },
  provider_failed: { retry: "after_wait", status: 502, exit: failed },
  timeout: { retry: "never", status: 504, exit: failed },
  cancelled: { retry: "never", status: 499, exit: failed },
  invalid_manifest: { retry: "never", status: 500, exit: badUsage },
  invalid_policy: { retry: "after_user_action", status: 400, exit: badUsage },
  invalid_package: { retry: "never", status: 400, exit: badUsage },
  missing_field: { retry: "never", status: 400, exit: badUsage },
  contract_violation: { retry: "never", status: 500, exit: failed },
  invalid_transition: { retry: "never", status: 409, exit: failed },
  host_configuration_needed: { retry: "after_user_action", status: 503, exit: failed },
  sandbox_denied: { retry: "never", status: 403, exit: refused },
  not_found: { retry: "never", status: 404, exit: failed },
  internal: { retry: "never", status: 500, exit: failed },
} as const satisfies Record<string, ErrorFacts>;

export type ErrorCode = keyof typeof errorCodes;

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(errorCodes, value);
}
