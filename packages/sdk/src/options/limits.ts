import { refuseUnknown } from "@spfunctions/contracts";
import { internalsOf } from "../client/internals.ts";
import { realTiming, type Timing } from "../wire/timing.ts";
import { requireWhole } from "./check-options.ts";
import type { ClientOptions } from "./client-options.ts";

const known = ["apiKey", "baseUrl", "fetch", "timeoutMs", "retries", "userAgent", "insecure"];

/**
 * A call, until its answer is there.
 * @limit client.timeoutMs | `timeout`; what it had begun may have happened | `timeoutMs` of the client or of a call
 */
const defaultTimeoutMs = 60_000;

/**
 * How often a request is sent again where that is safe.
 * @limit client.retries | the error of the last one | `retries` of the client
 */
const defaultRetries = 2;

export type Limits = { readonly timeoutMs: number; readonly retries: number; readonly timing: Timing };

export function limitsOf(options: ClientOptions): Limits {
  refuseUnknown(options, known, "client option");
  const { timeoutMs = defaultTimeoutMs, retries = defaultRetries } = options;
  return {
    timeoutMs: requireWhole(timeoutMs, "timeoutMs", 1),
    retries: requireWhole(retries, "retries", 0),
    timing: internalsOf(options).timing ?? realTiming,
  };
}
