// G1: a route that is not the one its contract gives leads nowhere.
import {
  ContractViolationError,
  canonicalJson,
  HostConfigurationNeededError,
  InvalidPackageError,
  type PackageContent,
  type PackageRoute,
} from "@spfunctions/contracts";
import { activeOf, deriveRoutes } from "./derive-routes.ts";
import { orderRoute } from "./order-package.ts";
import { packageFault } from "./package-fault.ts";
import { isProjected, reservedOf } from "./project-package.ts";

export function checkRoutes(content: PackageContent): void {
  const { toolRoutes } = content;
  requireNoneTwice(toolRoutes, "canonicalToolName", "duplicate_name");
  requireNoneTwice(toolRoutes, "executorRef", "duplicate_executor");
  const derived = new Map(deriveRoutes(content).map((route) => [route.capabilityId, route]));
  for (const [index, route] of toolRoutes.entries()) {
    const path = `/toolRoutes/${index}`;
    requireDerived(route, derived.get(route.capabilityId) ?? notExecutable(content, route, path), path);
  }
  requireEveryRoute(content);
}

function requireNoneTwice(
  routes: readonly PackageRoute[],
  field: "canonicalToolName" | "executorRef",
  reason: string,
): void {
  const taken = new Set<string>();
  for (const [index, { [field]: ref }] of routes.entries()) {
    if (taken.has(ref)) {
      throw packageFault(ContractViolationError, {
        path: `/toolRoutes/${index}/${field}`,
        reason,
        message: `two routes have the ${field} ${ref}; each route has its own`,
      });
    }
    taken.add(ref);
  }
}

function notExecutable(content: PackageContent, route: PackageRoute, path: string): never {
  const { capabilityId, canonicalToolName: tool } = route;
  const reserved = reservedOf(content).find((one) => one.capabilityId === capabilityId);
  if (reserved !== undefined) {
    throw packageFault(InvalidPackageError, {
      path,
      tool,
      reason: "reserved",
      message: `${capabilityId} is reserved for ${reserved.owner} and has no route; activate it with a delta`,
    });
  }
  throw packageFault(HostConfigurationNeededError, {
    path,
    tool,
    reason: "not_executable",
    message: `the route of ${tool} cannot be executed: the package has no ${capabilityId}; add the tool or drop the route`,
  });
}

const refs = ["executorRef", "policyRefs", "sidecarRefs"] as const;

function requireDerived(route: PackageRoute, derived: PackageRoute, path: string): void {
  const [given, expected] = [orderRoute(route), orderRoute(derived)];
  for (const field of new Set([...refs, ...(Object.keys(expected) as (keyof PackageRoute)[])])) {
    if (canonicalJson(given[field]) === canonicalJson(expected[field])) continue;
    throw packageFault(ContractViolationError, {
      path: `${path}/${field}`,
      tool: expected.canonicalToolName,
      reason: "route_mismatch",
      message: `the route of ${expected.canonicalToolName} has another ${field} than its contract and package give; routes are derived, not written`,
    });
  }
}

/** Whatever is shown to a model can be executed: both come from the same capabilities. */
function requireEveryRoute({ capabilities, toolRoutes }: PackageContent): void {
  const routed = new Set(toolRoutes.map(({ capabilityId }) => capabilityId));
  const without = activeOf(capabilities).find(({ capabilityId }) => !routed.has(capabilityId));
  if (without === undefined) return;
  const { contract } = without;
  throw packageFault(InvalidPackageError, {
    path: "/toolRoutes",
    tool: contract.name,
    reason: isProjected(contract) ? "projected_without_executor" : "no_route",
    message: `${contract.name} ${isProjected(contract) ? "is shown to a model and" : "is active and"} has no executor; add its route`,
  });
}
