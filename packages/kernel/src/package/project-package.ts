import type {
  ContractTool,
  Digest,
  JsonObject,
  ReservedCapability,
  RuntimePackage,
} from "@spfunctions/contracts";
import { activeOf, policyRefsOf } from "./derive-routes.ts";

/** A tool as a model is shown it: the same capability, and the same policies, as those of the route that a call of it takes. */
export type ProjectedTool = {
  readonly capabilityId: string;
  readonly canonicalToolName: string;
  readonly compatName: string;
  readonly description: string;
  readonly input: JsonObject;
  readonly policyRefs: readonly Digest[];
};

/** Everything of a package that a model may be shown, sorted by name. What is reserved is not among it. */
export function projectPackage({ capabilities, policies }: RuntimePackage): ProjectedTool[] {
  const policyRefs = policyRefsOf(policies);
  return activeOf(capabilities)
    .filter(({ contract }) => isProjected(contract))
    .map(({ capabilityId, contract: { name, compatName, description, input } }) => ({
      capabilityId,
      canonicalToolName: name,
      compatName,
      description,
      input,
      policyRefs,
    }));
}

/** What a model drives never trades live, under any policy: it is not offered. */
export function isProjected({ agent, sideEffect }: ContractTool): boolean {
  return agent.callable && sideEffect !== "live_trade";
}

/** What a package keeps for somebody, and for whom. */
export function reservedOf({ capabilities }: Pick<RuntimePackage, "capabilities">): ReservedCapability[] {
  return capabilities.filter((capability) => capability.type === "reserved");
}
