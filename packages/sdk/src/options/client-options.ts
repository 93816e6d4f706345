import type { ToolEntry } from "../tool/tool-facts.ts";
import { realTiming, type Timing } from "../wire/timing.ts";
import { malformed, refuseUnknownOptions, requireWhole } from "./check-options.ts";

export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** How a client is made. */
export type ClientOptions = {
  /** A long-lived key, or where visitors can read it a short-lived token. Keep it out of code: `process.env.SF_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** The platform's address; this machine's unless told. */
  readonly baseUrl?: string | undefined;
  readonly fetch?: Fetch | undefined;
  /** How long a call may take with all its attempts: 60 seconds unless told. */
  readonly timeoutMs?: number | undefined;
  /** How often a read, or a call with an idempotency key, is tried again: twice unless told. */
  readonly retries?: number | undefined;
  /** Put before the client's own name, where a `user-agent` may be sent. */
  readonly userAgent?: string | undefined;
  /** Send a key over plain http to another machine. */
  readonly insecure?: boolean | undefined;
};

/** What tests put in place of the clock and the generated table. */
export type Internals = { readonly timing?: Timing; readonly table?: readonly ToolEntry[] };

/** The key under which they do. It leaves no trace in the public types. */
export const internals = Symbol("internals");

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

export function internalsOf(options: ClientOptions): Internals {
  return (options as { [internals]?: Internals })[internals] ?? {};
}

/** What stands in the header: the caller's name first, then ours. */
export function userAgentOf({ userAgent }: ClientOptions, own: string): string {
  if (userAgent === undefined) return own;
  if (!/^[\x20-\x7e]{1,256}$/.test(userAgent)) {
    throw malformed("userAgent", "has 1 to 256 printable ASCII characters");
  }
  return `${userAgent} ${own}`;
}
