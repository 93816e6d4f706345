// A call that waits for a person. What it waits with is in its record, so that it goes on after a crash as it would have without.
import {
  type Approval,
  type ApprovalOfCall,
  ApprovalRequiredError,
  CancelledError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import { approvalEnded, approvalMismatch, approvalOfCall } from "../approval/approval-errors.ts";
import { approvalWake } from "../approval/approval-wake.ts";
import type { Kept } from "../installation/proven.ts";
import type { CallSegment } from "../journal/account-journal.ts";
import { lookUpCall } from "../journal/look-up-call.ts";
import type { Judgement } from "../judge/judge.ts";
import { isOutage } from "../store/is-outage.ts";
import type { DocumentWrite, SealedRecord } from "../store/store.ts";
import { isAborted } from "../time/abort-signal.ts";
import { untilAnsweredElsewhere } from "./answered-elsewhere.ts";
import { AskedAbout } from "./asked-about.ts";
import type { CallHost, CallOutcome } from "./call-host.ts";
import type { Idle } from "./call-in-progress.ts";
import type { PreparedInput } from "./prepare-input.ts";
import { emitRecord } from "./project-events.ts";
import { refusalError } from "./refusal-error.ts";
import { refuseCall, tryRefuse } from "./refuse-call.ts";
import { type AskedCall, runApproved, wantedOf } from "./run-approved.ts";
import { sendAgain } from "./send-again.ts";
import { giveUp } from "./wait-elsewhere.ts";
import { waitingDraft } from "./waiting-draft.ts";

/** A call whose waiting is on record. */
export type WaitingCall = AskedCall & { readonly segment: CallSegment; readonly approval: ApprovalOfCall };

/** One that ends without having run; without an input where that was erased meanwhile. */
export type EndingCall = Omit<WaitingCall, "input"> & { readonly input?: PreparedInput | undefined };

/** Nothing where the question could not be put as it was meant. */
export async function waitForApproval(
  host: CallHost,
  asked: AskedCall,
  question: Approval,
  documents: readonly DocumentWrite[],
): Promise<CallOutcome | undefined> {
  const approval = approvalOfCall(question);
  const { segment, written } = await host.journal.open(
    { durability: "power", records: [waitingDraft(host, asked, approval, question.reason)], documents },
    asked.tool.contract,
  );
  if (written.type === "conflict") return undefined;
  emitRecord(asked.call.watch, written.records[0] as SealedRecord, undefined);
  return await untilAnswered(host, { ...asked, segment, approval });
}

async function untilAnswered(host: CallHost, waiting: WaitingCall): Promise<CallOutcome> {
  const { call, approval, tool } = waiting;
  const { signal } = call.request;
  const idle: Idle = call.idle ?? (async (wait) => await wait());
  const asked = new AskedAbout(host, approval.approvalId, call.names.callId);
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- until there is an answer
      const seen = await idle(async () =>
        approval.elsewhere === undefined
          ? await host.waits.until(approvalWake(approval.approvalId), async () => await asked.isAnswered(), {
              at: Date.parse(approval.expiresAt),
              rechecked: asked.rechecked,
              signals: [signal, host.closing],
            })
          : await untilAnsweredElsewhere(host, tool, approval, [signal, host.closing]),
      );
      if (seen === undefined && !isAborted(signal))
        return leftWaiting({ tool: tool.contract.name, runId: call.names.runId, approval });
      // oxlint-disable-next-line no-await-in-loop -- see above
      const outcome = await goOn(host, waiting);
      if (outcome !== undefined) return outcome;
    } catch (error) {
      // oxlint-disable-next-line no-await-in-loop -- see above
      await untilItAnswers(host, waiting, error);
    }
  }
}

/**
 * A store that does not answer for a while ends no waiting. Whether it still waits the journal says: what has begun, or ended, in
 * spite of the error, does neither once more.
 */
async function untilItAnswers(host: CallHost, waiting: WaitingCall, error: unknown): Promise<void> {
  const { approval, call } = waiting;
  for (;;) {
    const isGivenUp = isAborted(call.request.signal) || host.closing.aborted;
    if (!isOutage(error) || isGivenUp || host.approvals.isOver(approval)) throw error;
    // oxlint-disable-next-line no-await-in-loop -- until there is an answer
    await host.waits.pause(pauseMs, [call.request.signal, host.closing]);
    // oxlint-disable-next-line no-await-in-loop -- see above
    const status = await statusOf(host, waiting).catch(() => "unreadable" as const);
    if (status === "waiting") return;
    if (status !== "unreadable") throw error;
  }
}

async function statusOf({ store, principal }: CallHost, { segment, call }: WaitingCall) {
  const { accountId } = principal;
  const read = await lookUpCall(store, { accountId, stream: segment.stream, callId: call.names.callId });
  return read?.call.status;
}

const pauseMs = 1000;

/** What a waiting call comes to by its approval as it is now. Nothing while nobody has answered. */
export async function goOn(host: CallHost, waiting: WaitingCall): Promise<CallOutcome | undefined> {
  const { call, tool, segment, approval } = waiting;
  if (approval.elsewhere !== undefined) return await sendAgain(host, waiting);
  const kept = await host.approvals.read(host.principal.accountId, approval.approvalId, call.names.callId);
  if (kept === undefined) return await dropWaiting(host, waiting);
  if (isAborted(call.request.signal)) {
    const error = new CancelledError(
      `${tool.contract.name}: cancelled while it waited; nothing has happened`,
    );
    return await end(host, waiting, kept, "cancelled", error);
  }
  // What it was asked in, whatever session whoever goes on with it is in.
  const isItsOwn = kept.value.callId === call.names.callId;
  const inSession = isItsOwn ? { ...host, sessionId: kept.value.sessionId } : host;
  const found = await host.approvals.judged(kept, wantedOf(inSession, waiting), call.names);
  if (found.type === "pending") return undefined;
  if (found.type === "refused") return await end(host, waiting, kept, "superseded", found.error);
  if (found.type === "none") return await end(host, waiting, kept, "expired", approvalEnded(kept.value));
  const otherwise = async (judgement: Judgement) => {
    const { verdict } = judgement;
    const error = refusalError(call.request.tool, judgement);
    return await end(host, { ...waiting, verdict }, kept, "superseded", error);
  };
  return await runApproved(host, waiting, found.approved, otherwise, segment);
}

/** Ends a call that can never go on, and the question about it. */
export async function endWaiting(
  host: CallHost,
  waiting: EndingCall,
  status: "cancelled" | "superseded",
  error: SimpleFunctionsError,
): Promise<CallOutcome> {
  const { approvals, principal } = host;
  const { callId } = waiting.call.names;
  if (waiting.approval.elsewhere !== undefined) return (await giveUp(host, waiting, status, error)).outcome;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- again only when somebody has answered meanwhile
    const kept = await approvals.read(principal.accountId, waiting.approval.approvalId, callId);
    // oxlint-disable-next-line no-await-in-loop -- see above
    if (kept === undefined) return await dropWaiting(host, waiting);
    // B13: whoever was told no learns that, whatever else stands in the way.
    const why = kept.value.status === "denied" ? approvalEnded(kept.value) : error;
    // oxlint-disable-next-line no-await-in-loop -- see above
    const outcome = await end(host, waiting, kept, status, why);
    if (outcome !== undefined) return outcome;
  }
}

/** Ends a call whose question was lost, or is none that this installation has asked (B22): nothing runs by that. */
async function dropWaiting(
  host: CallHost,
  { call, tool, input, verdict, segment, approval }: EndingCall,
): Promise<CallOutcome> {
  const error = approvalMismatch(
    { approvalId: approval.approvalId, tool: tool.contract.name },
    "it is lost, or what is kept of it was not written by this installation",
  );
  const superseded = { ...approval, status: "superseded" } as const;
  return await refuseCall(host, call, { verdict, error, tool, input, segment, approval: superseded });
}

/** Ends the question together with the call. */
async function end(
  host: CallHost,
  waiting: EndingCall,
  kept: Kept<Approval>,
  status: "expired" | "cancelled" | "superseded",
  error: SimpleFunctionsError,
): Promise<CallOutcome | undefined> {
  const isOpen = kept.value.status === "pending" || kept.value.status === "approved";
  if (!isOpen) return await refuse(host, waiting, kept.value, error);
  const { approval, writes } = host.approvals.ended(kept, status);
  const { call, tool, input, verdict, segment } = waiting;
  const known = { verdict, error, tool, input, segment, approval: approvalOfCall(approval) };
  return await tryRefuse(host, call, { ...known, documents: writes });
}

async function refuse(
  host: CallHost,
  { call, tool, input, verdict, segment }: EndingCall,
  approval: Approval,
  error: SimpleFunctionsError,
): Promise<CallOutcome> {
  return await refuseCall(host, call, {
    verdict,
    error,
    tool,
    input: approval.erased === true ? undefined : input,
    segment,
    approval: approvalOfCall(approval),
  });
}

/** What is said of a call that waits on when nobody waits for it here any more. */
export function leftWaiting({
  tool,
  runId,
  approval: { approvalId, expiresAt },
}: {
  readonly tool: string;
  readonly runId: string;
  readonly approval: ApprovalOfCall;
}): CallOutcome {
  const error = new ApprovalRequiredError(
    `${tool}: it waits on for ${approvalId}, which an operator can answer until ${expiresAt}; it goes on when the store is opened again, or with resume("${runId}")`,
    { details: { tool, approvalId, runId, expiresAt, reason: "left_waiting" } },
  );
  return { type: "refused", error };
}
