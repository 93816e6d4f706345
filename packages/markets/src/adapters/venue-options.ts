import type { Clock } from "@spfunctions/kernel";

type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** How much is asked of a venue, and taken from it. */
export type VenueLimits = {
  /** One request, with all of its answer. */
  readonly timeoutMs: number;
  /** One answer, once it is unpacked. */
  readonly maxBytes: number;
  /** How often a request is tried again. */
  readonly retries: number;
  /** The longest wait that a venue may ask for; past it the caller is told instead. */
  readonly maxWaitMs: number;
  /** How long the list of markets is kept. */
  readonly keepMs: number;
  /** Markets in the list of them. */
  readonly maxMarkets: number;
  /** Requests for one list, or for one range of candles. */
  readonly maxPages: number;
};

/**
 * @limits venue | `venues: { kalshi: { limits: { … } } }` of `openMarkets`
 */
const defaultVenueLimits: VenueLimits = {
  /** @at `timeout` */
  timeoutMs: 15_000,
  /** @at `upstream_error` */
  maxBytes: 2 * 1024 * 1024,
  /** @at the error of the last one */
  retries: 2,
  /** @at `rate_limited`, with `retryAfterMs` */
  maxWaitMs: 10_000,
  /** @at it is read anew */
  keepMs: 30_000,
  /** @at the others are not read */
  maxMarkets: 2_000,
  /** @at the others are not read */
  maxPages: 40,
};

/** What a list of markets was read without, because a member of it was wrong; members are counted by their name. */
export type SkippedMarkets = {
  readonly venue: string;
  readonly skipped: number;
  readonly reasons: Readonly<Record<string, number>>;
};

/** How a real venue is read. Only what the venue shows to everybody is read: no key is taken, and none is sent. */
export type VenueOptions = {
  readonly clock: Clock;
  /** The venue's own public address unless told. */
  readonly baseUrl?: string | undefined;
  readonly fetch?: Fetch | undefined;
  readonly limits?: Partial<VenueLimits> | undefined;
  readonly log?: ((skipped: SkippedMarkets) => void) | undefined;
};

export function limitsOf({ limits }: VenueOptions): VenueLimits {
  return { ...defaultVenueLimits, ...limits };
}
