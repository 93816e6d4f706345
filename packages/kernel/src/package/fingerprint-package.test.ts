import { type PackageContent, packageDraftSchema } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainDigest } from "../../../contracts/test-data/samples.ts";
import { levelsOf } from "../../test-data/judge-samples.ts";
import { allTools, givenPackage, packageWith, readNote } from "../../test-data/package-samples.ts";
import { toolWith } from "../../test-data/tool-samples.ts";
import { registerPacks } from "../tool/registry.ts";
import { buildRuntimePackage, type GivenPackage } from "./build-runtime-package.ts";
import { contentOf, fingerprintPackage } from "./fingerprint-package.ts";
import { parseRuntimePackage } from "./seal-package.ts";

const built = packageWith();
const content = contentOf(built);

describe("a fingerprint", () => {
  // proves CHILD-1.9
  // proves PORT-3.15
  test("is this one, today and on every machine", () => {
    expect(built.fingerprint).toBe(
      "sha256:runtime-package-canonical-v1:a6e8212dd22c171d822776e575e82e8007b5b25f3cbc58803ae3749d64219aab",
    );
    expect(packageWith().fingerprint).toBe(built.fingerprint);
  });

  test("is the digest of the canonical text of what the package says", () => {
    const digest = plainDigest(content).replace("sha256:", "sha256:runtime-package-canonical-v1:");
    expect(built.fingerprint).toBe(digest);
  });

  // proves CHILD-1.4, CHILD-1.5, CHILD-1.6, CHILD-1.7, CHILD-14.35
  // proves PORT-17.10
  test("is over everything that a package says: each part changed gives another", () => {
    const others: { [Part in keyof PackageContent]-?: unknown } = {
      v: 2,
      agentId: "agent_2",
      provider: { model: "model-1" },
      capabilities: content.capabilities.slice(1),
      toolRoutes: content.toolRoutes.slice(1),
      policies: content.policies.slice(1),
      rules: [{ id: "spending", version: "1" }],
      hooks: content.hooks.slice(1),
      sidecars: content.sidecars.slice(1),
      outputContract: { type: "string" },
      strategy: { type: "sequential" },
    };
    const parts = Object.keys(packageDraftSchema.shape).filter((part) => part !== "volatile");
    expect(Object.keys(others).toSorted()).toStrictEqual(parts.toSorted());
    const fingerprints = Object.entries(others).map(([part, other]) =>
      fingerprintPackage({ ...content, [part]: other }),
    );
    expect(new Set([built.fingerprint, ...fingerprints]).size).toBe(parts.length + 1);
  });

  const [limits, log] = givenPackage().hooks ?? [];
  test.each<[string, Partial<GivenPackage>]>([
    ["model", { provider: { routeId: "scripted", model: "model-2", maxOutputTokens: 1024 } }],
    ["adapter", { provider: { routeId: "other", model: "model-1", maxOutputTokens: 1024 } }],
    ["token limit", { provider: { routeId: "scripted", model: "model-1", maxOutputTokens: 1025 } }],
    ["policy", { levels: levelsOf({ maxSideEffect: "user_write" }, { denyTools: ["orders.*"] }) }],
    ["order of levels", { levels: levelsOf({ denyTools: ["keys.*"] }, { maxSideEffect: "user_write" }) }],
    ["strategy", { strategy: { type: "bounded_concurrent", maxInFlight: 4 } }],
    ["number in flight", { strategy: { type: "ordered_batch", maxInFlight: 5 } }],
    ["output contract", { outputContract: { type: "object" } }],
    ["hook's version", { hooks: [{ ...limits, version: "3" }, log] as GivenPackage["hooks"] }],
    ["hook's order", { hooks: [{ ...limits, order: 1 }, log] as GivenPackage["hooks"] }],
    ["hook's phase", { hooks: [{ ...limits, phase: "change" }, log] as GivenPackage["hooks"] }],
    ["hook's time", { hooks: [{ ...limits, timeoutMs: 501 }, log] as GivenPackage["hooks"] }],
    ["set of hooks", { hooks: [log] as GivenPackage["hooks"] }],
    ["owner of a reserve", { reserved: [{ capabilityId: "tool.notes.share", owner: "others" }] }],
    ["kind of a tool", { agentTools: [] }],
    [
      "executor",
      {
        packs: registerPacks([
          ...allTools.filter((tool) => tool !== readNote),
          toolWith({ access: { anonymousAllowed: true }, authRequired: false, description: "Reads." }),
        ]),
      },
    ],
    [
      "schema of a tool",
      {
        packs: registerPacks([
          ...allTools.filter((tool) => tool !== readNote),
          toolWith({
            access: { anonymousAllowed: true },
            authRequired: false,
            input: { type: "object", maxProperties: 1 },
          }),
        ]),
      },
    ],
  ])("changes with another %s", (_what, changes) => {
    expect(packageWith(changes).fingerprint).not.toBe(built.fingerprint);
  });

  test("does not change with what is volatile", () => {
    const other = packageWith({ createdAt: "2031-01-01T00:00:00.000Z", labels: { ticket: "OPS-8", a: "b" } });
    expect(other.fingerprint).toBe(built.fingerprint);
    expect(other).not.toStrictEqual(built);
  });

  test("does not tell what is left out from what is said as its default", () => {
    const { agentId, packs, levels, createdAt } = givenPackage();
    const little = { agentId, packs, levels, createdAt };
    const hook = { id: "a", version: "1", point: "on_stop" } as const;
    const said = buildRuntimePackage({
      ...little,
      agentTools: [],
      reserved: [],
      hooks: [{ ...hook, phase: "guard", order: 0 }],
      sidecars: [],
      strategy: { type: "sequential" },
      labels: {},
    });
    expect(buildRuntimePackage({ ...little, hooks: [hook] })).toStrictEqual(said);
  });
});

const shuffled = <Item>(items: readonly Item[]) =>
  fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });

describe("the order of a set says nothing (a shuffled package is the same one):", () => {
  const given = givenPackage();

  test("tools, hooks, sidecars, what they are for, and what is reserved, as they are given", () => {
    const reserved = [
      { capabilityId: "tool.notes.share", owner: "the notes team" },
      { capabilityId: "tool.notes.print", owner: "the press" },
    ];
    const expected = packageWith({ reserved });
    fc.assert(
      fc.property(
        shuffled(allTools),
        shuffled(given.hooks ?? []),
        shuffled(given.sidecars ?? []),
        shuffled(reserved),
        shuffled(["tool.notes.read", "tool.notes.write"]),
        (tools, hooks, sidecars, reserves, capabilityIds) => {
          const turned = sidecars.map((sidecar) =>
            sidecar.ref === "style/4" ? { ...sidecar, capabilityIds } : sidecar,
          );
          const changes = { packs: registerPacks(tools), hooks, sidecars: turned, reserved: reserves };
          expect(packageWith(changes)).toStrictEqual(expected);
        },
      ),
      { numRuns: 40 },
    );
  });

  // proves PORT-3.14
  test("capabilities, routes, policy refs and sidecar refs, as they are read back", () => {
    fc.assert(
      fc.property(
        shuffled(built.capabilities),
        shuffled(built.toolRoutes),
        shuffled(built.toolRoutes[0]?.policyRefs ?? []),
        shuffled(["style/4", "words/2"]),
        (capabilities, routes, policyRefs, refs) => {
          const toolRoutes = routes.map((route) => ({
            ...route,
            policyRefs,
            sidecarRefs: route.sidecarRefs.length === 2 ? refs : route.sidecarRefs,
          }));
          expect(parseRuntimePackage({ ...built, capabilities, toolRoutes })).toStrictEqual(built);
          expect(fingerprintPackage({ ...content, capabilities, toolRoutes })).toBe(built.fingerprint);
        },
      ),
      { numRuns: 40 },
    );
    expect(built.toolRoutes[0]?.policyRefs).toHaveLength(3);
  });
});
