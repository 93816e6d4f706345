import {
  CancelledError,
  type ErrorOptions,
  RateLimitedError,
  TimeoutError,
  UpstreamError,
} from "@spfunctions/contracts";

/** A venue gave something else than what was asked for. Neither message nor details repeat what it gave. */
export function upstream(
  venue: string,
  says: string,
  reason: string,
  options: ErrorOptions = {},
): UpstreamError {
  return new UpstreamError(`${venue}: it ${says}`, {
    ...options,
    details: { ...options.details, reason },
  });
}

/** A venue answered with something else than what was asked for. */
export function wrongShape(venue: string, wanted: string): UpstreamError {
  return upstream(venue, `answered with something that is no ${wanted}`, "wrong_shape");
}

/** The status is told also to whoever was not let through to the venue: it is what the venue last said. */
export function tooOften(venue: string, retryAfterMs: number | undefined): RateLimitedError {
  return new RateLimitedError(`${venue}: it has been asked too often; ask again later`, {
    details: { status: 429, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  });
}

export function tooSlow(venue: string, timeoutMs: number): TimeoutError {
  return new TimeoutError(`${venue}: it gave no whole answer within ${timeoutMs} ms; ask again later`, {
    details: { reason: "timeout", timeoutMs },
    // Nothing but reading was asked for.
    retry: "after_wait",
  });
}

export function cancelled(venue: string): CancelledError {
  return new CancelledError(`${venue}: cancelled by the caller while it was read`);
}
