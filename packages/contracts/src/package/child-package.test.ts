import { describe, expect, test } from "vitest";
import { packageFingerprint } from "../../test-data/package-samples.ts";
import { acceptedBy, keepsItsShape } from "../../test-data/strict-record.ts";
import {
  childPackageStripManifestSchema,
  childRuntimePackagePolicySchema,
  contextHandoffPolicySchema,
  depthBudgetSchema,
  policyRefSchema,
  routeInheritanceModeSchema,
  subagentRoutePolicySchema,
  subagentToolPolicySchema,
} from "./child-package.ts";

const policyRef = { kind: "handoff", ref: "policy.handoff.research" };
const ref = "content_0190aaaa-answer";
const handoffs = [
  { type: "none" },
  { type: "summary_only", summaryRef: ref, maxTokens: 500, policyRef },
  { type: "selected_refs", refs: [ref], policyRef },
  { type: "full_history_with_policy", policyRef, projectionAuditRequired: true },
];
const toolPolicies = [
  { type: "inherit_allowlist" },
  { type: "read_only" },
  { type: "no_tools" },
  { type: "custom_allowlist", capabilityIds: ["tool.notes.read"] },
];
const refs = {
  lifecyclePolicyRef: { kind: "runtime_package", ref: "policy.child.parent_owned" },
  redactionPolicyRef: { kind: "redaction", ref: "policy.redaction.subagent.default" },
};

describe("a policy's name", () => {
  keepsItsShape("policy ref", policyRefSchema, policyRef);
});

describe("what a child is told", () => {
  test("is one of these, and nothing else", () => {
    expect(acceptedBy(contextHandoffPolicySchema, [...handoffs, { type: "everything" }, {}])).toStrictEqual(
      handoffs,
    );
  });

  for (const handoff of handoffs)
    keepsItsShape(`handoff ${handoff.type}`, contextHandoffPolicySchema, handoff);

  test("is named in the manifest by the same words", () => {
    const { options } = childPackageStripManifestSchema.shape.handoffPolicyVariant;
    expect(options).toStrictEqual(contextHandoffPolicySchema.options.map(({ shape }) => shape.type.value));
  });

  test("needs tokens for a summary, refs where they are selected, and an audit of the whole", () => {
    const [, summary, selected, full] = handoffs;
    const others = [
      { ...summary, maxTokens: 0 },
      { ...summary, maxTokens: -1 },
      { ...selected, refs: [] },
      { ...full, projectionAuditRequired: false },
      { ...summary, policyRef: undefined },
    ];
    expect(acceptedBy(contextHandoffPolicySchema, others)).toStrictEqual([]);
  });
});

describe("which model drives a child", () => {
  const override = { type: "use_allowed_override", routeId: "small", modelId: "model-2" };
  keepsItsShape("route", subagentRoutePolicySchema, override);

  test("is its parent's, or one that is named whole", () => {
    expect(routeInheritanceModeSchema.options).toStrictEqual(["inherit_parent", "explicit_override_only"]);
    const others = [
      { ...override, routeId: "" },
      { ...override, modelId: "" },
      { type: "inherit_parent", routeId: "small" },
    ];
    const good = [{ type: "inherit_parent" }, override];
    expect(acceptedBy(subagentRoutePolicySchema, [...good, ...others])).toStrictEqual(good);
  });
});

describe("which tools a child keeps", () => {
  for (const policy of toolPolicies) keepsItsShape(`tools ${policy.type}`, subagentToolPolicySchema, policy);

  test("is said in one of four ways", () => {
    const others = [
      { type: "all" },
      { type: "custom_allowlist" },
      { type: "custom_allowlist", capabilityIds: ["x y"] },
    ];
    expect(acceptedBy(subagentToolPolicySchema, [...toolPolicies, ...others])).toStrictEqual(toolPolicies);
  });
});

describe("what is taken away from every child", () => {
  const { lifecyclePolicyRef: childLifecycleBounds, redactionPolicyRef } = refs;
  const policy = {
    sourceParentPackage: packageFingerprint,
    inheritProviderRoute: "inherit_parent",
    allowedRouteOverrides: ["small"],
    stripRecursiveSubagents: true,
    stripDisallowedTools: true,
    childLifecycleBounds,
    redactionPolicyRef,
    parentControlToolIds: ["tool.subagent_monitor"],
  };
  keepsItsShape("child policy", childRuntimePackagePolicySchema, policy);

  test("is said in these types", () => {
    const wrong = {
      sourceParentPackage: [`sha256:${"f".repeat(64)}`, ""],
      inheritProviderRoute: ["inherit", ""],
      allowedRouteOverrides: ["small", [""], [1]],
      stripRecursiveSubagents: ["true", 1],
      stripDisallowedTools: ["true", 1],
      childLifecycleBounds: ["policy.child.parent_owned", { kind: "runtime_package", ref: "" }],
      redactionPolicyRef: ["policy.redaction.subagent.default", { kind: "other", ref: "x" }],
      parentControlToolIds: ["tool.subagent_monitor", ["monitor"]],
    } satisfies Record<keyof typeof policy, unknown[]>;
    const others = Object.entries(wrong).flatMap(([field, values]) =>
      values.map((value) => ({ ...policy, [field]: value })),
    );
    expect(acceptedBy(childRuntimePackagePolicySchema, others)).toStrictEqual([]);
  });

  test("cannot be switched off", () => {
    const others = [
      { ...policy, stripRecursiveSubagents: false },
      { ...policy, stripDisallowedTools: false },
    ];
    expect(acceptedBy(childRuntimePackagePolicySchema, others)).toStrictEqual([]);
  });
});

describe("what was taken away", () => {
  const manifest = {
    parentPackageFingerprint: packageFingerprint,
    childAgentId: "researcher",
    selectedProviderRouteId: "scripted",
    handoffPolicyVariant: "none",
    toolPolicy: { type: "read_only" },
    recursiveSubagentStrip: true,
    strippedCapabilityIds: ["tool.notes.write"],
    retainedCapabilityIds: ["tool.notes.read"],
    ...refs,
  };
  keepsItsShape("strip manifest", childPackageStripManifestSchema, manifest);

  test("is listed in these types", () => {
    const wrong = {
      parentPackageFingerprint: [`sha256:${"f".repeat(64)}`],
      childAgentId: ["", 1],
      selectedProviderRouteId: ["", 1],
      handoffPolicyVariant: ["everything"],
      toolPolicy: ["read_only", { type: "all" }],
      recursiveSubagentStrip: [false, "true"],
      strippedCapabilityIds: ["tool.notes.write", ["notes"]],
      retainedCapabilityIds: ["tool.notes.read", ["notes"]],
      lifecyclePolicyRef: ["policy.child.parent_owned", {}],
      redactionPolicyRef: ["policy.redaction.subagent.default", {}],
    } satisfies Record<keyof typeof manifest, unknown[]>;
    const others = Object.entries(wrong).flatMap(([field, values]) =>
      values.map((value) => ({ ...manifest, [field]: value })),
    );
    expect(acceptedBy(childPackageStripManifestSchema, others)).toStrictEqual([]);
  });
});

describe("how deep, and how many", () => {
  keepsItsShape("depth budget", depthBudgetSchema, { currentDepth: 0, maxDepth: 1, maxChildren: 1 });

  test("is counted", () => {
    const others = [
      { currentDepth: -1, maxDepth: 1, maxChildren: 1 },
      { currentDepth: 0.5, maxDepth: 1, maxChildren: 1 },
      { currentDepth: 0, maxDepth: -1, maxChildren: 1 },
      { currentDepth: 0, maxDepth: 1, maxChildren: -1 },
    ];
    expect(acceptedBy(depthBudgetSchema, others)).toStrictEqual([]);
  });
});
