import {
  CancelledError,
  type ErrorCode,
  type ErrorDetails,
  errorFor,
  type SimpleFunctionsError,
  TimeoutError,
  UpstreamError,
} from "@spfunctions/contracts";
import type { Early } from "./deadline.ts";
import type { Errand, Exchange, Failure } from "./outcome.ts";

type Sent = Pick<Errand<unknown>, "name" | "isRepeatable">;

/** Without an answer nobody knows whether a mutation took place, and repeating it could do it twice. */
const unknownOutcome =
  "it may have taken effect; look before you repeat it, and give an idempotencyKey next time";

/** The call's time was over, or its caller gave up. */
export function earlyFault(
  { name, isRepeatable }: Sent,
  early: Early,
  wasSent: boolean,
): SimpleFunctionsError {
  const isUnknown = wasSent && !isRepeatable;
  const details = { tool: name, reason: isUnknown ? "outcome_unknown" : early };
  const rest = isUnknown ? `; ${unknownOutcome}` : "";
  if (early === "cancelled")
    return new CancelledError(`${name}: cancelled by the caller${rest}`, { details });
  return new TimeoutError(`${name}: no answer in the time given by timeoutMs${rest}`, {
    details,
    retry: isUnknown ? "never" : "after_wait",
  });
}

/** Codes that do not say whether anything has happened. */
const unclear: ReadonlySet<ErrorCode> = new Set(["upstream_error", "provider_failed"]);

/** X1: the error of a request that is not to be sent twice. What may have taken effect is not said to be worth repeating. */
export function unrepeatable(error: SimpleFunctionsError): SimpleFunctionsError {
  const { code, message, details, cause } = error;
  if (!unclear.has(code) || details?.["reason"] === "outcome_unknown") return error;
  return errorFor(code, `${message}; ${unknownOutcome}`, {
    ...(details && { details }),
    retry: "never",
    cause,
  });
}

/** No answer came at all, or it broke off. */
export function networkFault(
  { name, isRepeatable }: Sent,
  baseUrl: string,
  cause: unknown,
): SimpleFunctionsError {
  const advice = isRepeatable ? "is it running, and is that its address?" : unknownOutcome;
  return new UpstreamError(`${name}: no answer from the platform at ${baseUrl}; ${advice}`, {
    details: { tool: name, reason: isRepeatable ? "network" : "outcome_unknown" },
    retry: isRepeatable ? "after_wait" : "never",
    cause,
  });
}

/** Something answered that is not the platform, or not all of what it said came through. */
export function badAnswer(
  name: string,
  { status, headers, retryAfterMs }: Omit<Exchange, "text">,
  problem: { readonly reason: string; readonly says: string; readonly details?: ErrorDetails },
): Failure {
  const mayHelp = isPassing(status);
  const requestId = headers.get("x-request-id");
  const error = new UpstreamError(
    `${name}: the answer with status ${status} ${problem.says}; check that baseUrl is the platform's own address`,
    {
      details: {
        ...problem.details,
        tool: name,
        reason: problem.reason,
        status,
        ...(requestId === null ? {} : { requestId }),
      },
      retry: mayHelp ? "after_wait" : "never",
    },
  );
  return { type: "failed", error, mayHelp, retryAfterMs, isUnanswered: true };
}

/** Statuses that the same request may not meet again: too many requests, and faults of a server that knows the method. */
export function isPassing(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}
