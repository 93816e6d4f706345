// G1: what a key has ordered is called later, and for that key: under its law of then, and only while it is good.
import {
  errorFor,
  InvalidApiKeyError,
  InvalidTransitionError,
  type ToolCallResult,
} from "@spfunctions/contracts";
import type { OrderedCall } from "@spfunctions/kernel";
import { callerOfKey } from "../identity/caller.ts";
import type { KeyRecord } from "../keys/key-record.ts";
import type { PlatformParts } from "../platform-parts.ts";

type Parts = Pick<PlatformParts, "keys" | "seats" | "manifest" | "underWay" | "closing" | "clock">;

export async function callOrdered(
  { keys, seats, manifest, underWay, closing, clock }: Parts,
  { accountId, keyId, tool, input, idempotencyKey, orderedAt }: OrderedCall,
): Promise<ToolCallResult> {
  if (closing.signal.aborted)
    throw new InvalidTransitionError(`${tool}: the platform is closing; the next one makes the call`, {
      details: { reason: "closing" },
      retry: "after_wait",
    });
  const found = await keys.byId(accountId, keyId);
  if (found === undefined) throw endedKey(tool, "was revoked or has expired");
  if (isRotatedAway(found.record, orderedAt, clock.now()))
    throw endedKey(tool, "was rotated since, and the secret that it had then is over");
  const seat = seats.of(callerOfKey(found, manifest), "direct");
  const call = seat.call({ tool, input, idempotencyKey, asking: "return" });
  const outcome = await underWay.add(call, { tool, accountId });
  if (outcome.type === "completed") return outcome.result;
  const { code, message, details, retry, cause } = outcome.error;
  throw errorFor(code, message, { ...(details && { details }), retry, cause });
}

/** Whether every secret that a key had at a time is over by now. */
function isRotatedAway({ rotatedAt, secrets }: KeyRecord, then: number, now: number): boolean {
  if (rotatedAt === undefined || Date.parse(rotatedAt) < then) return false;
  const [, ...older] = secrets;
  return !older.some(({ validUntil }) => validUntil !== undefined && now < Date.parse(validUntil));
}

function endedKey(tool: string, why: string): InvalidApiKeyError {
  return new InvalidApiKeyError(`${tool}: the key that ordered it ${why}; order it again with another`, {
    details: { tool, reason: "key_ended" },
  });
}
