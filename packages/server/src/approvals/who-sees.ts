// What of an account's approvals a caller sees. What it does not see is as missing as what never was.
import { type Approval, matchesToolPattern, type StandingGrant } from "@spfunctions/contracts";
import { type Caller, isLent } from "../identity/caller.ts";

/** An operator sees everything; any other key what it asked itself, and what it is named to approve. */
export function seesApproval(caller: Caller, { asker, tool, approvers = [] }: Approval): boolean {
  const { keyId, kind, runId } = caller.principal;
  // Of a page, what a page of its key asked, and of a run what it asked itself; and only by its name: they list nothing.
  if (isLent(caller)) return asker.keyId === keyId && asker.kind === kind && asker.runId === runId;
  return isOperatorFor(caller, tool) || asker.keyId === keyId || approvers.some((one) => one === keyId);
}

/** Whoever has it, has given it, or could have. */
export function seesGrant(caller: Caller, { tool, grantedBy, principal }: StandingGrant): boolean {
  const { keyId } = caller.principal;
  return isOperatorFor(caller, tool) || grantedBy.keyId === keyId || principal.keyId === keyId;
}

/** A key that is bounded to some tools is no operator for others. */
function isOperatorFor({ principal, policy, hearsAll }: Caller, tool: string): boolean {
  const { kind, scopes } = principal;
  if (kind !== "key" || !scopes.includes("admin")) return false;
  return hearsAll === true || policy.allowTools?.some((one) => matchesToolPattern(tool, one)) === true;
}
