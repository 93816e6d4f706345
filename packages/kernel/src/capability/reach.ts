// Gate 14, and what a tool asks again while it runs: whether a call may reach an address, and by which grant.
import {
  type Capability,
  CapabilityDeniedError,
  type CapabilityHolder,
  type ContractTool,
  type JsonValue,
  redactText,
} from "@spfunctions/contracts";
import type { CallHost } from "../call/call-host.ts";
import type { Reach } from "../call/executors.ts";
import type { Finding, Stop } from "../judge/static-gates.ts";
import type { CallNames } from "../time/ids.ts";
import type { GrantInUse } from "./capabilities.ts";
import { isTarget, type NetTarget, netTarget } from "./net-target.ts";
import { notGranted, targetOf } from "./target-of.ts";

/** What was found of a call that needs a capability. */
export type Reached = {
  readonly finding: Finding;
  readonly use?: GrantInUse | undefined;
  /** What an operator could grant. */
  readonly lacks?: Capability | undefined;
};

type Names = Pick<CallNames, "callId">;

/** Nothing where the tool needs no capability. */
export async function findReach(
  host: CallHost,
  { callId }: Names,
  contract: ContractTool,
  value: JsonValue,
  ranBy: string | undefined,
): Promise<Reached | undefined> {
  const target = targetOf(contract, value, host.capabilities.network);
  if (target === undefined) return undefined;
  if (!("url" in target)) return { finding: target };
  const use = await host.capabilities.find(target, { holder: holderOf(host), callId, ranBy });
  if (use !== undefined) return { finding: "passed", use };
  return { finding: notGranted(contract.name, target), lacks: grantableFor(target) };
}

/** Asked by a tool, before each request that it makes. */
export async function authorize(
  host: CallHost,
  { callId, tool, ranBy }: Names & { readonly tool: string; readonly ranBy: string | undefined },
  given: string,
): Promise<Reach> {
  const { capabilities } = host;
  const target = netTarget(given, capabilities.network);
  if (!isTarget(target)) throw denied(tool, target);
  const use = await capabilities.find(target, { holder: holderOf(host), callId, ranBy });
  if (use === undefined) throw denied(tool, notGranted(tool, target), grantableFor(target));
  // Which grant a redirect would use up, nobody has judged.
  if (use.write !== undefined) throw denied(tool, forOneCall(tool, use), grantableFor(target));
  const { url, host: name, port, isLocal } = target;
  return { url, host: name, port, isLocal };
}

export function holderOf({
  principal,
  tree,
  ...host
}: Pick<CallHost, "principal" | "tree" | "sessionId">): CapabilityHolder {
  const { accountId, keyId } = principal;
  // Of a run that is driven elsewhere, its credential says which it is.
  const { runId, sessionId } = tree ?? { runId: principal.runId, sessionId: host.sessionId };
  return {
    accountId,
    keyId,
    ...(sessionId !== undefined && { sessionId }),
    ...(runId !== undefined && { runId }),
  };
}

/** S1: what is hidden from an operator, too, can be granted by none. */
function grantableFor({ capability }: NetTarget): Capability | undefined {
  return capability !== undefined && redactText(capability) === capability ? capability : undefined;
}

function forOneCall(tool: string, { grant }: GrantInUse): Pick<Stop, "reason" | "remedy"> {
  return {
    reason: `${tool} is sent on to what is granted by ${grant.capability} for one call alone`,
    remedy: "an operator must grant it for longer",
  };
}

function denied(
  tool: string,
  { reason, remedy }: Pick<Stop, "reason" | "remedy">,
  lacks?: Capability,
): CapabilityDeniedError {
  return new CapabilityDeniedError(`${reason}; ${remedy}`, {
    details: { tool, reason: "not_granted", ...(lacks !== undefined && { capability: lacks }) },
  });
}
