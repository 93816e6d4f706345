import { type Digest, type HiddenPart, readCanonicalJson, type Verdict } from "@spfunctions/contracts";
import type { Wanted } from "../approval/approval-fit.ts";
import type { Approved } from "../approval/approvals.ts";
import type { CallSegment } from "../journal/account-journal.ts";
import type { Judgement } from "../judge/judge.ts";
import type { Tool } from "../tool/define-tool.ts";
import { allowCall } from "./allow-call.ts";
import type { CallHost, CallOutcome } from "./call-host.ts";
import type { Call } from "./call-in-progress.ts";
import { effectCall } from "./effect-call.ts";
import { approvedBy, judgeInput } from "./judge-input.ts";
import type { PreparedInput } from "./prepare-input.ts";

/** A call that a person must approve. */
export type AskedCall = {
  readonly call: Call;
  readonly tool: Tool;
  readonly input: PreparedInput;
  /** The one that asks for a person. */
  readonly verdict: Verdict;
  /** What a host's policy said when it asked for one. */
  readonly said?: string | undefined;
};

/** G4: the parts of a call that a person is not shown and has to be told of; none of one that changes nothing. */
function unseenOf({ contract }: Tool, { recorded }: PreparedInput): readonly HiddenPart[] {
  return contract.sideEffect === "none" ? [] : (recorded.hiddenParts?.unexplained ?? []);
}

/** What an approval must fit. */
export function wantedOf(
  { principal, sessionId, judge }: CallHost,
  { tool, input, verdict }: Pick<AskedCall, "tool" | "input" | "verdict">,
  policyDigest: Digest = judge.approvalDigest,
): Wanted {
  const { text, hash } = input.recorded;
  return {
    asker: principal,
    contract: tool.contract,
    input: readCanonicalJson(text),
    inputHash: hash,
    policyDigest,
    isRuleUnnamed: judge.approvalDigest !== judge.policyDigest,
    sessionId,
    gate: verdict.gate,
    hidden: unseenOf(tool, input),
  };
}

/**
 * Runs a call by an approval, if it is allowed now: time has passed since it was asked about. Nothing where the approval has been
 * used, or has ended, meanwhile.
 */
export async function runApproved(
  host: CallHost,
  { call, tool, input }: AskedCall,
  approved: Approved,
  otherwise: (judgement: Judgement) => Promise<CallOutcome | undefined>,
  segment?: CallSegment,
): Promise<CallOutcome | undefined> {
  const judgement = await judgeInput(host, call.names, tool, input, approvedBy(approved.approval));
  const { verdict, reached } = judgement;
  if (verdict.outcome !== "allow") return await otherwise(judgement);
  const allowed = allowCall(host, call, tool, input, verdict, reached?.use);
  return await effectCall(host, { ...allowed, approved, segment });
}
