import type { Take } from "./token-bucket.ts";

/** What an answer says about its caller's limit. Both times are seconds from now, rounded up. */
export function rateHeaders({ ok, limit, remaining, resetMs, retryMs }: Take): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(seconds(resetMs)),
    // "Retry-After: 0" would be an invitation to come back at once.
    ...(ok ? {} : { "Retry-After": String(Math.max(1, seconds(retryMs))) }),
  };
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
