import { internalsOf } from "../client/internals.ts";
import { realTiming, type Timing } from "../wire/timing.ts";
import { refuseUnknownOptions, requireWhole } from "./check-options.ts";
import type { ClientOptions } from "./client-options.ts";

const known = ["apiKey", "baseUrl", "fetch", "timeoutMs", "retries", "userAgent", "insecure"];

export type Limits = { readonly timeoutMs: number; readonly retries: number; readonly timing: Timing };

export function limitsOf(options: ClientOptions): Limits {
  refuseUnknownOptions(options, known, "client");
  const { timeoutMs = 60_000, retries = 2 } = options;
  return {
    timeoutMs: requireWhole(timeoutMs, "timeoutMs", 1),
    retries: requireWhole(retries, "retries", 0),
    timing: internalsOf(options).timing ?? realTiming,
  };
}
