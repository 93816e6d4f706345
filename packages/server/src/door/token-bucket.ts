// Forgetting a bucket gives nothing away. A table without room forgets the bucket that is full first, and remembers the
// moment at which the last one forgotten is full: until then a new key starts with what such a bucket would have.
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { type Bucket, FullestFirst } from "./fullest-first.ts";

/** How fast tokens come back, and how many there can be at once. */
export type Rate = { readonly perSecond: number; readonly burst: number };

export type TokenBucketsOptions = Rate & {
  /** How many buckets are remembered at most. */
  readonly maxBuckets: number;
  /** Only `elapsed` is asked: no change of the date gives or takes a token. */
  readonly clock: { readonly elapsed: () => number };
};

/** What became of one request for a token. */
export type Take = {
  readonly ok: boolean;
  /** The most that the bucket can hold. */
  readonly limit: number;
  /** Whole tokens that are left. */
  readonly remaining: number;
  /** Milliseconds until the bucket is full. */
  readonly resetMs: number;
  /** Milliseconds until the same request would pass: 0 if it did. */
  readonly retryMs: number;
};

/** Less than this part of a token is a rounding error: exactly `burst` requests pass at once. */
const slack = 1e-4;

/** Limits how often each key may do something, in bounded memory and without timers. */
export class TokenBuckets {
  readonly #rate: Rate;
  readonly #maxBuckets: number;
  readonly #clock: TokenBucketsOptions["clock"];
  readonly #buckets = new Map<string, Bucket>();
  readonly #order = new FullestFirst();
  #latest = Number.NEGATIVE_INFINITY;
  /** From here on every forgotten bucket is full. */
  #allForgottenFullAt = Number.NEGATIVE_INFINITY;

  constructor({ perSecond, burst, maxBuckets, clock }: TokenBucketsOptions) {
    requireSound({ perSecond, burst });
    if (!(Number.isSafeInteger(maxBuckets) && maxBuckets >= 1)) {
      throw fault("maxBuckets is not a whole number from 1 up; say how many buckets may be remembered");
    }
    this.#rate = { perSecond, burst };
    this.#maxBuckets = maxBuckets;
    this.#clock = clock;
  }

  /** How many buckets are remembered. */
  get size(): number {
    return this.#order.size;
  }

  /** Takes a token of a key, or none. A key with a limit of its own brings its rate, the same each time. */
  take(key: string, rate: Rate = this.#rate): Take {
    requireSound(rate);
    const { perSecond, burst } = rate;
    const perMs = perSecond / 1000;
    const now = this.#now();
    const bucket = this.#find(key, now + (burst + slack) / perMs);
    const fullAt = this.#fullAt(bucket, now);
    const tokens = burst - (fullAt - now) * perMs;
    if (tokens + slack < 1) {
      const retryMs = Math.ceil((1 - slack / 2 - tokens) / perMs);
      return { ok: false, limit: burst, remaining: whole(tokens), resetMs: fullAt - now, retryMs };
    }
    const next = fullAt + 1 / perMs;
    this.#keep(key, bucket, next);
    return { ok: true, limit: burst, remaining: whole(tokens - 1), resetMs: next - now, retryMs: 0 };
  }

  #now(): number {
    this.#latest = Math.max(this.#latest, this.#clock.elapsed());
    return this.#latest;
  }

  #fullAt(bucket: Bucket | undefined, now: number): number {
    return Math.max(now, bucket === undefined ? this.#allForgottenFullAt : bucket.fullAt);
  }

  /** A key that was given another rate owes no more than the whole of its new bucket. */
  #find(key: string, latestFullAt: number): Bucket | undefined {
    const bucket = this.#buckets.get(key);
    if (bucket !== undefined && bucket.fullAt > latestFullAt) this.#order.move(bucket, latestFullAt);
    return bucket;
  }

  #keep(key: string, known: Bucket | undefined, fullAt: number): void {
    const { first, size } = this.#order;
    if (known !== undefined) {
      this.#order.move(known, fullAt);
    } else if (first === undefined || size < this.#maxBuckets) {
      this.#buckets.set(key, this.#order.add(key, fullAt));
    } else {
      this.#allForgottenFullAt = Math.max(this.#allForgottenFullAt, first.fullAt);
      this.#buckets.delete(first.key);
      first.key = key;
      this.#buckets.set(key, first);
      this.#order.move(first, fullAt);
    }
  }
}

function whole(tokens: number): number {
  return Math.max(0, Math.floor(tokens + slack));
}

function requireSound({ perSecond, burst }: Rate): void {
  if (!(perSecond > 0 && Number.isFinite(perSecond) && Number.isSafeInteger(burst) && burst >= 1)) {
    throw fault("a rate needs perSecond above 0 and a whole burst from 1 up; correct the configured limit");
  }
}

function fault(message: string): HostConfigurationNeededError {
  return new HostConfigurationNeededError(message, { details: { reason: "invalid_rate" } });
}
