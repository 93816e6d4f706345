import { ContractViolationError, type PackageContent } from "@spfunctions/contracts";
import { packageFault } from "./package-fault.ts";

/** Hooks have one order, and a hook is configured by a sidecar that is there. */
export function checkHooks({ hooks, sidecars }: Pick<PackageContent, "hooks" | "sidecars">): void {
  const places = new Set<string>();
  const refs = new Set(sidecars.map(({ ref }) => ref));
  for (const [index, { id, point, order, sidecarRef }] of hooks.entries()) {
    const path = `/hooks/${index}`;
    const place = `${point} ${order} ${id}`;
    if (places.has(place)) {
      throw packageFault(ContractViolationError, {
        path,
        reason: "duplicate_hook",
        message: `the hook ${id} stands twice at ${point} with order ${order}; give each its own place`,
      });
    }
    places.add(place);
    if (sidecarRef !== undefined && !refs.has(sidecarRef)) {
      throw packageFault(ContractViolationError, {
        path: `${path}/sidecarRef`,
        reason: "unknown_sidecar",
        message: `the hook ${id} is configured by a sidecar that the package has not; add it`,
      });
    }
  }
}
