// G1: what a key has ordered is called later, and for that key: under its law of then, and only while it is good.
import {
  errorFor,
  InvalidApiKeyError,
  InvalidTransitionError,
  type ToolCallResult,
} from "@spfunctions/contracts";
import type { OrderedCall } from "@spfunctions/kernel";
import { type Caller, callerOfKey } from "../identity/caller.ts";
import type { KeyRecord } from "../keys/key-record.ts";
import type { PlatformParts } from "../platform-parts.ts";
import type { QuotaTake } from "../quota/key-quotas.ts";
import { type Cost, takeOfKey, usedUp } from "../route/way-in.ts";

type Parts = Pick<
  PlatformParts,
  "keys" | "seats" | "manifest" | "underWay" | "closing" | "clock" | "quotas" | "limits"
>;

export async function callOrdered(
  parts: Parts,
  { accountId, keyId, tool, input, idempotencyKey, orderedAt }: OrderedCall,
): Promise<ToolCallResult> {
  const { keys, seats, manifest, underWay, closing, clock } = parts;
  if (closing.signal.aborted)
    throw new InvalidTransitionError(`${tool}: the platform is closing; the next one makes the call`, {
      details: { reason: "closing" },
      retry: "after_wait",
    });
  const found = await keys.byId(accountId, keyId);
  if (found === undefined) throw endedKey(tool, "was revoked or has expired");
  if (isRotatedAway(found.record, orderedAt, clock.now()))
    throw endedKey(tool, "was rotated since, and the secret that it had then is over");
  const caller = callerOfKey(found, manifest);
  const seat = seats.of(caller, "direct");
  const quota = await takeQuota(parts, caller, {
    tool,
    isFree: async () => seat.explain(tool).outcome === "deny" || (await seat.isClaimed(tool, idempotencyKey)),
  });
  const call = seat.call({ tool, input, idempotencyKey, asking: "return" });
  const outcome = await underWay.add(call, { tool, accountId });
  // Only what ran is counted: no refusal, and no answer that is given again.
  const isAgain = outcome.type === "completed" ? outcome.result.replayed === true : outcome.replayed === true;
  if (outcome.type === "refused" || isAgain) quota.giveBack();
  if (outcome.type === "completed") return outcome.result;
  const { code, message, details, retry, cause } = outcome.error;
  throw errorFor(code, message, { ...(details && { details }), retry, cause });
}

/** What a key has a day bounds what it has ordered as well. */
async function takeQuota(
  parts: Parts,
  caller: Caller,
  cost: Required<Pick<Cost, "tool" | "isFree">>,
): Promise<Extract<QuotaTake, { type: "taken" }>> {
  const contract = parts.manifest.tools.find(({ name }) => name === cost.tool);
  const named = { ...cost, costEffect: contract?.costEffect ?? "none" };
  const taken = await takeOfKey(parts, caller, named);
  if (taken.type === "used_up") throw usedUp(named, taken);
  return taken;
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
