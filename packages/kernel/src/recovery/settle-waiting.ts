// A call that waited for a person when its process ended goes on by what they have answered, or waits on.
import { ApprovalRequiredError, canonicalJson, type SimpleFunctionsError } from "@spfunctions/contracts";
import { approvalMismatch } from "../approval/approval-errors.ts";
import type { CallHost, CallOutcome } from "../call/call-host.ts";
import { type EndingCall, endWaiting, goOn, type WaitingCall } from "../call/wait-for-approval.ts";
import type { CallState } from "../journal/fold-calls.ts";
import { textOf } from "../replay/recorded-answer.ts";
import { nameCall, uniqueOf } from "../time/ids.ts";
import type { Tool } from "../tool/define-tool.ts";
import { otherSeat, type Waiting } from "./other-seat.ts";
import { inputIn } from "./plan-recovery.ts";
import type { Content } from "./settle-held.ts";
import type { Settled, SettlingWriter, WaitsFor } from "./settled.ts";

export async function settleWaiting(
  given: CallHost,
  writer: SettlingWriter,
  call: CallState,
  { content, signal }: { readonly content: Content; readonly signal?: AbortSignal | undefined },
): Promise<Settled> {
  const opening = call.opening as Waiting;
  const { callId, tool: name, principal, approval, origin } = opening;
  const leave = (reason: string, more: Partial<Settled> = {}): Settled => ({
    callId,
    tool: name,
    outcome: "left",
    by: "nobody",
    keyId: principal.keyId,
    reason,
    ...more,
  });
  // A1, I1: it goes on as whoever asked, and as nobody else.
  if (canonicalJson(principal) !== canonicalJson(given.principal))
    return leave(`it was called by ${principal.keyId}, and goes on when that key comes again`);
  const host = { ...given, origin };
  const tool = host.registry.tools.get(name);
  if (tool === undefined) return leave("its tool is not here");
  // Nothing has happened, and nobody's yes is lost to whoever comes by with other tools or under another policy.
  const other = otherSeat(host, opening);
  if (other !== undefined && !host.approvals.isOver(approval)) return leave(other);
  const text = textOf(content.get(opening.input.ref));
  const outcome = await settle(host, opening, {
    call: callOf(opening, signal),
    tool,
    input: text === undefined ? undefined : inputIn(text),
    verdict: opening.verdict,
    segment: writer,
    approval,
  });
  const waitsFor = outcome === undefined ? approval : waitsOnFor(outcome);
  if (outcome === undefined || waitsFor !== undefined) {
    const { approvalId, expiresAt } = waitsFor ?? approval;
    const isElsewhere = waitsFor !== approval || approval.elsewhere !== undefined;
    return leave(`it waits for ${approvalId}, which an operator can answer until ${expiresAt}`, {
      waitsFor: { approvalId, expiresAt, stream: writer.stream, ...(isElsewhere && { elsewhere: name }) },
    });
  }
  const reason = outcome.type === "completed" ? {} : { reason: outcome.error.message };
  return { callId, tool: name, outcome: outcomeOf(outcome), by: "approval", ...reason };
}

async function settle(
  host: CallHost,
  opening: Waiting,
  waiting: EndingCall,
): Promise<CallOutcome | undefined> {
  const { tool, input, approval } = waiting;
  const { name, digest } = tool.contract;
  const supersede = async (error: SimpleFunctionsError) =>
    await endWaiting(host, { ...waiting, tool: asCalled(tool, opening) }, "superseded", error);
  if (opening.inputRedacted === true)
    return await supersede(askAgain(name, "its input held a secret, which is kept nowhere"));
  if (input === undefined) return await supersede(askAgain(name, "its input was erased"));
  if (digest !== opening.toolDigest)
    return await supersede(approvalMismatch({ ...approval, tool: name }, "the tool was changed since"));
  return await goOn(host, { ...waiting, input });
}

/** For its records alone: what it was called as, whatever the tool has become. */
function asCalled({ contract }: Tool, { toolDigest: digest, sideEffect, costEffect }: Waiting): Tool {
  return { contract: { ...contract, digest, sideEffect, costEffect } };
}

function askAgain(name: string, why: string): SimpleFunctionsError {
  return new ApprovalRequiredError(
    `${name}: the process ended while it waited for a person, and ${why}; make the call again, to ask once more`,
    { details: { tool: name, reason: "superseded" } },
  );
}

function callOf(opening: Waiting, signal: AbortSignal | undefined): WaitingCall["call"] {
  const unique = uniqueOf(opening);
  const { tool, idempotencyKey, timeoutMs, runId, traceId } = opening;
  const names = { ...nameCall(unique, traceId), runId };
  const request = { tool, idempotencyKey, timeoutMs, signal };
  return { request, unique, names, watch: undefined, isLeftWaiting: true };
}

/** What a call waits for that was sent, and about which a person is asked there. */
function waitsOnFor(outcome: CallOutcome): Pick<WaitsFor, "approvalId" | "expiresAt"> | undefined {
  const details = outcome.type === "refused" ? outcome.error.details : undefined;
  return details?.reason === "left_waiting"
    ? (details as Pick<WaitsFor, "approvalId" | "expiresAt">)
    : undefined;
}

function outcomeOf(outcome: CallOutcome): Settled["outcome"] {
  if (outcome.type !== "failed") return outcome.type;
  return outcome.error.code === "recovery_needed" ? "unknown" : "failed";
}
