import type { CallHost } from "../call/call-host.ts";
import { claimKey, standingClaim } from "../call/claims.ts";
import { durabilityOf, type EndingTerms } from "../call/write-ending.ts";
import type { Opening } from "../journal/fold-calls.ts";
import type { StreamWriter } from "../journal/stream-writer.ts";
import type { Place } from "../store/store.ts";

/** What became of something that had no end. */
export type Settled = {
  readonly callId: string;
  readonly tool: string;
  /** `left`: as it was, for somebody who can settle it. */
  readonly outcome:
    | "completed"
    | "failed"
    | "timed_out"
    | "cancelled"
    | "unknown"
    | "released"
    | "withheld"
    | "left";
  /** How: the tool was run again, asked, or neither; or a held output was looked at again. */
  readonly by: "retry" | "reconcile" | "nobody" | "policy";
  readonly effectId?: string;
  /** Of one that is left: whose it is. */
  readonly keyId?: string;
  /** Of one that is unknown or left: why, and what a person can do. */
  readonly reason?: string;
};

/** What is known of an ending that another process has left to be written. */
export async function lateEnding(
  { store, clock }: CallHost,
  { accountId }: StreamWriter,
  opening: Opening,
  places: readonly Place[],
): Promise<EndingTerms> {
  const { callId, tool } = opening;
  const key = "idempotencyKey" in opening ? opening.idempotencyKey : undefined;
  const claim =
    key === undefined
      ? undefined
      : await standingClaim(store, claimKey(accountId, tool, key), callId, clock.now());
  return { durability: durabilityOf(opening), accountId, callId, places, claim };
}
