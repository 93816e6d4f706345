import {
  type ContextHandoffPolicy,
  type ErrorCode,
  policyDigest,
  type SubagentToolPolicy,
} from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { levelsOf } from "../../test-data/judge-samples.ts";
import { allTools, packageWith } from "../../test-data/package-samples.ts";
import { searchTool } from "../run/model/search-tool.ts";
import { applyPackageDelta } from "../package/apply-package-delta.ts";
import {
  buildChildRuntimePackage,
  childPackageId,
  type ChildRequest,
  stripManifestDigest,
  stripRecursiveDefaults,
} from "./build-child-package.ts";
import type { GivenPackage } from "../package/build-runtime-package.ts";
import { parseRuntimePackage } from "../package/seal-package.ts";

const createdAt = "2026-01-02T04:00:00.000Z";
const parent = packageWith();
const build = (request: Partial<ChildRequest> = {}, of = parent) =>
  buildChildRuntimePackage(of, { childAgentId: "researcher", createdAt, ...request });
const namesIn = ({ package: child }: ReturnType<typeof build>) =>
  child.toolRoutes.map(({ canonicalToolName }) => canonicalToolName);
const policyRef = { kind: "handoff", ref: "policy.handoff.research" } as const;

describe("a child's package", () => {
  // proves CHILD-7.15, CHILD-7.16, CHILD-8.6, CHILD-8.7, CHILD-9.6, CHILD-11.3, CHILD-12.1, CHILD-12.2, CHILD-12.3, CHILD-12.5, CHILD-12.6
  // proves CHILD-12.7, CHILD-12.8, CHILD-12.9, CHILD-12.10, CHILD-14.7, CHILD-14.8, CHILD-14.9, CHILD-14.10, CHILD-14.14, CHILD-14.15
  // proves CHILD-14.16, CHILD-14.17, CHILD-14.18, CHILD-14.19, CHILD-14.20, CHILD-14.21, CHILD-14.22, CHILD-14.23, CHILD-14.24, CHILD-14.25
  // proves CHILD-14.26, CHILD-14.27, CHILD-14.28, CHILD-14.29, CHILD-14.30, CHILD-14.36, CHILD-15.1, CHILD-16.2
  test("lists what it keeps and what was taken away, and its own digest binds that", () => {
    const child = build();
    expect(child.stripManifest).toStrictEqual({
      parentPackageFingerprint: parent.fingerprint,
      childAgentId: "researcher",
      selectedProviderRouteId: "scripted",
      handoffPolicyVariant: "none",
      toolPolicy: { type: "read_only" },
      recursiveSubagentStrip: true,
      strippedCapabilityIds: [
        "tool.keys.show",
        "tool.notes.share",
        "tool.notes.write",
        "tool.orders.place",
        "tool.research.delegate",
      ],
      retainedCapabilityIds: ["tool.notes.read"],
      lifecyclePolicyRef: { kind: "runtime_package", ref: "policy.child.parent_owned" },
      redactionPolicyRef: { kind: "redaction", ref: "policy.redaction.subagent.default" },
    });
    expect(child.package.sidecars).toContainEqual({
      ref: "sidecar.subagent.child_package_strip_manifest",
      kind: "subagent_child_package_strip_manifest",
      digest: stripManifestDigest(child.stripManifest),
      capabilityIds: [],
    });
  });

  // proves CHILD-11.1, CHILD-11.2, CHILD-13.7, CHILD-14.1, CHILD-14.3, CHILD-14.4, CHILD-14.5, CHILD-14.30, CHILD-14.34, CHILD-14.36
  // proves CHILD-15.3, CHILD-16.15
  test("is a package: of its own agent, sealed, with all policies and hooks of its parent's (B14)", () => {
    const { package: child, fingerprint, packageId } = build();
    expect(parseRuntimePackage(JSON.parse(JSON.stringify(child)))).toStrictEqual(child);
    expect([child.agentId, child.fingerprint]).toStrictEqual(["researcher", fingerprint]);
    expect([child.policies, child.hooks]).toStrictEqual([parent.policies, parent.hooks]);
    expect([child.strategy, child.outputContract]).toStrictEqual([parent.strategy, undefined]);
    expect(packageId).toMatch(/^package\.subagent\.researcher\.[0-9a-f]{16}$/);
    expect(packageId).toBe(childPackageId("researcher", parent.fingerprint));
    expect(fingerprint).not.toBe(parent.fingerprint);
  });

  // proves CHILD-9.1, CHILD-9.2, CHILD-9.3, CHILD-9.4, CHILD-9.7, CHILD-9.8, CHILD-9.9, CHILD-9.10, CHILD-9.11, CHILD-14.10, CHILD-14.11
  test("keeps the tools that its policy names, of those that its parent has", () => {
    const kept = (tools: SubagentToolPolicy) => namesIn(build({ tools }));
    expect(kept({ type: "read_only" })).toStrictEqual(["notes.read"]);
    expect(kept({ type: "no_tools" })).toStrictEqual([]);
    expect(kept({ type: "inherit_allowlist" })).toStrictEqual([
      "keys.show",
      "notes.read",
      "notes.write",
      "orders.place",
    ]);
    expect(kept({ type: "custom_allowlist", capabilityIds: ["tool.notes.write"] })).toStrictEqual([
      "notes.write",
    ]);
  });

  // proves CHILD-9.13, CHILD-14.9, CHILD-14.12, CHILD-14.13, CHILD-15.1, CHILD-15.2
  test("has nothing that starts agents, directs children, is reserved, or finds its parent's tools, whatever its policy names", () => {
    const packs = [[...allTools, searchTool(() => [])]];
    const of = packageWith({ packs });
    const capabilityIds = ["tool.notes.read", "tool.research.delegate", "tool.tools.search"];
    for (const tools of [
      { type: "inherit_allowlist" },
      { type: "custom_allowlist", capabilityIds },
    ] as const) {
      const names = namesIn(build({ tools }, of));
      for (const name of ["research.delegate", "tools.search", "notes.share"])
        expect(names).not.toContain(name);
      expect(names).toContain("notes.read");
    }
    const policy = {
      ...stripRecursiveDefaults(parent.fingerprint),
      parentControlToolIds: ["tool.notes.read"],
    };
    expect(namesIn(build({ policy }))).toStrictEqual([]);
    expect(stripRecursiveDefaults(parent.fingerprint).parentControlToolIds).toStrictEqual([
      "tool.subagent_send_message",
      "tool.subagent_reply_to_clarification",
      "tool.subagent_ask_parent",
      "tool.subagent_read_parent_messages",
      "tool.subagent_monitor",
    ]);
  });

  // proves CHILD-14.33
  test("is judged under one level more, where something is said for the child", () => {
    const levels = levelsOf({ budget: { maxSteps: 2 } });
    const { package: child } = build({ levels });
    expect(child.policies).toStrictEqual([...parent.policies, ...levels]);
    const [route] = child.toolRoutes;
    expect(route?.policyRefs).toContain(policyDigest(child.policies));
  });

  // proves CHILD-1.4, CHILD-6.1, CHILD-6.2, CHILD-6.5, CHILD-6.6, CHILD-7.4, CHILD-7.18, CHILD-14.6, CHILD-14.18
  test("is driven by its parent's model, or by one that is allowed for it", () => {
    expect(build().package.provider).toStrictEqual(parent.provider);
    const policy = { ...stripRecursiveDefaults(parent.fingerprint), allowedRouteOverrides: ["small"] };
    const route = { type: "use_allowed_override", routeId: "small", modelId: "model-2" } as const;
    const child = build({ policy, route });
    expect(child.package.provider).toStrictEqual({ routeId: "small", model: "model-2" });
    expect(child.stripManifest.selectedProviderRouteId).toBe("small");
  });

  // proves CHILD-1.7, CHILD-14.24, CHILD-14.31
  test("keeps the sidecars of what it keeps, and of its hooks", () => {
    const refs = build().package.sidecars.map(({ ref, capabilityIds }) => [ref, capabilityIds]);
    expect(refs).toStrictEqual([
      ["limits/1", []],
      ["sidecar.subagent.child_package_strip_manifest", []],
      ["style/4", ["tool.notes.read"]],
    ]);
  });

  // proves CHILD-14.24, CHILD-14.31
  test("keeps the sidecar of a hook also where all tools that it is for were taken away", () => {
    const hooks = [{ id: "words", version: "1", point: "before_tool_call", sidecarRef: "words/2" }] as const;
    const kept = build({}, packageWith({ hooks })).package.sidecars.filter(({ ref }) => ref === "words/2");
    expect(kept.map(({ capabilityIds }) => capabilityIds)).toStrictEqual([[]]);
  });

  // proves CHILD-14.16, CHILD-14.29, CHILD-14.31
  test("of a child has a manifest of its own, over its parent's package", () => {
    const child = build({ tools: { type: "inherit_allowlist" } });
    const grandchild = build({ childAgentId: "reader" }, child.package);
    expect(grandchild.stripManifest.parentPackageFingerprint).toBe(child.fingerprint);
    expect(namesIn(grandchild)).toStrictEqual(["notes.read"]);
    const own = grandchild.package.sidecars.filter(({ ref }) => ref.startsWith("sidecar.subagent"));
    expect(own.map(({ digest }) => digest)).toStrictEqual([stripManifestDigest(grandchild.stripManifest)]);
  });
});

// proves CHILD-1.18, CHILD-3.2, CHILD-3.4, CHILD-3.6, CHILD-3.9, CHILD-5.5, CHILD-6.7, CHILD-6.8, CHILD-6.9, CHILD-7.4, CHILD-7.8
// proves CHILD-7.18, CHILD-9.12, CHILD-13.3, CHILD-13.4, CHILD-13.7
describe("no child's package is made", () => {
  const inherit = stripRecursiveDefaults(parent.fingerprint);
  const handoff = (changes: object): Partial<ChildRequest> => ({ handoff: changes as ContextHandoffPolicy });
  const summary = { type: "summary_only", summaryRef: "content_0190aaaa-x", maxTokens: 10, policyRef };
  const cases: [what: string, request: Partial<ChildRequest>, code: ErrorCode, words: RegExp][] = [
    [
      "with tools that start agents",
      { policy: { ...inherit, stripRecursiveSubagents: false as true } },
      "contract_violation",
      /recursive subagent tools/,
    ],
    [
      "with tools that its policy does not allow",
      { policy: { ...inherit, stripDisallowedTools: false as true } },
      "contract_violation",
      /denied to it/,
    ],
    [
      "under a policy that was made for another parent",
      { policy: stripRecursiveDefaults(packageWith({ agentId: "other" }).fingerprint) },
      "contract_violation",
      /another parent's package/,
    ],
    [
      "with a tool that its parent lacks",
      { tools: { type: "custom_allowlist", capabilityIds: ["tool.notes.burn"] } },
      "invalid_package",
      /tool\.notes\.burn is none of the parent's/,
    ],
    [
      "with a tool that is only reserved",
      { tools: { type: "custom_allowlist", capabilityIds: ["tool.notes.share"] } },
      "invalid_package",
      /tool\.notes\.share is none/,
    ],
    [
      "driven by a route that is not allowed",
      { route: { type: "use_allowed_override", routeId: "big", modelId: "m" } },
      "contract_violation",
      /route big/,
    ],
    [
      "driven by its parent's where that is not inherited",
      { policy: { ...inherit, inheritProviderRoute: "explicit_override_only" } },
      "contract_violation",
      /not driven by its parent's route/,
    ],
    [
      "told a summary of no tokens",
      handoff({ ...summary, maxTokens: 0 }),
      "contract_violation",
      /positive token budget/,
    ],
    [
      "told no refs",
      handoff({ type: "selected_refs", refs: [], policyRef }),
      "contract_violation",
      /at least one content ref/,
    ],
    [
      "told everything without an audit",
      handoff({ type: "full_history_with_policy", policyRef, projectionAuditRequired: false }),
      "contract_violation",
      /projection audit/,
    ],
    [
      "told something by a policy that only the host knows",
      handoff({ ...summary, policyRef: { kind: "host", ref: "x" } }),
      "contract_violation",
      /one of the host's own/,
    ],
    [
      "driven by a route that is not named",
      { route: { type: "use_allowed_override", routeId: "", modelId: "m" } },
      "missing_field",
      /\/route\/routeId is missing or empty/,
    ],
    [
      "driven by a model that is not named",
      { route: { type: "use_allowed_override", routeId: "big", modelId: "" } },
      "missing_field",
      /\/route\/modelId is missing or empty/,
    ],
    ["driven in a way that there is not", { route: { type: "any" } as never }, "invalid_package", /type/],
    [
      "with tools of a kind that there is not",
      { tools: { type: "all" } as never },
      "invalid_package",
      /type/,
    ],
    [
      "that must answer in a shape that is none",
      { outputContract: { type: "essay" } },
      "invalid_package",
      /outputContract is not a usable JSON Schema/,
    ],
    ["of no agent", { childAgentId: "" }, "invalid_package", /childAgentId/],
  ];
  test.each(cases)("%s", (_, request, code, words) => {
    const error = refusalOf(() => build(request));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(words);
  });

  // proves CHILD-13.1, CHILD-13.5
  test("of a parent that was changed by hand", () => {
    const changed = { ...parent, policies: parent.policies.slice(1) };
    expect(refusalOf(() => build({}, changed)).code).toBe("contract_violation");
  });
});

const ids = parent.capabilities.map(({ capabilityId }) => capabilityId);
const toolPolicies = fc.oneof(
  fc.constantFrom<SubagentToolPolicy>(
    { type: "inherit_allowlist" },
    { type: "read_only" },
    { type: "no_tools" },
  ),
  fc.subarray(ids).map((capabilityIds): SubagentToolPolicy => ({ type: "custom_allowlist", capabilityIds })),
);
const parents = fc.record({
  tools: fc.subarray(["notes.read", "notes.write", "orders.place", "keys.show", "research.delegate"]),
  strategy: fc.constantFrom<GivenPackage["strategy"]>(
    { type: "sequential" },
    { type: "ordered_batch", maxInFlight: 2 },
  ),
});

// proves CHILD-9.10, CHILD-14.1, CHILD-14.11, CHILD-14.12
test("S2: whatever its parent has and whatever is asked for, a child has no more, also after a delta", () => {
  fc.assert(
    fc.property(parents, toolPolicies, fc.boolean(), (given, tools, isDeep) => {
      const agentTools = given.tools.filter((name) => name === "research.delegate");
      const of = packageWith({ ...given, agentTools, sidecars: [], hooks: [] });
      const there = new Set(of.capabilities.map(({ capabilityId }) => capabilityId));
      const asked: SubagentToolPolicy =
        tools.type === "custom_allowlist"
          ? {
              ...tools,
              capabilityIds: tools.capabilityIds.filter((id) => there.has(id) && id !== "tool.notes.share"),
            }
          : tools;
      const first = build({ tools: asked }, of);
      const child = isDeep ? build({ tools: { type: "inherit_allowlist" } }, first.package) : first;
      const had = new Map(of.capabilities.map((one) => [one.capabilityId, one]));
      for (const kept of child.package.capabilities) {
        expect(kept).toStrictEqual(had.get(kept.capabilityId));
        expect([kept.type, kept.kind]).toStrictEqual(["active", "tool"]);
      }
      expect(child.package.policies.slice(0, of.policies.length)).toStrictEqual(of.policies);
      // Nothing is reserved in it, so that no delta can activate anything.
      const activate = {
        type: "activate_capability",
        capabilityId: "tool.notes.share",
        contract: allTools[2]?.contract,
      } as never;
      const delta = {
        previousFingerprint: child.fingerprint,
        reason: "more",
        createdAt,
        changes: [activate],
      };
      expect(refusalOf(() => applyPackageDelta(child.package, delta)).details?.reason).toBe("not_reserved");
    }),
  );
});
