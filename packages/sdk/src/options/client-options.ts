import { malformed } from "./check-options.ts";

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

/** What stands in the header: the caller's name first, then ours. */
export function userAgentOf({ userAgent }: ClientOptions, own: string): string {
  if (userAgent === undefined) return own;
  if (!/^[\x20-\x7e]{1,256}$/.test(userAgent)) {
    throw malformed("userAgent", "has 1 to 256 printable ASCII characters");
  }
  return `${userAgent} ${own}`;
}
