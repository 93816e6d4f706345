import {
  HostConfigurationNeededError,
  leastKeyRetentionMs,
  parseAtDoor,
  strictObject,
} from "@spfunctions/contracts";
import { type CallLimits, defaultCallLimits } from "@spfunctions/kernel";
import { z } from "zod";
import { type Quotas, quotasSchema, type RateLimit, rateLimitSchema } from "./keys/key-record.ts";

/** Every limit of a platform has a name, and can be set. */
export type PlatformLimits = {
  readonly requestBodyBytes: number;
  /** Of a key without a limit of its own. */
  readonly keyRate: RateLimit;
  /** Of an address, whoever calls from there. */
  readonly addressRate: RateLimit;
  /** Of an address that shows wrong keys; good ones from there are not touched by it. */
  readonly wrongKeyRate: RateLimit;
  /** Of an address that calls without a key. */
  readonly anonymousRate: RateLimit;
  /** How many keys and addresses are counted at once. */
  readonly countedCallers: number;
  /** Calls a day, of a key without quotas of its own. */
  readonly quotas: Quotas;
  /** How long another process's change to a key may go unseen in this one. */
  readonly keyRememberMs: number;
  /** How often it is written down when keys were last used. */
  readonly keyUsageMs: number;
  /** Event streams that one key may have open. */
  readonly streamsPerKey: number;
  /** How many of a key's event streams read the journal at the same time. */
  readonly streamReadsPerKey: number;
  /** Requests of one key that are held open at once until somebody has approved or denied. */
  readonly approvalWaitsPerKey: number;
  /** How long an event stream stays silent. */
  readonly heartbeatMs: number;
  /** How many of the newest segments are looked through for a run that is asked for by name alone. */
  readonly runLookbackSegments: number;
  /** How long what the store has answered about being ready holds, and how long it has to answer. */
  readonly readyMs: number;
  /** How often it is looked for what platforms beside this one that died have left. */
  readonly sweepMs: number;
  /** How long calls under way are waited for at the end. */
  readonly graceMs: number;
  /** How long calls that were cancelled then are waited for, until they are journaled and answered. */
  readonly cutMs: number;
  readonly calls: Partial<CallLimits>;
};

/**
 * @limits platform | `limits: { … }` of `openPlatform`, `sf up --limits <file>`
 */
export const defaultPlatformLimits: PlatformLimits = {
  /** The body of a request. @at `invalid_input`, reason `too_large`, status 413 */
  requestBodyBytes: 2 ** 20,
  /** Requests of a key without a rate of its own. @at `rate_limited`, with Retry-After; `rateLimit` of a key comes before it */
  keyRate: { perSecond: 100, burst: 200 },
  /** Requests from an address, whoever calls from there. @at `rate_limited`, with Retry-After */
  addressRate: { perSecond: 300, burst: 600 },
  /** Requests with wrong keys from an address; good ones from there are not touched by it. @at `rate_limited`, with Retry-After */
  wrongKeyRate: { perSecond: 5, burst: 50 },
  /** Requests without a key from an address. @at `rate_limited`, with Retry-After */
  anonymousRate: { perSecond: 20, burst: 100 },
  /** Keys and addresses that are counted at once. @at those that have most left are forgotten */
  countedCallers: 10_000,
  /** Calls a day (UTC), by their cost, of a key without quotas of its own. @at `rate_limited`, reason `quota`; `quotas` of a key come before them */
  quotas: { search_cost: 10_000, venue_request_cost: 100_000, llm_cost: 1000 },
  /** @at the key is read anew */
  keyRememberMs: 1000,
  /** @at it is written down */
  keyUsageMs: 60_000,
  /** @at `rate_limited`, reason `streams` */
  streamsPerKey: 16,
  /** @at the others wait their turn */
  streamReadsPerKey: 2,
  /** @at `rate_limited`, reason `waits` */
  approvalWaitsPerKey: 1000,
  /** @at a comment is sent */
  heartbeatMs: 15_000,
  /** @at `not_found`; with a cursor it is looked for from there */
  runLookbackSegments: 4,
  /** @at `GET /api/ready` asks the store anew; `503` where that has not answered by then */
  readyMs: 1000,
  /** @at calls of the dead are settled */
  sweepMs: 5000,
  /** @at they are cancelled, and journaled */
  graceMs: 10_000,
  /** @at they are left without an end, and whoever opens the store next settles them */
  cutMs: 2000,
  calls: {},
};

const positive = z.number().positive();
const callLimitShape = Object.fromEntries(Object.keys(defaultCallLimits).map((name) => [name, z.number()]));
const limitsSchema = strictObject({
  requestBodyBytes: positive,
  keyRate: rateLimitSchema,
  addressRate: rateLimitSchema,
  wrongKeyRate: rateLimitSchema,
  anonymousRate: rateLimitSchema,
  countedCallers: z.int().positive(),
  quotas: quotasSchema,
  keyRememberMs: positive,
  keyUsageMs: positive,
  streamsPerKey: positive,
  streamReadsPerKey: z.int().positive(),
  approvalWaitsPerKey: z.int().positive(),
  heartbeatMs: positive,
  runLookbackSegments: positive,
  readyMs: positive,
  sweepMs: positive,
  graceMs: positive,
  cutMs: positive,
  // The kernel looks at each of them.
  calls: strictObject(callLimitShape).partial(),
}).partial();

/** The limits that are given, each of them checked, and for the others the usual ones. */
export function readPlatformLimits(given: Partial<PlatformLimits> = {}): PlatformLimits {
  const own = parseAtDoor(limitsSchema, given, "limits", HostConfigurationNeededError);
  if ((own.calls?.["claimMs"] ?? leastKeyRetentionMs) < leastKeyRetentionMs)
    throw new HostConfigurationNeededError(
      `limits.calls.claimMs is at least ${leastKeyRetentionMs}: callers send what a crash has cut off again within a day, and count on it that nothing runs twice`,
      { details: { path: "/calls/claimMs", reason: "too_short" } },
    );
  return { ...defaultPlatformLimits, ...(own as Partial<PlatformLimits>) };
}
