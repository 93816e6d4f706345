// A stream whose seals are whole can still say what cannot have happened: then it was not written by us.
import { InvalidTransitionError } from "@spfunctions/contracts";
import { type CallsState, foldCalls, isPending } from "./fold-calls.ts";
import {
  type Broken,
  type Expectations,
  type FoundRecord,
  type StreamVerification,
  type VerifiedRecord,
  verifyStream,
} from "./verify-stream.ts";

/** Looks at a whole stream and at what it says about its calls. What is broken has no calls that anybody could go on from. */
export async function verifyCalls(
  found: AsyncIterable<FoundRecord> | Iterable<FoundRecord>,
  expected: Expectations,
  seen?: (record: VerifiedRecord, calls: CallsState) => void,
): Promise<{ readonly verification: StreamVerification; readonly calls: CallsState }> {
  const calls: CallsState = new Map();
  let impossible: Broken | undefined;
  const verification = await verifyStream(found, expected, (verified) => {
    impossible ??= tryFold(calls, verified);
    seen?.(verified, calls);
  });
  if (verification.status === "ok") impossible ??= unfinished(calls);
  if (verification.status === "broken" || impossible === undefined) return { verification, calls };
  return { verification: { status: "broken", count: verification.count, broken: impossible }, calls };
}

function tryFold(calls: CallsState, verified: VerifiedRecord): Broken | undefined {
  try {
    foldCalls(calls, verified);
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidTransitionError)) throw error;
    return { seq: verified.record.seq, reason: "impossible", message: "says what cannot have happened" };
  }
}

/** Nothing is sealed before every call in it has its end. */
function unfinished(calls: CallsState): Broken | undefined {
  const pending = [...calls.values()].find(isPending);
  if (pending === undefined) return undefined;
  const message = "begins a call that has no end, and the stream is sealed all the same";
  return { seq: pending.openedAt.seq, reason: "unfinished", message };
}
