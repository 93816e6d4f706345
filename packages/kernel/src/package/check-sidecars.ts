import { ContractViolationError, type PackageContent } from "@spfunctions/contracts";
import { packageFault } from "./package-fault.ts";

/** A sidecar's ref is its own, and the capabilities that need it are there. */
export function checkSidecars({
  sidecars,
  capabilities,
}: Pick<PackageContent, "sidecars" | "capabilities">): void {
  const refs = new Set<string>();
  const known = new Set(capabilities.map(({ capabilityId }) => capabilityId));
  for (const [index, { ref, capabilityIds }] of sidecars.entries()) {
    const path = `/sidecars/${index}`;
    if (refs.has(ref)) {
      throw packageFault(ContractViolationError, {
        path,
        reason: "duplicate_sidecar",
        message: `two sidecars have the same ref; each has its own`,
      });
    }
    refs.add(ref);
    const stranger = capabilityIds.find((id) => !known.has(id));
    if (stranger !== undefined) {
      throw packageFault(ContractViolationError, {
        path: `${path}/capabilityIds`,
        reason: "unknown_capability",
        message: `a sidecar is for ${stranger}, which the package has not; add the tool or drop the sidecar`,
      });
    }
  }
}
