import {
  type ContractTool,
  type ErrorCode,
  errorCodes,
  errorFor,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";

type Repeatable = Pick<ContractTool, "sideEffect" | "idempotency">;

/** Codes that do not say whether anything has happened. */
const unclear = new Set<ErrorCode>(["upstream_error", "provider_failed", "timeout", "cancelled"]);

/** What cannot be repeated without harm is not said to be worth repeating. */
export function retryAdvice(code: ErrorCode, { sideEffect, idempotency }: Repeatable): { retry?: "never" } {
  const isHarmless = sideEffect === "none" || idempotency.type !== "none";
  return isHarmless || !unclear.has(code) ? {} : { retry: "never" };
}

/** The same for an error that a tool has thrown; where it says something of its own about it, that stands. */
export function withAdvice(error: SimpleFunctionsError, tool: Repeatable): SimpleFunctionsError {
  const { code, message, details, cause, retry } = error;
  const advice = retryAdvice(code, tool);
  if (advice.retry === undefined || retry !== errorCodes[code].retry) return error;
  return errorFor(code, message, { ...(details && { details }), cause, ...advice });
}
