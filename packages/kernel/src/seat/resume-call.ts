// B4, B20: whoever asks for a call that waits, or has waited, gets what became of it. Nothing runs for the asking.
import { ApprovalMismatchError, type CallId, canonicalJson, NotFoundError } from "@spfunctions/contracts";
import type { CallHost, CallOutcome } from "../call/call-host.ts";
import { callWake } from "../call/call-wake.ts";
import { safeText } from "../call/safe-text.ts";
import { leftWaiting } from "../call/wait-for-approval.ts";
import { recordOf } from "../events/project-stored.ts";
import { recordsNaming } from "../events/records-naming.ts";
import { segmentsFromEnd } from "../events/segment-chain.ts";
import { type CallState, isPending } from "../journal/fold-calls.ts";
import { type CallPlace, type FoundCall, lookUpCall } from "../journal/look-up-call.ts";
import { otherSeat, type Waiting } from "../recovery/other-seat.ts";
import type { WaitsFor } from "../recovery/settled.ts";
import { recordedAnswer, recordedReceipt, rethrown } from "../replay/recorded-answer.ts";
import type { Store } from "../store/store.ts";

export type ResumeTerms = {
  readonly signal?: AbortSignal | undefined;
  /** Has a call that waits looked after. */
  readonly lookAfter: (callId: CallId, waitsFor: WaitsFor) => void;
};

export async function resumeCall(host: CallHost, runId: string, terms: ResumeTerms): Promise<CallOutcome> {
  const { store, principal, waits, clock, closing } = host;
  const place = await findCall(store, principal.accountId, runId);
  const found = place && (await lookUpCall(store, place));
  // I1: of what others have called nobody learns that it is there.
  if (place === undefined || found === undefined || !isOf(principal, found.call)) throw noSuch(runId);
  const { opening } = found.call;
  if (!isPending(found.call) || !hasWaited(found.call)) return await outcomeOf(store, found);
  if (opening.kind === "call.waiting") {
    const other = otherSeat(host, opening);
    if (other !== undefined) throw otherPlace(opening, other);
    const { approvalId, expiresAt, elsewhere } = opening.approval;
    const waitsFor = { approvalId, expiresAt, stream: place.stream, elsewhere: elsewhere && opening.tool };
    terms.lookAfter(opening.callId, waitsFor);
  }
  const end = "approval" in opening ? Date.parse(opening.approval?.expiresAt ?? "") + graceMs : Number.NaN;
  const look = async () => {
    const now = await lookUpCall(store, place);
    const isGivenUp = now?.call.status === "waiting" && clock.now() >= end;
    return now !== undefined && (isGivenUp || !isPending(now.call)) ? now : undefined;
  };
  const seen = await waits.until(callWake(place.callId), look, {
    at: end,
    every: lookAgainMs,
    signals: [terms.signal, closing],
  });
  const { call } = seen ?? found;
  return call.opening.kind === "call.waiting"
    ? leftWaiting(call.opening)
    : await outcomeOf(store, seen ?? found);
}

/** In case that nobody tells of its end. */
const lookAgainMs = 20_000;

/** So long after its question's time nobody goes on any more with a call that waits. */
const graceMs = 120_000;

/** Where the call of a run is. The newest segments are looked through first. */
async function findCall(store: Store, accountId: string, runId: string): Promise<CallPlace | undefined> {
  for await (const stream of segmentsFromEnd(store, accountId)) {
    for await (const stored of recordsNaming(store, accountId, stream, runId)) {
      const record = recordOf(stream, stored, runId);
      // What somebody has found out about it may lie in a later segment.
      if (record !== undefined && "callId" in record && "principal" in record)
        return { accountId, stream, callId: record.callId };
    }
  }
  return undefined;
}

function isOf(principal: CallHost["principal"], { opening }: CallState): boolean {
  return canonicalJson(opening.principal) === canonicalJson(principal);
}

function hasWaited({ opening }: CallState): boolean {
  return opening.kind === "call.waiting" || ("waited" in opening && opening.waited === true);
}

async function outcomeOf(store: Store, { call, contentOf }: FoundCall): Promise<CallOutcome> {
  const { opening } = call;
  if (opening.kind === "call.repeated") {
    const { of, error, tool, principal } = opening;
    if (error !== undefined) {
      const receipt = recordedReceipt(call, contentOf);
      return { type: "failed", error: rethrown(error, contentOf, { tool }), receipt };
    }
    const first = await lookUpCall(store, { ...of, accountId: principal.accountId });
    if (first !== undefined) return await outcomeOf(store, first);
  }
  const answer = recordedAnswer(call, contentOf);
  if (answer.type === "completed") return answer;
  const { error, receipt } = answer;
  return {
    type: call.status === "refused" || call.status === "waiting" ? "refused" : "failed",
    error,
    receipt,
  };
}

function otherPlace({ tool, approval: { approvalId } }: Waiting, why: string): ApprovalMismatchError {
  return new ApprovalMismatchError(
    `${tool}: ${why}; it waits on for ${approvalId}. Resume it there, or make the call here, to ask anew`,
    { details: { approvalId, tool, reason: "other_seat" } },
  );
}

function noSuch(runId: string): NotFoundError {
  return new NotFoundError(`there is no call of yours with the run ${safeText(runId, 100)} here`);
}
