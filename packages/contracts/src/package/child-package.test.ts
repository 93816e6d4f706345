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

// proves CHILD-7.14
describe("a policy's name", () => {
  keepsItsShape("policy ref", policyRefSchema, policyRef);
});

// proves CHILD-1.14, CHILD-1.15, CHILD-1.16, CHILD-2.4, CHILD-2.5, CHILD-2.7, CHILD-2.9, CHILD-2.10, CHILD-2.12, CHILD-2.13
describe("what a child is told", () => {
  // proves CHILD-1.12, CHILD-1.13, CHILD-2.1, CHILD-2.3, CHILD-2.8, CHILD-2.11, CHILD-3.1
  test("is one of these, and nothing else", () => {
    expect(acceptedBy(contextHandoffPolicySchema, [...handoffs, { type: "everything" }, {}])).toStrictEqual(
      handoffs,
    );
  });

  for (const handoff of handoffs)
    keepsItsShape(`handoff ${handoff.type}`, contextHandoffPolicySchema, handoff);

  // proves CHILD-1.13, CHILD-4.9
  test("is named in the manifest by the same words", () => {
    const { options } = childPackageStripManifestSchema.shape.handoffPolicyVariant;
    expect(options).toStrictEqual(contextHandoffPolicySchema.options.map(({ shape }) => shape.type.value));
  });

  // proves CHILD-2.5, CHILD-2.13, CHILD-3.2, CHILD-3.4, CHILD-3.6
  test("needs tokens for a summary, refs where they are selected, and an audit of the whole", () => {
    const [, summary, selected, full] = handoffs;
    const others = [
      { ...summary, maxTokens: 0 },
      { ...summary, maxTokens: -1 },
      { ...summary, maxTokens: 1.5 },
      { ...summary, summaryRef: "a summary" },
      { ...selected, refs: ["an answer"] },
      { ...selected, refs: [] },
      { ...full, projectionAuditRequired: false },
      { ...summary, policyRef: undefined },
    ];
    expect(acceptedBy(contextHandoffPolicySchema, others)).toStrictEqual([]);
  });
});

// proves CHILD-1.15, CHILD-1.16, CHILD-6.3, CHILD-6.4
describe("which model drives a child", () => {
  const override = { type: "use_allowed_override", routeId: "small", modelId: "model-2" };
  keepsItsShape("route", subagentRoutePolicySchema, override);

  // proves CHILD-1.12, CHILD-1.13, CHILD-5.1, CHILD-5.2, CHILD-5.3, CHILD-6.1, CHILD-6.2
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

// proves CHILD-1.15, CHILD-1.16, CHILD-9.5
describe("which tools a child keeps", () => {
  for (const policy of toolPolicies) keepsItsShape(`tools ${policy.type}`, subagentToolPolicySchema, policy);

  // proves CHILD-1.12, CHILD-1.13, CHILD-9.1, CHILD-9.2, CHILD-9.3, CHILD-9.4, CHILD-9.5
  test("is said in one of four ways", () => {
    const others = [
      { type: "all" },
      { type: "custom_allowlist" },
      { type: "custom_allowlist", capabilityIds: ["x y"] },
    ];
    expect(acceptedBy(subagentToolPolicySchema, [...toolPolicies, ...others])).toStrictEqual(toolPolicies);
  });
});

// proves CHILD-1.14, CHILD-1.15, CHILD-1.16, CHILD-7.1, CHILD-7.2, CHILD-7.3, CHILD-7.5, CHILD-7.6, CHILD-7.7, CHILD-7.9, CHILD-7.10
// proves CHILD-7.11, CHILD-7.12
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

  // proves CHILD-5.1, CHILD-7.1, CHILD-7.2, CHILD-7.3, CHILD-7.6, CHILD-7.7, CHILD-7.9, CHILD-7.10, CHILD-7.11, CHILD-7.14
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

  // proves CHILD-7.8, CHILD-13.3
  test("cannot be switched off", () => {
    const others = [
      { ...policy, stripRecursiveSubagents: false },
      { ...policy, stripDisallowedTools: false },
    ];
    expect(acceptedBy(childRuntimePackagePolicySchema, others)).toStrictEqual([]);
  });
});

// proves CHILD-1.14, CHILD-1.15, CHILD-1.16, CHILD-12.1, CHILD-12.2, CHILD-12.3, CHILD-12.4, CHILD-12.5, CHILD-12.6, CHILD-12.7, CHILD-12.8
// proves CHILD-12.9, CHILD-12.10, CHILD-12.11, CHILD-12.12
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

  // proves CHILD-12.1, CHILD-12.2, CHILD-12.3, CHILD-12.4, CHILD-12.5, CHILD-12.6, CHILD-12.7, CHILD-12.8, CHILD-12.9, CHILD-12.10
  // proves CHILD-14.21
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

// proves CHILD-1.15, CHILD-1.16, CHILD-10.1, CHILD-10.2, CHILD-10.3
describe("how deep, and how many", () => {
  keepsItsShape("depth budget", depthBudgetSchema, { currentDepth: 0, maxDepth: 1, maxChildren: 1 });

  // proves CHILD-10.1, CHILD-10.2, CHILD-10.3
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
