// A1, A2: a person is asked about exactly this call, on a channel that the call cannot reach. Until they have answered nothing runs,
// no key is claimed, and whoever called is told which question it is.
import {
  type Approval,
  CancelledError,
  errorFor,
  type SimpleFunctionsError,
  type Verdict,
} from "@spfunctions/contracts";
import { approvalOfCall, approvalRequired, orderUnapproved } from "../approval/approval-errors.ts";
import type { Asked, Found } from "../approval/approvals.ts";
import { isAborted } from "../time/abort-signal.ts";
import { allowCall } from "./allow-call.ts";
import type { CallHost, CallOutcome } from "./call-host.ts";
import { claimFor } from "./claims.ts";
import { type EarlierCall, earlierCallOf } from "./executors.ts";
import { comeAgain } from "./come-again.ts";
import { describeHidden } from "./hidden-parts.ts";
import { judgeInput } from "./judge-input.ts";
import { policyViewOf } from "./policy-view.ts";
import { refusalError } from "./refusal-error.ts";
import { refuseCall, tryRefuse } from "./refuse-call.ts";
import { type AskedCall, runApproved, wantedOf } from "./run-approved.ts";
import { waitForApproval } from "./wait-for-approval.ts";

/** What becomes of a call that a person must approve. */
export async function askApproval(host: CallHost, asked: AskedCall): Promise<CallOutcome> {
  const repeated = await cameAgain(host, asked);
  if (repeated !== undefined) return repeated;
  const { call } = asked;
  const wanted = wantedOf(host, asked);
  const earlier = await earlierOf(host, asked);
  if (earlier !== undefined) return await runOrdered(host, asked, earlier);
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- again only when somebody else was first
    const found = await host.approvals.find(wanted, call.names, call.request.approvalId);
    // oxlint-disable-next-line no-await-in-loop -- see above
    const outcome = await (found.type === "approved"
      ? runFound(host, asked, found)
      : askOrRefuse(host, asked, found));
    if (outcome !== undefined) return outcome;
  }
}

/** X1: whoever comes again with a key that was used gets its answer, and nobody is asked. */
async function cameAgain(host: CallHost, asked: AskedCall): Promise<CallOutcome | undefined> {
  const { call, tool, input, verdict } = asked;
  const claim = claimFor(host, { ...call, tool, input });
  const standing = claim && (await host.store.claim(claim, host.clock.now()));
  if (standing === undefined) return undefined;
  const allowed = allowCall(host, call, tool, input, verdict);
  return await comeAgain(host, allowed, claim, {
    type: "conflict",
    on: "claim",
    key: standing,
    claim: standing,
  });
}

async function earlierOf(
  { principal }: CallHost,
  { call: { request }, tool, input }: AskedCall,
): Promise<EarlierCall | undefined> {
  const { idempotencyKey } = request;
  if (idempotencyKey === undefined) return undefined;
  return await earlierCallOf(tool, input.live.value, { principal, idempotencyKey });
}

/** Nobody is asked about a call that was ordered: whoever ordered it is not there to come again with it. */
async function runOrdered(host: CallHost, asked: AskedCall, earlier: EarlierCall): Promise<CallOutcome> {
  const { call, tool, input, verdict } = asked;
  const { approvals } = host;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- again only when somebody else was first
    const found = await approvals.findOrdered(wantedOf(host, asked), call.names, earlier);
    if (found.type !== "approved") {
      const { name } = tool.contract;
      const error =
        found.type === "refused" ? withVerdict(found.error, verdict) : orderUnapproved(name, verdict);
      // oxlint-disable-next-line no-await-in-loop -- see above
      return await refuseCall(host, call, { verdict, error, tool, input });
    }
    // oxlint-disable-next-line no-await-in-loop -- see above
    const outcome = await runApproved(host, asked, found.approved, async (judgement) => {
      const error = refusalError(call.request.tool, judgement);
      return await refuseCall(host, call, { verdict: judgement.verdict, error, tool, input });
    });
    if (outcome !== undefined) return outcome;
  }
}

function withVerdict(error: SimpleFunctionsError, verdict: Verdict): SimpleFunctionsError {
  return errorFor(error.code, error.message, { details: { ...error.details, verdict } });
}

async function runFound(
  host: CallHost,
  asked: AskedCall,
  { approved }: Extract<Found, { type: "approved" }>,
): Promise<CallOutcome | undefined> {
  const { call, tool, input } = asked;
  // One that a grant stands for is written only with the intent.
  const approval =
    approved.approval.grantId === undefined
      ? ({ ...approved.approval, status: "approved" } as const)
      : undefined;
  return await runApproved(host, asked, approved, async (judgement) => {
    const { verdict, said } = judgement;
    // The host's own policy asks now, which no grant answers.
    if (verdict.outcome === "ask") return await askApproval(host, { ...asked, verdict, said });
    const error = refusalError(call.request.tool, judgement);
    return await refuseCall(host, call, { verdict, error, tool, input, approval });
  });
}

async function askOrRefuse(
  host: CallHost,
  asked: AskedCall,
  found: Exclude<Found, { type: "approved" }>,
): Promise<CallOutcome | undefined> {
  const { call, tool, input, verdict } = asked;
  if (found.type === "refused") {
    const { error, approval } = found;
    return await refuseCall(host, call, { verdict, error, tool, input, approval });
  }
  const question =
    found.type === "pending" ? { approval: found.approval, writes: [] } : await ask(host, asked);
  const objection = found.type === "pending" ? undefined : await objectionTo(host, asked, question.approval);
  if (objection !== undefined) return await refuseCall(host, call, { ...objection, tool, input });
  if ((call.request.asking ?? host.asking) === "wait")
    return await waitForApproval(host, asked, question.approval, question.writes);
  const approval = approvalOfCall(question.approval);
  const error = approvalRequired(question.approval, verdict);
  const documents = question.writes.length === 0 ? undefined : question.writes;
  return await tryRefuse(host, call, {
    verdict,
    error,
    tool,
    input,
    approval,
    why: question.approval.reason,
    documents,
  });
}

/** Nobody is asked about what a hook objects to, nor about what was stopped meanwhile. */
async function objectionTo(
  host: CallHost,
  { call: { names, request }, tool, input, verdict }: AskedCall,
  { approvalId, reason, expiresAt }: Approval,
): Promise<{ readonly verdict: Verdict; readonly error: SimpleFunctionsError } | undefined> {
  if (host.hooks === undefined) return undefined;
  const view = { ...policyViewOf(host, names, tool, input), approvalId, reason, expiresAt };
  const objection = await host.hooks.objectionToAsking(view, request.signal);
  if (isAborted(request.signal))
    return {
      verdict,
      error: new CancelledError(`${request.tool}: cancelled before anybody was asked; nothing has happened`),
    };
  if (objection === undefined) return undefined;
  const judgement = await judgeInput(host, names, tool, input, { objection });
  return { verdict: judgement.verdict, error: refusalError(request.tool, judgement) };
}

async function ask(host: CallHost, asked: AskedCall): Promise<Asked> {
  const { approvals, judge, limits } = host;
  const { call, verdict, said } = asked;
  const wanted = wantedOf(host, asked);
  const { hidden = [] } = wanted;
  const why = said === undefined ? verdict.reason : `${verdict.reason}: ${said}`;
  // What stops a call at the gate of hidden parts names them already.
  const isNamed = hidden.length === 0 || verdict.gate === "approval";
  const reason = isNamed ? why : `${why}; nobody is shown ${describeHidden(hidden)}`;
  const { ttlMs = limits.approvalMs, approvers } = judge.approvals;
  const isReturned = (call.request.asking ?? host.asking) !== "wait";
  const terms = { ttlMs, approvers, reason, readBefore: call.readBefore };
  return await approvals.ask(wanted, call.names, terms, isReturned);
}
