import { readCanonicalJson } from "@spfunctions/contracts";
import type { PolicyAnswer } from "../judge/input-gates.ts";
import type { Judgement } from "../judge/judge.ts";
import type { CallNames } from "../time/ids.ts";
import type { Tool } from "../tool/define-tool.ts";
import { askPolicy, type PolicyView } from "./ask-policy.ts";
import type { CallHost } from "./call-host.ts";
import type { Unreadable } from "./payload.ts";
import { judgedForm, type PreparedInput } from "./prepare-input.ts";

/** The judgement on a call with its input. The host's own policy is asked once everything before it has passed, and not for less. */
export async function judgeInput(
  host: CallHost,
  names: Pick<CallNames, "runId" | "callId">,
  tool: Tool,
  input: PreparedInput | Unreadable,
  isApproved?: boolean,
): Promise<Judgement> {
  const { judge, origin, evaluatePreTool, clock, limits, replay, budget } = host;
  const judged = { tool: tool.contract.name, origin, input: judgedForm(input), isApproved };
  const decide = (said: { readonly preTool?: PolicyAnswer }): Judgement =>
    budget === undefined
      ? judge.judge({ ...judged, ...said })
      : budget.decide((spent) => judge.judge({ ...judged, ...said, spent }));
  // R1: nobody is asked about what is only replayed.
  if (evaluatePreTool === undefined || replay !== undefined || input.type === "unreadable") return decide({});
  const first = judge.judge({ ...judged, spent: budget?.used() });
  if (first.verdict.gate !== undefined && first.verdict.gate !== "approval") return first;
  const { name, digest, sideEffect, costEffect } = tool.contract;
  const { runId, callId } = names;
  const { text, hash } = input.recorded;
  const view: PolicyView = Object.freeze({
    runId,
    callId,
    tool: name,
    toolDigest: digest,
    sideEffect,
    costEffect,
    principal: host.principal,
    origin,
    // A copy of its own: what the policy does to it changes nothing that is judged or runs (B2).
    input: readCanonicalJson(text),
    inputHash: hash,
  });
  const preTool = await askPolicy(evaluatePreTool, view, { clock, timeoutMs: limits.policyMs });
  return decide({ preTool });
}
