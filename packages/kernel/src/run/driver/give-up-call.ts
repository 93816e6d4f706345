// A call that nobody here can take on gets an end all the same: what waited is cancelled, of what ran nobody knows what became, and
// an output that a policy was to look at is given to nobody.
import { type CallId, CancelledError, type JournalRecord } from "@spfunctions/contracts";
import { endWaiting } from "../../call/wait-for-approval.ts";
import { settlePending } from "../../recovery/settle-pending.ts";
import { nameCall, uniqueOf } from "../../time/ids.ts";
import type { Tool } from "../../tool/define-tool.ts";
import { isAttached } from "../../subagent/child-states.ts";
import type { LiveRun } from "./live-run.ts";

export async function giveUpCall(live: LiveRun, callId: CallId): Promise<void> {
  const host = live.hostOf(callId);
  const { segment } = live.journal;
  const call = live.run.calls.get(callId);
  if (call === undefined) return;
  const { opening } = call;
  if (opening.kind === "call.waiting") return await endQuestion(live, opening);
  await untilChildless(live, callId);
  if (live.closing.aborted) return;
  const givenUp = opening.kind === "call.intended" ? opening.effectId : undefined;
  const asked = { ...host, evaluatePostTool, hooks: undefined };
  await settlePending(asked, segment, call, { content: live.run.content, givenUp });
}

/** A call that waits for a child ends after it: that is given up, too. */
async function untilChildless(live: LiveRun, callId: CallId): Promise<void> {
  const isWaiting = () =>
    [...live.run.shape.children.values()].some((child) => child.call === callId && isAttached(child));
  while (isWaiting() && !live.closing.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- once for each record
    await live.changed;
  }
}

/** What a policy was to look at is given to nobody. */
function evaluatePostTool() {
  return { outcome: "deny", reason: "its run was given up" } as const;
}

async function endQuestion(
  live: LiveRun,
  opening: Extract<JournalRecord, { kind: "call.waiting" }>,
): Promise<void> {
  const { callId, runId, traceId, tool: name, verdict, approval } = opening;
  const unique = uniqueOf({ callId });
  const call = {
    request: { tool: name },
    unique,
    names: { ...nameCall(unique, traceId), runId },
    watch: undefined,
  };
  const { segment } = live.journal;
  const error = new CancelledError(`${name}: cancelled while it waited; nothing has happened`);
  const waiting = { call, tool: asCalled(opening), verdict, segment, approval };
  await endWaiting(live.hostOf(callId), waiting, "cancelled", error);
}

/** For its records alone: as it was called, whether there is such a tool here or not. */
function asCalled({
  tool: name,
  toolDigest: digest,
  sideEffect,
  costEffect,
}: Extract<JournalRecord, { kind: "call.waiting" }>): Tool {
  return { contract: { name, digest, sideEffect, costEffect } } as Tool;
}
