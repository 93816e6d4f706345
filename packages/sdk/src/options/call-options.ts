import {
  digestSchema,
  type Origin,
  originSchema,
  secretInId,
  sessionIdSchema,
  refuseUnknown,
} from "@spfunctions/contracts";
import { malformed, requireWhole } from "./check-options.ts";

/** What every request takes. */
export type ReachOptions = {
  readonly signal?: AbortSignal | undefined;
  /** How long it may take with all its attempts, instead of the client's own limit. */
  readonly timeoutMs?: number | undefined;
};

/** What every method takes beside its input. */
export type CallOptions = ReachOptions & {
  /** Under one key a call happens once, however often it is sent. Without one a mutation is sent once. */
  readonly idempotencyKey?: string | undefined;
  /** W3C trace context, passed on as it is. */
  readonly traceparent?: string | undefined;
  /** Through which entry point the call came in, as the caller claims it. */
  readonly origin?: Origin | undefined;
  /** The contract that the caller has judged it by: where the platform has another, nothing runs. */
  readonly toolDigest?: string | undefined;
  /** The session that the call belongs to, by a name of the caller's: a person can approve for all of it. */
  readonly sessionId?: string | undefined;
  /** The answer comes without its receipt, which is most of a small answer. The platform records the call all the same. */
  readonly receipt?: "none" | undefined;
};

const known = [
  "signal",
  "timeoutMs",
  "idempotencyKey",
  "traceparent",
  "origin",
  "toolDigest",
  "sessionId",
  "receipt",
];

/** Refuses what would be misread or could not stand in a header. */
export function checkCallOptions(options: CallOptions): void {
  refuseUnknown(options, known, "call option");
  const { timeoutMs, idempotencyKey, traceparent, origin, toolDigest, sessionId, receipt } = options;
  if (timeoutMs !== undefined) requireWhole(timeoutMs, "timeoutMs", 1);
  if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,256}$/.test(idempotencyKey)) {
    throw malformed("idempotencyKey", "has 1 to 256 printable ASCII characters and no spaces");
  }
  if (
    traceparent !== undefined &&
    !/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]{1,256})?$/.test(traceparent)
  ) {
    throw malformed("traceparent", "is no W3C trace context");
  }
  if (origin !== undefined && !originSchema.safeParse(origin).success) {
    throw malformed("origin", `is one of ${originSchema.options.join(", ")}`);
  }
  if (toolDigest !== undefined && !digestSchema.safeParse(toolDigest).success) {
    throw malformed("toolDigest", "is the digest of a contract");
  }
  if (sessionId !== undefined && !sessionIdSchema.safeParse(sessionId).success) {
    throw malformed("sessionId", "has 1 to 128 letters, digits or . _ : @ -");
  }
  if (receipt !== undefined && receipt !== "none") throw malformed("receipt", "is none, or left out");
  for (const [name, what] of [
    ["sessionId", "session id"],
    ["idempotencyKey", "idempotency key"],
  ] as const) {
    const problem = secretInId(options[name] ?? "", what);
    if (problem !== undefined) throw malformed(name, `is refused: ${problem}`);
  }
}

/** The headers that the options stand for. */
export function headersOf({
  idempotencyKey,
  traceparent,
  origin,
  toolDigest,
  sessionId,
  receipt,
}: CallOptions): Record<string, string> {
  return {
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(origin === undefined ? {} : { "x-sf-origin": origin }),
    ...(toolDigest === undefined ? {} : { "x-sf-tool-digest": toolDigest }),
    ...(sessionId === undefined ? {} : { "x-sf-session": sessionId }),
    ...(receipt === undefined ? {} : { "x-sf-receipt": receipt }),
  };
}
