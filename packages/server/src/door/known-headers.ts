// The headers that the platform reads and writes beside those of any HTTP server.
import { originSchema } from "@spfunctions/contracts";

const count = { type: "integer", minimum: 0 };

/** What answers say in their headers. */
export const responseHeaders = {
  RequestId: {
    name: "X-Request-Id",
    description: "Names this request, in the log and in the answer's meta.",
    schema: { type: "string" },
  },
  RateLimitLimit: {
    name: "X-RateLimit-Limit",
    description: "How many requests the caller may send at once.",
    schema: count,
  },
  RateLimitRemaining: {
    name: "X-RateLimit-Remaining",
    description: "How many of them are left.",
    schema: count,
  },
  RateLimitReset: {
    name: "X-RateLimit-Reset",
    description: "Seconds until all of them are back.",
    schema: count,
  },
  RetryAfter: {
    name: "Retry-After",
    description: "Seconds until it makes sense to try again.",
    schema: count,
  },
  ETag: {
    name: "ETag",
    description: "The digest of the document.",
    schema: { type: "string" },
  },
} as const;

/** What requests may say in their headers. */
export const requestHeaders = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    description: "The same key again gets the first answer again, and nothing runs twice.",
    schema: { type: "string", minLength: 1 },
  },
  Traceparent: {
    name: "Traceparent",
    description: "Joins the call to a trace (W3C Trace Context).",
    schema: { type: "string" },
  },
  ClaimedOrigin: {
    name: "X-SF-Origin",
    description: "Who decided on the call, as the caller says. It can only make the law stricter.",
    schema: { type: "string", enum: originSchema.options },
  },
  ToolDigest: {
    name: "X-SF-Tool-Digest",
    description:
      "The contract that the caller has judged the call by. Where the platform has another, nothing runs.",
    schema: { type: "string", pattern: "^sha256:[0-9a-f]{64}$" },
  },
  Session: {
    name: "X-SF-Session",
    description:
      "The session that the call belongs to, as the caller names it: what a person approves for a session is approved in that one.",
    schema: { type: "string", pattern: "^[0-9A-Za-z][0-9A-Za-z._:@-]{0,127}$" },
  },
  SignReceipt: {
    name: "X-SF-Sign-Receipt",
    description: "Asks for a signature in the receipt.",
    schema: { type: "string", enum: ["true"] },
  },
  Receipt: {
    name: "X-SF-Receipt",
    description: "Leaves the receipt out of the answer. The call is judged and recorded all the same.",
    schema: { type: "string", enum: ["none"] },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    description: "The ETag of what the caller already has.",
    schema: { type: "string" },
  },
  LastEventId: {
    name: "Last-Event-ID",
    description: "The id of the last event seen; the stream goes on exactly after it.",
    schema: { type: "string" },
  },
} as const;
