import type { CallHost } from "../call/call-host.ts";
import { callWake } from "../call/call-wake.ts";
import { claimKey, standingClaim } from "../call/claims.ts";
import { durabilityOf, type EndingTerms } from "../call/write-ending.ts";
import type { Opening } from "../journal/fold-calls.ts";
import type { StreamWriter } from "../journal/stream-writer.ts";
import type { Place } from "../store/store.ts";

/** Whoever writes into the stream that a call without an end is in. */
export type SettlingWriter = Pick<StreamWriter, "stream" | "epoch" | "accountId" | "placeOf" | "write">;

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
    | "refused"
    | "left";
  /** How: the tool was run again, asked, or neither; or a held output was looked at again. */
  readonly by: "retry" | "reconcile" | "nobody" | "policy" | "approval";
  readonly effectId?: string;
  /** Of one that is left: whose it is. */
  readonly keyId?: string;
  /** Of one that is unknown or left, or that waited and was not run: why, and what a person can do. */
  readonly reason?: string;
  /** Of one that is left because a person has still to answer. */
  readonly waitsFor?: WaitsFor;
};

export type WaitsFor = {
  readonly approvalId: string;
  readonly expiresAt: string;
  readonly stream: string;
  /** Where it is answered where a tool runs: which tool. */
  readonly elsewhere?: string | undefined;
};

/** What is known of an ending that another process has left to be written. */
export async function lateEnding(
  { store, clock }: CallHost,
  { accountId }: SettlingWriter,
  opening: Opening,
  places: readonly Place[],
): Promise<EndingTerms> {
  const { callId, tool } = opening;
  const key = "idempotencyKey" in opening ? opening.idempotencyKey : undefined;
  const claim =
    key === undefined
      ? undefined
      : await standingClaim(store, claimKey(accountId, tool, key), callId, clock.now());
  const wakes = "waited" in opening ? [callWake(callId)] : undefined;
  return { durability: durabilityOf(opening), accountId, callId, places, claim, wakes };
}
