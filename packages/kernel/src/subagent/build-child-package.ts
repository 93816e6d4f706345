// S2, B14: a child runs on its parent's package with things taken away and nothing added: tools are stripped, policies, rules and hooks are
// all kept, and what is said for the child comes on top as one level more.
import {
  type ActiveCapability,
  type ChildPackageStripManifest,
  type ChildRuntimePackagePolicy,
  childPackageStripManifestSchema,
  childRuntimePackagePolicySchema,
  type ContextHandoffPolicy,
  ContractViolationError,
  contextHandoffPolicySchema,
  type Digest,
  hashInput,
  hashText,
  InvalidPackageError,
  type JsonObject,
  jsonObjectSchema,
  type PackageCapability,
  type PackageFingerprint,
  type PackageSidecar,
  parseAtDoor,
  type PolicyLevel,
  type PolicyRef,
  type ProviderRoute,
  type RuntimePackage,
  type SubagentRoutePolicy,
  type SubagentToolPolicy,
  subagentRoutePolicySchema,
  subagentToolPolicySchema,
} from "@spfunctions/contracts";
import { requireOpenNames } from "../package/check-names.ts";
import { deriveRoutes } from "../package/derive-routes.ts";
import { packageFault } from "../package/package-fault.ts";
import { requireFilled } from "../package/require-filled.ts";
import { parseRuntimePackage, readDraft, sealDraft } from "../package/seal-package.ts";
import { isSearchTool } from "../run/model/search-tool.ts";
import { parentControlToolIds } from "./control-names.ts";

export type ChildRequest = {
  readonly childAgentId: string;
  /** Its parent's model unless given. */
  readonly route?: SubagentRoutePolicy | undefined;
  /** Nothing of its parent's history unless given. */
  readonly handoff?: ContextHandoffPolicy | undefined;
  /** Tools that change nothing unless given. */
  readonly tools?: SubagentToolPolicy | undefined;
  /** What is taken away from every child; {@link stripRecursiveDefaults} unless given. */
  readonly policy?: ChildRuntimePackagePolicy | undefined;
  /** What is said for this child, as `keptLevels` gives it: it is judged beside all of its parent's. */
  readonly levels?: readonly PolicyLevel[] | undefined;
  /** JSON Schema of what it must answer with; text unless given. */
  readonly outputContract?: JsonObject | undefined;
  readonly createdAt: string;
};

export type ChildRuntimePackage = {
  readonly package: RuntimePackage;
  readonly fingerprint: PackageFingerprint;
  readonly packageId: string;
  readonly stripManifest: ChildPackageStripManifest;
};

const manifestRef = "sidecar.subagent.child_package_strip_manifest";
const manifestKind = "subagent_child_package_strip_manifest";

const neededInRoute = ["routeId", "modelId"].map(
  (field) => [`route/${field}`, "a route in place of the parent's is named by its id and its model"] as const,
);

export function stripRecursiveDefaults(sourceParentPackage: PackageFingerprint): ChildRuntimePackagePolicy {
  return {
    sourceParentPackage,
    inheritProviderRoute: "inherit_parent",
    allowedRouteOverrides: [],
    stripRecursiveSubagents: true,
    stripDisallowedTools: true,
    childLifecycleBounds: { kind: "runtime_package", ref: "policy.child.parent_owned" },
    redactionPolicyRef: { kind: "redaction", ref: "policy.redaction.subagent.default" },
    parentControlToolIds: [...parentControlToolIds],
  };
}

/** The package that a child runs on, and what was taken away for it. */
export function buildChildRuntimePackage(given: RuntimePackage, request: ChildRequest): ChildRuntimePackage {
  const parent = parseRuntimePackage(given);
  const { childAgentId, levels = [], outputContract, createdAt } = request;
  const handoff = readHandoff(request.handoff ?? { type: "none" });
  const policy = readPolicy(parent, request.policy);
  const provider = routeOf(parent, policy, request.route ?? { type: "inherit_parent" });
  const tools = read(subagentToolPolicySchema, request.tools ?? { type: "read_only" }, "tools");
  requireThere(parent, tools);
  const retained = parent.capabilities.filter((one) => isRetained(one, policy, tools));
  const stripManifest = read(
    childPackageStripManifestSchema,
    {
      parentPackageFingerprint: parent.fingerprint,
      childAgentId,
      selectedProviderRouteId: provider?.routeId ?? provider?.model ?? "none",
      handoffPolicyVariant: handoff.type,
      toolPolicy: tools,
      recursiveSubagentStrip: true,
      strippedCapabilityIds: idsOf(parent.capabilities.filter((one) => !retained.includes(one))),
      retainedCapabilityIds: idsOf(retained),
      lifecyclePolicyRef: policy.childLifecycleBounds,
      redactionPolicyRef: policy.redactionPolicyRef,
    },
    "strip manifest",
  );
  const packageId = childPackageId(childAgentId, parent.fingerprint);
  const draft = readDraft({
    v: 1,
    agentId: childAgentId,
    provider,
    capabilities: retained,
    toolRoutes: [],
    policies: [...parent.policies, ...levels],
    ...(parent.rules && { rules: parent.rules }),
    hooks: parent.hooks,
    sidecars: [...sidecarsFor(parent, retained), manifestSidecar(stripManifest)],
    outputContract,
    strategy: parent.strategy,
    volatile: { createdAt, labels: { packageId } },
  });
  // What it has of its parent was looked at there.
  const own = draft.policies.slice(parent.policies.length);
  const route = provider === parent.provider ? undefined : draft.provider;
  requireOpenNames({ childAgentId, provider: route, policies: own, outputContract: draft.outputContract });
  const made = sealDraft({ ...draft, toolRoutes: deriveRoutes(draft) });
  return { package: made, fingerprint: made.fingerprint, packageId, stripManifest };
}

/** Over every field of it. */
export function stripManifestDigest(manifest: ChildPackageStripManifest): Digest {
  return hashInput(manifest);
}

/** The same for every child of this name of one package. */
export function childPackageId(childAgentId: string, parent: PackageFingerprint): string {
  return `package.subagent.${childAgentId}.${hashText(parent).slice("sha256:".length, "sha256:".length + 16)}`;
}

function readPolicy(
  { fingerprint }: RuntimePackage,
  given: ChildRuntimePackagePolicy = stripRecursiveDefaults(fingerprint),
): ChildRuntimePackagePolicy {
  const policy = read(childRuntimePackagePolicySchema, given, "policy", ContractViolationError);
  if (policy.sourceParentPackage === fingerprint) return policy;
  throw packageFault(ContractViolationError, {
    path: "/policy/sourceParentPackage",
    reason: "fingerprint_mismatch",
    message: "the child's policy was made for another parent's package; make it for this one",
  });
}

function readHandoff(given: ContextHandoffPolicy): ContextHandoffPolicy {
  const handoff = read(contextHandoffPolicySchema, given, "handoff", ContractViolationError);
  if (handoff.type !== "none") requireExplicit(handoff.policyRef, handoff.type);
  return handoff;
}

/** What only the host knows is no policy that anybody could check later. */
function requireExplicit({ kind }: PolicyRef, variant: string): void {
  if (kind !== "host") return;
  throw packageFault(ContractViolationError, {
    path: "/handoff/policyRef",
    reason: "host_policy",
    message: `the handoff ${variant} needs a policy by name, and not one of the host's own`,
  });
}

function routeOf(
  { provider }: RuntimePackage,
  { inheritProviderRoute, allowedRouteOverrides }: ChildRuntimePackagePolicy,
  given: SubagentRoutePolicy,
): ProviderRoute | undefined {
  const route = readRoute(given);
  if (route.type === "use_allowed_override") {
    const { routeId, modelId } = route;
    if (allowedRouteOverrides.includes(routeId)) return { routeId, model: modelId };
    throw packageFault(ContractViolationError, {
      path: "/route/routeId",
      reason: "route_not_allowed",
      message: `a child may not be driven by the route ${routeId}; allow it in allowedRouteOverrides, or leave it out`,
    });
  }
  if (inheritProviderRoute === "inherit_parent") return provider;
  throw packageFault(ContractViolationError, {
    path: "/route",
    reason: "route_not_inherited",
    message: "a child is not driven by its parent's route here; name one that is allowed for it",
  });
}

/** A route that is not named whole is one that is missing, and not a wrong one. */
function readRoute(given: SubagentRoutePolicy): SubagentRoutePolicy {
  const route = read(jsonObjectSchema, given, "route");
  if (route["type"] === "use_allowed_override") requireFilled({ route }, neededInRoute);
  return read(subagentRoutePolicySchema, route, "route");
}

/** What nobody has cannot be kept. */
function requireThere({ capabilities }: RuntimePackage, tools: SubagentToolPolicy): void {
  if (tools.type !== "custom_allowlist") return;
  const there = new Set(capabilities.flatMap((one) => (one.type === "active" ? one.capabilityId : [])));
  const index = tools.capabilityIds.findIndex((id) => !there.has(id));
  if (index < 0) return;
  throw packageFault(InvalidPackageError, {
    path: `/tools/capabilityIds/${index}`,
    reason: "unknown_capability",
    message: `${tools.capabilityIds[index]} is none of the parent's; a child keeps only what its parent has`,
  });
}

function isRetained(
  capability: PackageCapability,
  { parentControlToolIds: control }: ChildRuntimePackagePolicy,
  tools: SubagentToolPolicy,
): boolean {
  // What is reserved could be activated for the child alone.
  if (capability.type === "reserved" || capability.kind === "agent_as_tool") return false;
  const { capabilityId } = capability;
  // What its parent looks for tools with finds its parent's.
  if (isControl(capability, control) || isSearchTool(capability.contract)) return false;
  if (tools.type === "custom_allowlist") return tools.capabilityIds.includes(capabilityId);
  return tools.type === "inherit_allowlist" || (tools.type === "read_only" && changesNothing(capability));
}

/** By its own name, or by the one for hosts that refuse dots. Those that direct children are, whatever is listed besides. */
function isControl({ capabilityId, contract }: ActiveCapability, control: readonly string[]): boolean {
  const ids = new Set([...parentControlToolIds, ...control]);
  return ids.has(capabilityId) || ids.has(`tool.${contract.compatName}`);
}

function changesNothing({ contract: { sideEffect, capability } }: ActiveCapability): boolean {
  return sideEffect === "none" && capability === undefined;
}

function idsOf(capabilities: readonly PackageCapability[]): string[] {
  return capabilities.map(({ capabilityId }) => capabilityId).toSorted();
}

/** Those that are for nothing in particular, for a hook, or for something that is retained. */
function sidecarsFor(
  { sidecars, hooks }: RuntimePackage,
  retained: readonly PackageCapability[],
): PackageSidecar[] {
  const ids = new Set(retained.map(({ capabilityId }) => capabilityId));
  const ofHooks = new Set(hooks.map(({ sidecarRef }) => sidecarRef));
  return sidecars.flatMap((sidecar) => {
    // That of a parent who is a child is named by its own fingerprint.
    if (sidecar.ref === manifestRef) return [];
    const capabilityIds = sidecar.capabilityIds.filter((id) => ids.has(id));
    const isNeeded =
      sidecar.capabilityIds.length === 0 || capabilityIds.length > 0 || ofHooks.has(sidecar.ref);
    return isNeeded ? [{ ...sidecar, capabilityIds }] : [];
  });
}

function manifestSidecar(manifest: ChildPackageStripManifest): PackageSidecar {
  return { ref: manifestRef, kind: manifestKind, digest: stripManifestDigest(manifest), capabilityIds: [] };
}

function read<Schema extends Parameters<typeof parseAtDoor>[0]>(
  schema: Schema,
  given: unknown,
  what: string,
  Failure: Parameters<typeof parseAtDoor>[3] = InvalidPackageError,
): ReturnType<typeof parseAtDoor<Schema>> {
  return parseAtDoor(schema, given, `child package: ${what}`, Failure);
}
