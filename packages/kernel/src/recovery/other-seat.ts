import type { JournalRecord } from "@spfunctions/contracts";
import type { CallHost } from "../call/call-host.ts";

export type Waiting = Extract<JournalRecord, { kind: "call.waiting" }>;

/** Why a call that waits cannot go on here, where it could where it was asked about. */
export function otherSeat({ registry, judge }: CallHost, opening: Waiting): string | undefined {
  const { tool: name, toolDigest, verdict, approval } = opening;
  const tool = registry.tools.get(name);
  if (tool !== undefined && tool.contract.digest !== toolDigest)
    return "its tool has another contract here than the one that a person was asked about";
  // What was asked elsewhere is judged here once more before it is sent.
  if (approval.elsewhere !== undefined || judge.policyDigest === verdict.policyDigest) return undefined;
  return "a person was asked about it under another policy than the one here";
}
