// A call that was sent and not begun, because a person is asked about it where its tool runs. Its effect has ended, denied before it
// was executed; the call waits on for what is answered there, and is sent again under the same key.
import {
  type ApprovalOfCall,
  ApprovalDeniedError,
  ApprovalExpiredError,
  approvalIdSchema,
  ApprovalMismatchError,
  ApprovalRequiredError,
  CancelledError,
  type ErrorDetails,
  errorFor,
  type GrantId,
  isSimpleFunctionsError,
  type SimpleFunctionsError,
  timestampSchema,
} from "@spfunctions/contracts";
import { approvalMismatch } from "../approval/approval-errors.ts";
import type { CallSegment } from "../journal/account-journal.ts";
import type { Tool } from "../tool/define-tool.ts";
import { isAborted } from "../time/abort-signal.ts";
import { allowCall } from "./allow-call.ts";
import { type AnswerElsewhere, untilAnsweredElsewhere } from "./answered-elsewhere.ts";
import type { CallHost, CallOutcome } from "./call-host.ts";
import type { Allowed, Call, Idle } from "./call-in-progress.ts";
import { canBeAnswered } from "./executors.ts";
import { approvedBy, judgeInput } from "./judge-input.ts";
import type { PreparedInput } from "./prepare-input.ts";
import { refusalError } from "./refusal-error.ts";
import { refuseCall } from "./refuse-call.ts";
import { type Execution, waitsElsewhere } from "./run-once.ts";

/** A call that waits for an answer given elsewhere, and where that is on record. */
export type SentCall = {
  readonly call: Call;
  readonly tool: Tool;
  readonly input: PreparedInput;
  readonly verdict: Allowed["opening"]["verdict"];
  readonly segment: CallSegment;
  readonly approval: ApprovalOfCall;
};

/** It is sent again, or it is over. */
export type GoneOn =
  | { readonly type: "send"; readonly call: Allowed }
  | { readonly type: "over"; readonly outcome: CallOutcome };

/** A place that asks again and again is not waited for without end. */
const mostTimes = 3;

/** The question that a call is to wait for. Nothing where its caller does not wait, or could not know what for. */
export function questionElsewhere(
  host: CallHost,
  {
    request,
    tool,
    approved,
  }: Pick<Allowed, "tool"> & {
    readonly request: Pick<Allowed["request"], "asking">;
    readonly approved?: Pick<NonNullable<Allowed["approved"]>, "approval"> | undefined;
  },
  execution: Execution,
): ApprovalOfCall | undefined {
  if (execution.status !== "denied_before_execution" || !canBeAnswered(tool)) return undefined;
  if ((request.asking ?? host.asking) !== "wait") return undefined;
  const { times = 0, sentBy } = approved?.approval.elsewhere ?? { sentBy: approved?.approval.approvalId };
  const id = approvalIdSchema.safeParse(execution.error.details?.["approvalId"]);
  const end = timestampSchema.safeParse(execution.error.details?.["expiresAt"]);
  if (!id.success || !end.success || times >= mostTimes) return undefined;
  const elsewhere = { times: times + 1, ...(sentBy !== undefined && { sentBy }) };
  return { approvalId: id.data, status: "pending", expiresAt: end.data, elsewhere };
}

/** How its effect has ended, where the call itself goes on. */
export function endedWaiting(execution: Execution): Execution {
  if (execution.status === "completed") return execution;
  const { code, message, details, cause } = execution.error;
  const error = errorFor(code, message, { details: { ...details, reason: waitsElsewhere }, cause });
  return { ...execution, error };
}

/** Waits for what is answered there, unless somebody else looks after the call. */
export async function waitElsewhere(host: CallHost, sent: SentCall): Promise<GoneOn> {
  const { call, tool, approval } = sent;
  const { signal } = call.request;
  const idle: Idle = call.idle ?? (async (wait) => await wait());
  if (call.isLeftWaiting === true) return { type: "over", outcome: waitsOn(sent) };
  const answer = await idle(
    async () => await untilAnsweredElsewhere(host, tool, approval, [signal, host.closing]),
  ).catch(asFault);
  if (answer !== undefined) return await goOnBy(host, sent, answer);
  if (!isAborted(signal)) return { type: "over", outcome: waitsOn(sent) };
  const { name } = tool.contract;
  const error = new CancelledError(`${name}: cancelled while it waited; nothing has happened`);
  return await giveUp(host, sent, "cancelled", error);
}

/** What that place will not say, also when it is asked again, is an answer as well. */
export function asFault(error: unknown): SimpleFunctionsError {
  if (isSimpleFunctionsError(error)) return error;
  throw error;
}

/** What a call comes to by what was answered there. A1: that lifts nothing that this side asks for, and renews no yes of this side. */
export async function goOnBy(
  host: CallHost,
  sent: SentCall,
  answer: AnswerElsewhere | SimpleFunctionsError,
): Promise<GoneOn> {
  if (isSimpleFunctionsError(answer)) return await giveUp(host, sent, "superseded", answer);
  const { call, tool, input, segment, approval: asked } = sent;
  const { status, decidedBy } = answer;
  const error = refusalOf(tool, asked, answer);
  const approval = { ...asked, ...(decidedBy && { decidedBy }) };
  if (error !== undefined) return await giveUp(host, { ...sent, approval }, status, error);
  const own = await ownApproval(host, sent);
  if (own.type === "ended") return await giveUp(host, { ...sent, approval }, "superseded", own.error);
  // B12: what the host's own policy asks by now, a yes for the session does not answer.
  const judgement = await judgeInput(
    host,
    call.names,
    tool,
    input,
    own.type === "stands" ? approvedBy(own) : {},
  );
  const { verdict } = judgement;
  if (verdict.outcome !== "allow")
    return await giveUp(
      host,
      { ...sent, approval, verdict },
      "superseded",
      refusalError(call.request.tool, judgement),
    );
  const approved = {
    approval: { ...approval, status: "approved" as const },
    writes: [],
    until: own.type === "stands" ? own.until : Number.POSITIVE_INFINITY,
  };
  const allowed = allowCall(host, call, tool, input, verdict);
  return { type: "send", call: { ...allowed, approved, segment } };
}

/** The yes of this side that a call was sent by. B9: it has its time, also while somebody else is asked. */
type OwnApproval =
  | { readonly type: "none" }
  | { readonly type: "stands"; readonly until: number; readonly grantId?: GrantId | undefined }
  | { readonly type: "ended"; readonly error: SimpleFunctionsError };

async function ownApproval(
  { approvals, principal, clock }: CallHost,
  { call, tool, approval: { elsewhere } }: SentCall,
): Promise<OwnApproval> {
  const approvalId = elsewhere?.sentBy;
  if (approvalId === undefined) return { type: "none" };
  const { name } = tool.contract;
  const used = await approvals.endOfUsed(principal.accountId, approvalId, call.names.callId);
  if (used === undefined)
    return {
      type: "ended",
      error: approvalMismatch(
        { approvalId, tool: name },
        "it is lost, or what is kept of it was not written by this installation",
      ),
    };
  const { until } = used;
  if (clock.now() < until) return { type: "stands", ...used };
  const expiresAt = new Date(until).toISOString();
  return {
    type: "ended",
    error: new ApprovalExpiredError(
      `${name}: it was approved here until ${expiresAt} (${approvalId}), and where it would run only after that; make the call again to ask once more`,
      { details: { tool: name, approvalId, expiresAt } },
    ),
  };
}

/** Ends a call that is not sent again. */
export async function giveUp(
  host: CallHost,
  {
    call,
    segment,
    approval,
    ...sent
  }: Omit<SentCall, "input"> & { readonly input?: PreparedInput | undefined },
  status: ApprovalOfCall["status"],
  error: SimpleFunctionsError,
): Promise<Extract<GoneOn, { type: "over" }>> {
  const ended = { ...approval, status };
  return {
    type: "over",
    outcome: await refuseCall(host, call, { ...sent, error, segment, approval: ended }),
  };
}

/** Why a call is not sent again; nothing where it is. */
function refusalOf(
  { contract: { name } }: Tool,
  { approvalId, expiresAt }: ApprovalOfCall,
  { status, decidedBy, note }: AnswerElsewhere,
): SimpleFunctionsError | undefined {
  const details: ErrorDetails = { tool: name, approvalId, reason: "asked_elsewhere" };
  switch (status) {
    case "approved":
    case "approved_for_session":
    case "used":
      return undefined;
    case "denied": {
      const why = note === undefined ? "without saying why" : `and says: ${note}`;
      const who = decidedBy?.keyId ?? "an operator";
      return new ApprovalDeniedError(
        `${name}: ${who} has denied it where it would run, ${why}. Do not ask for the same again; do something else, or ask them`,
        { details },
      );
    }
    case "expired":
      return new ApprovalExpiredError(
        `${name}: where it would run nobody has approved it by ${expiresAt}, when ${approvalId} ended; make the call again to ask once more`,
        { details },
      );
    case "cancelled":
      return new CancelledError(
        `${name}: ${approvalId} was cancelled where it would run; nothing has happened`,
        {
          details,
        },
      );
    default:
      return new ApprovalMismatchError(
        `${name}: ${approvalId} is ${status} where it would run. Make the call again, to be asked anew`,
        { details },
      );
  }
}

/** What is said of a call that nobody waits for here any more. */
function waitsOn({ call, tool, approval: { approvalId, expiresAt } }: SentCall): CallOutcome {
  const { name } = tool.contract;
  const { runId } = call.names;
  const error = new ApprovalRequiredError(
    `${name}: it waits on for ${approvalId}, which an operator of the place where it runs can answer until ${expiresAt}; it goes on when the store is opened again, or with resume("${runId}")`,
    { details: { tool: name, approvalId, runId, expiresAt, reason: "left_waiting" } },
  );
  return { type: "refused", error };
}
