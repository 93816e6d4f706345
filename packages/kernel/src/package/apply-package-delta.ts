// The package that a run started on stays what it was: a delta makes the next one.
import {
  ContractViolationError,
  InvalidPackageError,
  type PackageCapability,
  type PackageChange,
  type PackageContent,
  type PackageDelta,
  packageDeltaSchema,
  parseAtDoor,
  type RuntimePackage,
} from "@spfunctions/contracts";
import { requireOpenNames } from "./check-names.ts";
import { deriveRoutes } from "./derive-routes.ts";
import { contentOf } from "./fingerprint-package.ts";
import { packageFault } from "./package-fault.ts";
import { parseRuntimePackage, sealDraft } from "./seal-package.ts";

/** Makes the next package of one, checked as if it had been built so. The one given is not touched. */
export function applyPackageDelta(given: RuntimePackage, delta: PackageDelta): RuntimePackage {
  const current = parseRuntimePackage(given);
  const { previousFingerprint, createdAt, changes } = parseAtDoor(
    packageDeltaSchema,
    delta,
    "package delta",
    InvalidPackageError,
  );
  if (previousFingerprint !== current.fingerprint) {
    throw packageFault(ContractViolationError, {
      path: "/previousFingerprint",
      reason: "fingerprint_mismatch",
      message: "the delta was made for another package; make it for this one",
    });
  }
  requireOpenNames({ changes });
  const next = changes.reduce(changed, contentOf(current));
  return sealDraft({
    ...next,
    toolRoutes: deriveRoutes(next),
    volatile: { ...current.volatile, createdAt },
  });
}

function changed(content: PackageContent, change: PackageChange, index: number): PackageContent {
  if (change.type === "add_sidecar") return { ...content, sidecars: [...content.sidecars, change.sidecar] };
  const { capabilityId } = change;
  const others = content.capabilities.filter((one) => one.capabilityId !== capabilityId);
  if (change.type === "deactivate_capability") {
    requireOne(content, capabilityId, "active", index);
    return { ...content, capabilities: others };
  }
  const { kind } = requireOne(content, capabilityId, "reserved", index);
  const { contract } = change;
  return { ...content, capabilities: [...others, { type: "active", capabilityId, kind, contract }] };
}

function requireOne(
  { capabilities }: PackageContent,
  capabilityId: string,
  type: PackageCapability["type"],
  index: number,
): PackageCapability {
  const found = capabilities.find((one) => one.capabilityId === capabilityId);
  if (found?.type === type) return found;
  throw packageFault(InvalidPackageError, {
    path: `/changes/${index}/capabilityId`,
    reason: `not_${type}`,
    message: `${capabilityId} is ${found === undefined ? "not there" : found.type}, and only what is ${type} can be ${type === "active" ? "deactivated" : "activated"}`,
  });
}
