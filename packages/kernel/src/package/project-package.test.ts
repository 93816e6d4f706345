import { policyDigest } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { packageWith, readNote } from "../../test-data/package-samples.ts";
import { projectPackage, reservedOf } from "./project-package.ts";
import { snapshotOf } from "./tool-router.ts";

const built = packageWith();

describe("what a model is shown", () => {
  test("is read from the contract, whole", () => {
    const { name, compatName, description, input } = readNote.contract;
    const [first] = projectPackage(built);
    expect(first).toStrictEqual({
      capabilityId: "tool.notes.read",
      canonicalToolName: name,
      compatName,
      description,
      input,
      policyRefs: built.toolRoutes[0]?.policyRefs,
    });
    expect(first?.policyRefs).toContain(policyDigest(built.policies));
  });

  // proves PORT-1.3, PORT-5.1
  test("and what runs have the same ids and policies", () => {
    const routes = new Map(built.toolRoutes.map((route) => [route.capabilityId, route]));
    for (const { capabilityId, canonicalToolName, policyRefs } of projectPackage(built)) {
      const route = routes.get(capabilityId);
      expect([route?.canonicalToolName, route?.policyRefs]).toStrictEqual([canonicalToolName, policyRefs]);
    }
  });

  test("is never a live trade, a secret, or what is reserved", () => {
    expect(projectPackage(built).map(({ canonicalToolName }) => canonicalToolName)).toStrictEqual([
      "notes.read",
      "notes.write",
      "research.delegate",
    ]);
  });
});

// proves PORT-3.1
test("what is reserved has no route, is not shown, and is reported with its owner", () => {
  expect(reservedOf(built)).toStrictEqual([
    { type: "reserved", capabilityId: "tool.notes.share", kind: "tool", owner: "the notes team" },
  ]);
  const shown = projectPackage(built).map(({ capabilityId }) => capabilityId);
  const routed = snapshotOf(built).routes.map(({ capabilityId }) => capabilityId);
  expect([...shown, ...routed]).not.toContain("tool.notes.share");
});
