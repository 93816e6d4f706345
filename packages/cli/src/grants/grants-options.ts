import { capabilityGrantIdSchema, capabilityReach } from "@spfunctions/contracts";
import { badUsage } from "../command-line/bad-usage.ts";

/** S1: what is given in place of an id or a capability is not repeated. */
export function requireCapabilityId(text: string): void {
  if (!capabilityGrantIdSchema.safeParse(text).success)
    throw badUsage("that is no whole id of one: it is cap_ and all that follows, as sf grants ls lists it");
}

/** Whether it is the id of a question; else it is a capability. */
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
