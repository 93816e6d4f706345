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
  /** What hooks have said against it. */
  readonly objection?: PolicyAnswer | undefined;
};

/** The judgement on a call with its input. The host's own policy is asked once everything before it has passed, and not for less. */
export async function judgeInput(
  host: CallHost,
  names: Pick<CallNames, "runId" | "callId">,
  tool: Tool,
  input: PreparedInput | Unreadable,
  { isApproved, objection }: JudgeTerms = {},
): Promise<Judgement> {
  const { judge, origin, evaluatePreTool, clock, limits, replay, budget, hooks } = host;
  const judged = { tool: tool.contract.name, origin, input: judgedForm(input), isApproved };
  const decide = (said: { readonly preTool?: PolicyAnswer }): Judgement =>
    budget === undefined
      ? judge.judge({ ...judged, ...said })
      : budget.decide((spent) => judge.judge({ ...judged, ...said, spent }));
  // R1: nobody is asked about what is only replayed.
  if (replay !== undefined || input.type === "unreadable") return decide({});
  if (objection !== undefined) return decide({ preTool: objection });
  if (evaluatePreTool === undefined)
    return decide(hooks === undefined ? {} : { preTool: { outcome: "allow" } });
  const first = judge.judge({ ...judged, spent: budget?.used() });
  if (first.verdict.gate !== undefined && first.verdict.gate !== "approval") return first;
  const view = policyViewOf(host, names, tool, input);
  const preTool = await askPolicy(evaluatePreTool, view, { clock, timeoutMs: limits.policyMs });
  return decide({ preTool });
}
