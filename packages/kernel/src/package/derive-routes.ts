// A route restates nothing: whatever it says of a tool is read from the tool's contract, here and nowhere else.
import {
  type ActiveCapability,
  type ContractTool,
  type Digest,
  type PackageContent,
  type PackageRoute,
  type PolicyLevel,
  policyDigest,
} from "@spfunctions/contracts";
import { destinationOf, privacyOf, retentionOf, riskClassOf } from "./route-classes.ts";

type Routed = Pick<PackageContent, "capabilities" | "policies" | "sidecars">;

/** The routes that a package has: one for each active capability, and none for what is reserved. */
export function deriveRoutes({ capabilities, policies, sidecars }: Routed): PackageRoute[] {
  const policyRefs = policyRefsOf(policies);
  return activeOf(capabilities).map(({ capabilityId, contract }) =>
    routeOf(contract, {
      policyRefs,
      sidecarRefs: sidecars
        .filter(({ capabilityIds }) => capabilityIds.includes(capabilityId))
        .map(({ ref }) => ref)
        .toSorted(),
    }),
  );
}

export function activeOf(capabilities: PackageContent["capabilities"]): ActiveCapability[] {
  return capabilities.filter((capability) => capability.type === "active");
}

export function capabilityIdOf({ name }: Pick<ContractTool, "name">): string {
  return `tool.${name}`;
}

/** Pack and digest. A pack has no name of its own: the namespace of its tools is it. */
export function executorRefOf({ name, digest }: Pick<ContractTool, "name" | "digest">): string {
  return `${namespaceOf(name)}@${digest}`;
}

/** The digest that verdicts name, and that of each level alone. */
export function policyRefsOf(levels: readonly PolicyLevel[]): Digest[] {
  const alone = levels.map((level) => policyDigest([level]));
  return [...new Set([policyDigest(levels), ...alone])].toSorted();
}

function routeOf(
  contract: ContractTool,
  refs: Pick<PackageRoute, "policyRefs" | "sidecarRefs">,
): PackageRoute {
  const namespace = namespaceOf(contract.name);
  return {
    capabilityId: capabilityIdOf(contract),
    canonicalToolName: contract.name,
    namespace,
    source: `pack:${namespace}`,
    destination: destinationOf(contract),
    executorRef: executorRefOf(contract),
    ...refs,
    effectClass: contract.sideEffect,
    riskClass: riskClassOf(contract),
    privacy: privacyOf(contract),
    retention: retentionOf(contract),
  };
}

function namespaceOf(name: string): string {
  return name.slice(0, name.lastIndexOf("."));
}
