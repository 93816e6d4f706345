// G1: a package holds what is known and sound, or does not exist.
import {
  type ActiveCapability,
  buildKeptManifest,
  type ContractTool,
  ContractViolationError,
  InvalidPackageError,
  isActive,
  isSimpleFunctionsError,
  type PackageContent,
  type ToolDefinition,
} from "@spfunctions/contracts";
import { activeOf, capabilityIdOf } from "./derive-routes.ts";
import { packageFault } from "./package-fault.ts";

export function checkCapabilities({ capabilities }: PackageContent): void {
  const seen = new Set<string>();
  for (const [index, { capabilityId }] of capabilities.entries()) {
    if (seen.has(capabilityId)) {
      throw packageFault(ContractViolationError, {
        path: `/capabilities/${index}`,
        reason: "duplicate_name",
        message: `${capabilityId} is there twice; a canonical name stands for one tool`,
      });
    }
    seen.add(capabilityId);
  }
  for (const [index, capability] of capabilities.entries()) {
    if (capability.type === "active") checkActive(capability, `/capabilities/${index}`);
  }
  requireSoundContracts(activeOf(capabilities));
}

function checkActive({ capabilityId, contract }: ActiveCapability, path: string): void {
  if (capabilityId !== capabilityIdOf(contract)) {
    throw packageFault(ContractViolationError, {
      path,
      tool: contract.name,
      reason: "id_mismatch",
      message: `${capabilityId} holds the contract of ${contract.name}; its id is ${capabilityIdOf(contract)}`,
    });
  }
  if (!isActive(contract)) {
    throw packageFault(InvalidPackageError, {
      path,
      tool: contract.name,
      reason: "not_active",
      message: `${contract.name} is ${contract.status} and cannot be run; leave it out`,
    });
  }
}

/** Everything that a manifest promises of its contracts, and that each has the digest that it says. */
function requireSoundContracts(active: readonly ActiveCapability[]): void {
  const digests = new Map(built(active).map(({ name, digest }) => [name, digest]));
  for (const { contract } of active) {
    if (digests.get(contract.name) === contract.digest) continue;
    throw packageFault(InvalidPackageError, {
      path: "/capabilities",
      tool: contract.name,
      reason: "digest_mismatch",
      message: `the digest of ${contract.name} is not that of its contract`,
    });
  }
}

function built(active: readonly ActiveCapability[]): readonly ContractTool[] {
  try {
    return buildKeptManifest(active.map(definitionOf), "review").tools;
  } catch (cause) {
    if (!isSimpleFunctionsError(cause)) throw cause;
    const { tool, reason = "invalid_contract" } = cause.details ?? {};
    throw packageFault(
      InvalidPackageError,
      { path: "/capabilities", reason, message: cause.message, ...(tool === undefined ? {} : { tool }) },
      cause,
    );
  }
}

function definitionOf({ contract }: ActiveCapability): ToolDefinition {
  const { digest: _, ...definition } = contract;
  return definition;
}
