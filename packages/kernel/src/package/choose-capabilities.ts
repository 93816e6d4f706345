import {
  type CapabilityChoice,
  type ContractManifest,
  type ContractTool,
  capabilityChoiceSchema,
  InvalidPackageError,
  isActive,
  isSimpleFunctionsError,
  keyForMessage,
  nearest,
  type PackageCapability,
  parseAtDoor,
  parseManifest,
  requireNoSecret,
} from "@spfunctions/contracts";
import type { Pack } from "../tool/make-tool.ts";
import { registryOf, type ToolRegistry } from "../tool/registry.ts";
import { capabilityIdOf } from "./derive-routes.ts";
import { packageFault } from "./package-fault.ts";

/** The tools, a registry of them, or the manifest of tools that are defined elsewhere. */
export type GivenTools = readonly Pack[] | ToolRegistry | ContractManifest;

/** What a package can do and what it keeps for later: of the tools at hand, the active ones that are chosen and not reserved. */
export function chooseCapabilities(given: GivenTools, choice: CapabilityChoice): PackageCapability[] {
  const { tools, agentTools, reserved } = parseAtDoor(
    capabilityChoiceSchema,
    choice,
    "runtime package",
    InvalidPackageError,
  );
  const owners = new Map(reserved.map(({ capabilityId, owner }) => [capabilityId, owner]));
  const free = contractsOf(given).filter(
    (contract) => isActive(contract) && !owners.has(capabilityIdOf(contract)),
  );
  requireAll(tools ?? [], "/tools", free, owners);
  const active = free.filter(({ name }) => tools === undefined || tools.includes(name));
  requireAll(agentTools, "/agentTools", active, owners);
  return [
    ...active.map(
      (contract): PackageCapability => ({
        type: "active",
        capabilityId: capabilityIdOf(contract),
        kind: agentTools.includes(contract.name) ? "agent_as_tool" : "tool",
        contract,
      }),
    ),
    ...reserved.map((one): PackageCapability => ({ type: "reserved", ...one })),
  ];
}

function contractsOf(given: GivenTools): readonly ContractTool[] {
  if (!isManifest(given)) {
    const { tools } = registryOf(given).manifest;
    // S1: also what is held only since they were defined.
    requireNoSecret(tools);
    return tools;
  }
  try {
    return parseManifest(given).tools;
  } catch (cause) {
    if (!isSimpleFunctionsError(cause)) throw cause;
    const { path = "", reason = "invalid_manifest" } = cause.details ?? {};
    throw packageFault(InvalidPackageError, { path: `/packs${path}`, reason, message: cause.message }, cause);
  }
}

function isManifest(given: GivenTools | null): given is ContractManifest {
  return typeof given === "object" && given !== null && Object.hasOwn(given, "schemaVersion");
}

function requireAll(
  names: readonly string[],
  path: string,
  contracts: readonly ContractTool[],
  owners: ReadonlyMap<string, string>,
): void {
  const known = new Set(contracts.map(({ name }) => name));
  const index = names.findIndex((name) => !known.has(name));
  const name = names[index];
  if (name === undefined) return;
  const owner = owners.get(capabilityIdOf({ name }));
  if (owner !== undefined) {
    throw packageFault(InvalidPackageError, {
      path: `${path}/${index}`,
      reason: "reserved",
      message: `${name} is reserved for ${owner}; it can be used once a delta has activated it`,
    });
  }
  const suggestions = nearest(name, known);
  const hint = suggestions.length === 0 ? "" : `; did you mean ${suggestions.join(" or ")}?`;
  throw packageFault(InvalidPackageError, {
    path: `${path}/${index}`,
    reason: "unknown_tool",
    message: `there is no active tool "${keyForMessage(name)}" to be had${hint}`,
    suggestions,
  });
}
