import type { ApprovalOfCall } from "@spfunctions/contracts";
import { findReach, type Reached } from "../capability/reach.ts";
import type { PolicyAnswer } from "../judge/input-gates.ts";
import type { Judgement } from "../judge/judge.ts";
import type { CallNames } from "../time/ids.ts";
import type { Tool } from "../tool/define-tool.ts";
import { askPolicy } from "./ask-policy.ts";
import type { CallHost } from "./call-host.ts";
import type { Unreadable } from "./payload.ts";
import { policyViewOf } from "./policy-view.ts";
import { judgedForm, type PreparedInput } from "./prepare-input.ts";

export type JudgeTerms = {
  readonly isApproved?: boolean | undefined;
  readonly isByGrant?: boolean | undefined;
  /** The grant of a capability that the call has used up by now. */
  readonly ranBy?: string | undefined;
  /** What hooks have said against it. */
  readonly objection?: PolicyAnswer | undefined;
};

/** What an approval lifts: one that a standing grant has made stands for what a policy asks. */
export function approvedBy({ grantId }: Pick<ApprovalOfCall, "grantId">): JudgeTerms {
  return { isApproved: true, isByGrant: grantId !== undefined };
}

/** The judgement on a call with its input. The host's own policy is asked once everything before it has passed, and not for less. */
export async function judgeInput(
  host: CallHost,
  names: Pick<CallNames, "runId" | "callId">,
  tool: Tool,
  input: PreparedInput | Unreadable,
  { isApproved, isByGrant, objection, ranBy }: JudgeTerms = {},
): Promise<Judgement & { readonly reached?: Reached | undefined }> {
  const { judge, origin, evaluatePreTool, clock, limits, replay, budget, hooks } = host;
  // R1: nobody is asked about what is only replayed.
  const reached =
    replay !== undefined || input.type === "unreadable" || tool.contract.capability === undefined
      ? undefined
      : await findReach(host, names, tool.contract, input.live.value, ranBy);
  const judged = {
    tool: tool.contract.name,
    origin,
    input: judgedForm(input),
    isApproved,
    isByGrant,
    capability: reached?.finding,
  };
  const decide = (said: { readonly preTool?: PolicyAnswer }) => {
    const judgement =
      budget === undefined
        ? judge.judge({ ...judged, ...said })
        : budget.decide((spent) => judge.judge({ ...judged, ...said, spent }));
    return reached === undefined ? judgement : { ...judgement, reached };
  };
  if (replay !== undefined || input.type === "unreadable") return decide({});
  if (objection !== undefined) return decide({ preTool: objection });
  if (evaluatePreTool === undefined)
    return decide(hooks === undefined ? {} : { preTool: { outcome: "allow" } });
  const first = judge.judge({ ...judged, spent: budget?.used() });
  if (first.verdict.gate !== undefined && first.verdict.gate !== "approval") return { ...first, reached };
  const view = policyViewOf(host, names, tool, input);
  const preTool = await askPolicy(evaluatePreTool, view, { clock, timeoutMs: limits.policyMs });
  return decide({ preTool });
}
