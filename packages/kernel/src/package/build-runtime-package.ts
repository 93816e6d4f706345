import type {
  CapabilityChoice,
  HostRuleName,
  JsonObject,
  PackageHook,
  PackageSidecar,
  PolicyLevel,
  ProviderRoute,
  RuntimePackage,
  ToolExecutionStrategy,
} from "@spfunctions/contracts";
import { chooseCapabilities, type GivenTools } from "./choose-capabilities.ts";
import { requireOpenNames } from "./check-names.ts";
import { deriveRoutes } from "./derive-routes.ts";
import { readDraft, sealDraft } from "./seal-package.ts";

/** A hook as a person writes it: in phase `guard` and of order 0 unless said. */
export type GivenHook = Pick<PackageHook, "id" | "version" | "point"> & Partial<PackageHook>;

/** A sidecar as a person writes it: of no capability in particular unless said. */
export type GivenSidecar = Omit<PackageSidecar, "capabilityIds"> & Partial<PackageSidecar>;

export type GivenPackage = CapabilityChoice & {
  readonly agentId: string;
  readonly packs: GivenTools;
  /** As `keptLevels` gives them; each is judged on its own. */
  readonly levels: readonly PolicyLevel[];
  /** Without one, no model is asked. */
  readonly provider?: ProviderRoute | undefined;
  /** The host's own rules, sorted by id. */
  readonly rules?: readonly HostRuleName[] | undefined;
  readonly hooks?: readonly GivenHook[] | undefined;
  readonly sidecars?: readonly GivenSidecar[] | undefined;
  /** JSON Schema 2020-12 of what a run must answer with; text unless given. */
  readonly outputContract?: JsonObject | undefined;
  /** `sequential` unless said. */
  readonly strategy?: ToolExecutionStrategy | undefined;
  /** In ISO 8601; like the labels, no part of the fingerprint. */
  readonly createdAt: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
};

/**
 * Puts together what a run is bound to: plain data, checked as a whole, fingerprinted and frozen. Routes are read from contracts;
 * nobody states them.
 */
export function buildRuntimePackage(given: GivenPackage): RuntimePackage {
  const { packs, tools, agentTools, reserved, agentId, provider, levels, outputContract } = given;
  const {
    rules = [],
    hooks = [],
    sidecars = [],
    strategy = { type: "sequential" },
    createdAt,
    labels,
  } = given;
  const draft = readDraft({
    v: 1,
    agentId,
    provider,
    capabilities: chooseCapabilities(packs, { tools, agentTools, reserved }),
    toolRoutes: [],
    policies: levels,
    ...(rules.length > 0 && { rules }),
    hooks,
    sidecars,
    outputContract,
    strategy,
    volatile: { createdAt, labels },
  });
  // The contracts among its capabilities are those of tools, which hold none.
  requireOpenNames({ ...draft, capabilities: reserved });
  return sealDraft({ ...draft, toolRoutes: deriveRoutes(draft) });
}
