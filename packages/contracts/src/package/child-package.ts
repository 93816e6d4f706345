// S2: a child runs on less than its parent. What it keeps, what it is told and which model drives it is said before it starts.
import { z } from "zod";
import { agentIdSchema, contentRefSchema } from "../identity/ids.ts";
import { strictObject } from "../schema/strict-object.ts";
import { capabilityIdSchema } from "./package-capability.ts";
import { packageFingerprintSchema } from "./package-fingerprint.ts";

/** A policy by its kind and name. One of the host's own is known to nobody else. */
export const policyRefSchema = strictObject({
  kind: z.enum(["runtime_package", "redaction", "handoff", "host"]),
  ref: z.string().min(1).max(200),
});
export type PolicyRef = z.infer<typeof policyRefSchema>;

/** What of its parent's history a child is told: nothing unless said. */
export const contextHandoffPolicySchema = z.discriminatedUnion("type", [
  /** Nothing but its task. */
  strictObject({ type: z.literal("none") }),
  /** A summary, of so many tokens at most. */
  strictObject({
    type: z.literal("summary_only"),
    summaryRef: contentRefSchema,
    maxTokens: z.int().positive("summary handoff requires a positive token budget"),
    policyRef: policyRefSchema,
  }),
  /** The messages that are named. */
  strictObject({
    type: z.literal("selected_refs"),
    refs: z.array(contentRefSchema).min(1, "selected refs handoff requires at least one content ref"),
    policyRef: policyRefSchema,
  }),
  /** All of it, with a record of what that was. */
  strictObject({
    type: z.literal("full_history_with_policy"),
    policyRef: policyRefSchema,
    projectionAuditRequired: z.literal(true, "full history handoff requires a projection audit"),
  }),
]);
export type ContextHandoffPolicy = z.infer<typeof contextHandoffPolicySchema>;

/** `explicit_override_only`: no child is driven by its parent's model without being told so. */
export const routeInheritanceModeSchema = z.enum(["inherit_parent", "explicit_override_only"]);
export type RouteInheritanceMode = z.infer<typeof routeInheritanceModeSchema>;

/** Which model drives a child. */
export const subagentRoutePolicySchema = z.discriminatedUnion("type", [
  /** Its parent's. */
  strictObject({ type: z.literal("inherit_parent") }),
  /** Another one, where the parent's package allows it. */
  strictObject({
    type: z.literal("use_allowed_override"),
    routeId: z.string().min(1).max(128),
    modelId: z.string().min(1).max(128),
  }),
]);
export type SubagentRoutePolicy = z.infer<typeof subagentRoutePolicySchema>;

/** Which of its parent's tools a child keeps: those that change nothing, unless said. */
export const subagentToolPolicySchema = z.discriminatedUnion("type", [
  /** All that a child may have. */
  strictObject({ type: z.literal("inherit_allowlist") }),
  /** Those that change nothing. */
  strictObject({ type: z.literal("read_only") }),
  /** None. */
  strictObject({ type: z.literal("no_tools") }),
  /** Those that are named. */
  strictObject({ type: z.literal("custom_allowlist"), capabilityIds: z.array(capabilityIdSchema) }),
]);
export type SubagentToolPolicy = z.infer<typeof subagentToolPolicySchema>;

/** What is taken away from every child of one package. What takes away can be said, and not switched off. */
export const childRuntimePackagePolicySchema = strictObject({
  /** The parent's package that it was made for. */
  sourceParentPackage: packageFingerprintSchema,
  inheritProviderRoute: routeInheritanceModeSchema,
  allowedRouteOverrides: z.array(z.string().min(1).max(128)),
  stripRecursiveSubagents: z.literal(true, "recursive subagent tools are denied to every child"),
  stripDisallowedTools: z.literal(true, "tools that a child's policy does not allow are denied to it"),
  childLifecycleBounds: policyRefSchema,
  redactionPolicyRef: policyRefSchema,
  /** With these a parent directs its children: no child has one. */
  parentControlToolIds: z.array(capabilityIdSchema),
});
export type ChildRuntimePackagePolicy = z.infer<typeof childRuntimePackagePolicySchema>;

/** How deep a run stands, how deep its children may, and how many it may ever start. */
export const depthBudgetSchema = strictObject({
  currentDepth: z.int().nonnegative(),
  maxDepth: z.int().nonnegative(),
  maxChildren: z.int().nonnegative(),
});
export type DepthBudget = z.infer<typeof depthBudgetSchema>;

/** What became of every capability of the parent's. Its digest is in the child's package, so that nobody can say otherwise later. */
export const childPackageStripManifestSchema = strictObject({
  parentPackageFingerprint: packageFingerprintSchema,
  childAgentId: agentIdSchema,
  selectedProviderRouteId: z.string().min(1).max(128),
  handoffPolicyVariant: z.enum(["none", "summary_only", "selected_refs", "full_history_with_policy"]),
  toolPolicy: subagentToolPolicySchema,
  recursiveSubagentStrip: z.literal(true),
  strippedCapabilityIds: z.array(capabilityIdSchema),
  retainedCapabilityIds: z.array(capabilityIdSchema),
  lifecyclePolicyRef: policyRefSchema,
  redactionPolicyRef: policyRefSchema,
});
export type ChildPackageStripManifest = z.infer<typeof childPackageStripManifestSchema>;
