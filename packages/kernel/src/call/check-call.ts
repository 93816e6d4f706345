// G1: what would become of a call if it were made now. Every gate is asked, as a call asks it, and what was not asked is named. Nothing runs, nothing is written, and no
// approval or grant is used up.
import {
  approvalIdSchema,
  type Explanation,
  explanationOf,
  InvalidInputError,
  type Verdict,
} from "@spfunctions/contracts";
import type { Approved } from "../approval/approvals.ts";
import { nameCall } from "../time/ids.ts";
import type { CallHost } from "./call-host.ts";
import { approvedBy, judgeInput } from "./judge-input.ts";
import { freeze } from "./payload.ts";
import { prepareInput } from "./prepare-input.ts";
import { wantedOf } from "./run-approved.ts";

export type CheckRequest = {
  readonly tool: string;
  /** An empty object where none is given. */
  readonly input?: unknown;
  /** The approval that the call would be made with; found by what it is for otherwise. */
  readonly approvalId?: string | undefined;
};

/** What would become of a call: `allow` means that it would run, `ask` that a person would be asked first. */
export type CallCheck = Explanation & {
  /** Whether a person would be asked, or is asked already. */
  readonly asksPerson: boolean;
  /** The approval, or the standing grant, by which the call would run. */
  readonly coveredBy?: { readonly approvalId?: string; readonly grantId?: string } | undefined;
  /** The question that a person has already been asked about this call. */
  readonly pendingApprovalId?: string | undefined;
};

export async function checkCall(
  host: CallHost,
  { tool: name, input: given, approvalId }: CheckRequest,
): Promise<CallCheck> {
  if (approvalId !== undefined && !approvalIdSchema.safeParse(approvalId).success)
    throw new InvalidInputError("an approval's id begins with appr_; leave it out to have one looked for", {
      details: { path: "/approvalId", reason: "bad_request" },
    });
  const { registry, judge, origin, keyedHash, ids } = host;
  const frozen = freeze(given === undefined ? {} : given);
  const tool = registry.tools.get(name);
  const first = judge.judge({ tool: name, origin, spent: host.budget?.used() });
  if (tool === undefined || first.verdict.outcome !== "allow") return checkOf(first.verdict);
  const names = nameCall(ids.unique());
  const input = prepareInput(tool, frozen, keyedHash);
  const { verdict, said } = await judgeInput(host, names, tool, input);
  if (verdict.outcome !== "ask" || input.type === "unreadable") return checkOf(verdict, said);
  const found = await host.approvals.find(wantedOf(host, { tool, input, verdict }), names, approvalId);
  if (found.type === "refused") {
    const { code, message } = found.error;
    return { ...verdict, outcome: "deny", code, reason: message, asksPerson: false };
  }
  if (found.type === "pending")
    return { ...checkOf(verdict, said), pendingApprovalId: found.approval.approvalId };
  if (found.type === "none") return checkOf(verdict, said);
  // The approval lifts what only a person could; everything else is asked again, as it is before an approved call runs.
  const { approval } = found.approved;
  const approved = await judgeInput(host, names, tool, input, approvedBy(approval));
  const check = checkOf(approved.verdict, approved.said);
  return approved.verdict.outcome === "allow" ? { ...check, coveredBy: coverOf(approval) } : check;
}

/** What a rule says is part of the reason: nothing of a check is kept. */
function checkOf(verdict: Verdict, said?: string): CallCheck {
  const explanation = explanationOf(verdict);
  const reason = said === undefined ? explanation.reason : `${explanation.reason}: ${said}`;
  return { ...explanation, reason, asksPerson: verdict.outcome === "ask" };
}

/** Each use of a standing grant makes an approval of its own, which is not made here. */
function coverOf({ approvalId, grantId }: Approved["approval"]): CallCheck["coveredBy"] {
  return grantId === undefined ? { approvalId } : { grantId };
}
