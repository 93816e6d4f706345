import { capabilityGrantIdSchema, capabilityReach } from "@spfunctions/contracts";
import { badUsage } from "../command-line/bad-usage.ts";
import { requireId } from "../command-line/require-id.ts";

export function requireCapabilityId(text: string): void {
  const kind = { prefix: "cap_", called: "grant id", listedBy: "sf grants ls" };
  requireId(text, capabilityGrantIdSchema, kind);
}

/** Whether it is the id of a question; else it is a capability. S1: what is neither is not repeated. */
export function isQuestion(text: string): boolean {
  if (text.startsWith("cap_")) {
    requireCapabilityId(text);
    return true;
  }
  if (capabilityReach(text) === undefined)
    throw badUsage(
      "that is no capability, and no id of a question: expected net, net:<host> or net:*.<host>, a host by its exact name in lower case, or cap_ and all that follows",
    );
  return false;
}
