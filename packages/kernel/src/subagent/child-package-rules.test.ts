// The rules that a child's package is made by: in which order they are asked, what they are where nobody says, and what is hashed.
import { createHash } from "node:crypto";
import type { ChildPackageStripManifest, ContextHandoffPolicy, PolicyRef } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { plainDigest } from "../../../contracts/test-data/samples.ts";
import { allTools, packageWith } from "../../test-data/package-samples.ts";
import { toolWith } from "../../test-data/tool-samples.ts";
import {
  buildChildRuntimePackage,
  childPackageId,
  type ChildRequest,
  stripManifestDigest,
  stripRecursiveDefaults,
} from "./build-child-package.ts";

const createdAt = "2026-01-02T04:00:00.000Z";
const parent = packageWith();
const defaults = stripRecursiveDefaults(parent.fingerprint);
const build = (request: Partial<ChildRequest> = {}, of = parent) =>
  buildChildRuntimePackage(of, { childAgentId: "researcher", createdAt, ...request });

const byName: PolicyRef = { kind: "handoff", ref: "policy.handoff.research" };
const byHost: PolicyRef = { kind: "host", ref: "policy.of.the.host" };
const otherKinds = ["handoff", "redaction", "runtime_package"] as const;
const ref = "content_0190aaaa-x" as never;
const handoffs = (policyRef: PolicyRef): Exclude<ContextHandoffPolicy, { type: "none" }>[] => [
  { type: "summary_only", summaryRef: ref, maxTokens: 10, policyRef },
  { type: "selected_refs", refs: [ref], policyRef },
  { type: "full_history_with_policy", policyRef, projectionAuditRequired: true },
];

// proves CHILD-8.1, CHILD-8.2, CHILD-8.3, CHILD-8.4, CHILD-8.5, CHILD-8.6, CHILD-8.7, CHILD-8.8, CHILD-8.9, CHILD-8.10, CHILD-8.11
// proves CHILD-8.12, CHILD-14.37
test("where nobody says what is taken away from children, it is this", () => {
  expect(defaults).toStrictEqual({
    sourceParentPackage: parent.fingerprint,
    inheritProviderRoute: "inherit_parent",
    allowedRouteOverrides: [],
    stripRecursiveSubagents: true,
    stripDisallowedTools: true,
    childLifecycleBounds: { kind: "runtime_package", ref: "policy.child.parent_owned" },
    redactionPolicyRef: { kind: "redaction", ref: "policy.redaction.subagent.default" },
    parentControlToolIds: [
      "tool.subagent_send_message",
      "tool.subagent_reply_to_clarification",
      "tool.subagent_ask_parent",
      "tool.subagent_read_parent_messages",
      "tool.subagent_monitor",
    ],
  });
  expect(build()).toStrictEqual(build({ policy: defaults }));
});

// proves CHILD-2.2, CHILD-3.1, CHILD-9.6, CHILD-14.37
test("where nobody says, a child is told nothing, keeps what changes nothing, and has its parent's model", () => {
  const said = build({
    handoff: { type: "none" },
    tools: { type: "read_only" },
    route: { type: "inherit_parent" },
  });
  expect(build()).toStrictEqual(said);
});

// proves CHILD-3.9, CHILD-6.7, CHILD-13.1, CHILD-13.2, CHILD-13.3, CHILD-13.4, CHILD-13.6
test("the parent is asked first, then what the child is told, what is taken away, whose that is, the model, and the tools", () => {
  const other = packageWith({ agentId: "other" }).fingerprint;
  const wrong = {
    parent: { ...parent, hooks: [] },
    handoff: { type: "selected_refs", refs: [], policyRef: byName } as ContextHandoffPolicy,
    recursion: { ...stripRecursiveDefaults(other), stripRecursiveSubagents: false as true },
    policy: stripRecursiveDefaults(other),
    route: { type: "use_allowed_override", routeId: "big", modelId: "m" } as const,
    tools: { type: "custom_allowlist", capabilityIds: ["tool.notes.burn"] } as const,
  };
  const { handoff, recursion, policy, route } = wrong;
  const tools = { ...wrong.tools, capabilityIds: [...wrong.tools.capabilityIds] };
  const asked: [Partial<ChildRequest>, typeof parent?][] = [
    [{ handoff, policy: recursion, route, tools }, wrong.parent],
    [{ handoff, policy: recursion, route, tools }],
    [{ policy: recursion, route, tools }],
    [{ policy, route, tools }],
    [{ route, tools }],
    [{ tools }],
  ];
  const said = asked.map(([request, of]) => {
    const { code, details } = refusalOf(() => build(request, of));
    return [code, details?.path];
  });
  expect(said).toStrictEqual([
    ["contract_violation", "/fingerprint"],
    ["contract_violation", "/refs"],
    ["contract_violation", "/stripRecursiveSubagents"],
    ["contract_violation", "/policy/sourceParentPackage"],
    ["contract_violation", "/route/routeId"],
    ["invalid_package", "/tools/capabilityIds/0"],
  ]);
});

describe("a handoff", () => {
  // proves CHILD-2.17, CHILD-3.3, CHILD-3.5, CHILD-3.7, CHILD-3.9, CHILD-7.17, CHILD-15.5
  test.each(handoffs(byHost))("$type needs a policy that others than the host know", (handoff) => {
    const { code, details, message } = refusalOf(() => build({ handoff }));
    expect([code, details?.reason]).toStrictEqual(["contract_violation", "host_policy"]);
    expect(message).toContain(`the handoff ${handoff.type} needs a policy by name`);
  });

  // proves CHILD-4.9, CHILD-7.15, CHILD-7.16, CHILD-12.4, CHILD-14.19, CHILD-15.6
  test.each(otherKinds)("goes by any other: of kind %s", (kind) => {
    const variants = handoffs({ kind, ref: "x" }).map(
      (handoff) => build({ handoff }).stripManifest.handoffPolicyVariant,
    );
    expect(variants).toStrictEqual(["summary_only", "selected_refs", "full_history_with_policy"]);
  });

  // proves CHILD-3.8
  test("is asked what it hands over before by whose policy", () => {
    const [summary, selected, full] = handoffs(byHost);
    const wrong = [
      { ...summary, maxTokens: 0 },
      { ...selected, refs: [] },
      { ...full, projectionAuditRequired: false },
    ];
    const words = wrong.map((handoff) => refusalOf(() => build({ handoff: handoff as never })).message);
    expect(words).toStrictEqual([
      expect.stringContaining("summary handoff requires a positive token budget"),
      expect.stringContaining("selected refs handoff requires at least one content ref"),
      expect.stringContaining("full history handoff requires a projection audit"),
    ]);
  });
});

// proves CHILD-7.13, CHILD-8.8, CHILD-8.9, CHILD-8.10, CHILD-8.11, CHILD-8.12, CHILD-8.13, CHILD-9.13, CHILD-14.9, CHILD-15.2
test("whatever is listed besides, no child has a tool that directs children", () => {
  const names = ["send_message", "reply_to_clarification", "ask_parent", "read_parent_messages", "monitor"];
  const control = names.map((name) => toolWith({ name: `subagent.${name}`, description: "Directs." }));
  const of = packageWith({ packs: [[...allTools, ...control]] });
  for (const listed of [[], ["tool.notes.read"]]) {
    const policy = { ...stripRecursiveDefaults(of.fingerprint), parentControlToolIds: listed };
    const { stripManifest } = build({ policy, tools: { type: "inherit_allowlist" } }, of);
    expect(stripManifest.strippedCapabilityIds).toEqual(
      expect.arrayContaining([...names.map((name) => `tool.subagent.${name}`), ...listed]),
    );
    expect(stripManifest.retainedCapabilityIds.filter((id) => id.includes("subagent"))).toStrictEqual([]);
  }
});

// proves CHILD-9.11, CHILD-14.14, CHILD-14.15
test("of a tool that is kept and of one that is not, both are listed, in the order of their names", () => {
  const { strippedCapabilityIds, retainedCapabilityIds } = build({
    tools: { type: "custom_allowlist", capabilityIds: ["tool.orders.place", "tool.notes.read"] },
  }).stripManifest;
  expect(retainedCapabilityIds).toStrictEqual(["tool.notes.read", "tool.orders.place"]);
  expect(strippedCapabilityIds).toStrictEqual([
    "tool.keys.show",
    "tool.notes.share",
    "tool.notes.write",
    "tool.research.delegate",
  ]);
});

// proves CHILD-14.2, CHILD-15.3, CHILD-15.4
test("a package's id is made of the child's name and of its parent's fingerprint, and stands beside what is fingerprinted", () => {
  const digest = createHash("sha256").update(parent.fingerprint).digest("hex");
  const id = `package.subagent.researcher.${digest.slice(0, 16)}`;
  expect(childPackageId("researcher", parent.fingerprint)).toBe(id);
  const { package: child, packageId } = build();
  expect([packageId, child.volatile.labels]).toStrictEqual([id, { packageId: id }]);
});

describe("the digest of what was taken away", () => {
  const { stripManifest } = build();

  // proves CHILD-12.13, CHILD-12.14
  test("is of its canonical text, in whatever order its fields come", () => {
    expect(stripManifestDigest(stripManifest)).toBe(plainDigest(stripManifest));
    const turned = Object.fromEntries(Object.entries(stripManifest).toReversed());
    expect(stripManifestDigest(turned as ChildPackageStripManifest)).toBe(plainDigest(stripManifest));
  });

  // proves CHILD-12.15
  test("is another where any field is", () => {
    const digests = Object.keys(stripManifest).map((field) =>
      stripManifestDigest({ ...stripManifest, [field]: "another" }),
    );
    expect(new Set([stripManifestDigest(stripManifest), ...digests]).size).toBe(11);
  });

  // proves CHILD-12.16
  test("does not exist of what cannot be written down", () => {
    const broken = { ...stripManifest, childAgentId: Number.NaN } as never;
    expect(refusalOf(() => stripManifestDigest(broken)).details).toEqual({
      path: "/childAgentId",
      reason: "not_json",
    });
  });

  // proves CHILD-11.4, CHILD-14.7, CHILD-14.20, CHILD-14.28, CHILD-14.34
  test("tells children apart that keep the same tools: their packages are not the same", () => {
    const [summary] = handoffs(byName);
    const policy = { ...defaults, redactionPolicyRef: { kind: "redaction", ref: "policy.other" } as const };
    const children = [
      build(),
      build({ handoff: summary }),
      build({ policy }),
      build({ tools: { type: "custom_allowlist", capabilityIds: ["tool.notes.read"] } }),
    ];
    expect(new Set(children.map(({ fingerprint }) => fingerprint)).size).toBe(4);
  });
});

// proves CHILD-2.15, CHILD-5.4, CHILD-6.10, CHILD-9.14, CHILD-11.4, CHILD-12.15
test("making it changes nothing, and making it again gives the same", () => {
  const before = JSON.stringify(parent);
  const request = { policy: defaults, handoff: handoffs(byName)[0], createdAt };
  expect(build(request)).toStrictEqual(build(request));
  expect(JSON.stringify(parent)).toBe(before);
});

// proves CHILD-14.32
test("a child answers in its own shape, and not in its parent's", () => {
  const outputContract = { type: "object", properties: { found: { type: "string" } } };
  expect(parent.outputContract).toBeDefined();
  expect(build().package.outputContract).toBeUndefined();
  expect(build({ outputContract }).package.outputContract).toStrictEqual(outputContract);
});
