import { type ErrorCode, type PackageDelta, type RuntimePackage } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import {
  activateSharing,
  deltaFor,
  digestOf,
  packageWith,
  shareNote,
  writeNote,
} from "../../test-data/package-samples.ts";
import { reachableFrom } from "../../test-data/tool-samples.ts";
import { applyPackageDelta } from "./apply-package-delta.ts";
import { projectPackage, reservedOf } from "./project-package.ts";
import { parseRuntimePackage } from "./seal-package.ts";

type Change = PackageDelta["changes"][number];

const built = packageWith();
const apply = (...changes: Change[]) => applyPackageDelta(built, deltaFor(built, ...changes));
const sidecar = { ref: "menu/1", kind: "menu", digest: digestOf("5"), capabilityIds: ["tool.notes.read"] };
const addSidecar: Change = { type: "add_sidecar", sidecar };
const dropKey: Change = { type: "deactivate_capability", capabilityId: "tool.keys.show" };

describe("a delta makes the next package", () => {
  test("in which a reserved capability is active: the same as one that was built so", () => {
    const next = apply(activateSharing);
    expect(next).toStrictEqual(packageWith({ reserved: [], createdAt: next.volatile.createdAt }));
    expect(reservedOf(next)).toStrictEqual([]);
    expect(projectPackage(next).map(({ canonicalToolName }) => canonicalToolName)).toContain("notes.share");
  });

  test("and leaves the old one as it was", () => {
    const before = JSON.stringify(built);
    const next = apply(activateSharing);
    expect(JSON.stringify(built)).toBe(before);
    expect(next.fingerprint).not.toBe(built.fingerprint);
  });

  test("without a capability that is deactivated", () => {
    const next = apply(dropKey);
    const ids = next.capabilities.map(({ capabilityId }) => capabilityId);
    expect(ids).toStrictEqual(
      built.capabilities.map(({ capabilityId }) => capabilityId).filter((id) => id !== "tool.keys.show"),
    );
    expect(next.toolRoutes.map(({ canonicalToolName }) => canonicalToolName)).not.toContain("keys.show");
  });

  test("with a sidecar more, which the routes of those that need it name", () => {
    const next = apply(addSidecar);
    expect(next.sidecars.map(({ ref }) => ref)).toStrictEqual(["limits/1", "menu/1", "style/4", "words/2"]);
    const read = next.toolRoutes.find(({ canonicalToolName }) => canonicalToolName === "notes.read");
    expect(read?.sidecarRefs).toStrictEqual(["menu/1", "style/4"]);
  });

  test("by several changes one after the other, whole or not at all", () => {
    const all = apply(dropKey, addSidecar, activateSharing);
    expect([all.capabilities.length, all.sidecars.length]).toStrictEqual([5, 4]);
    expect(refusalOf(() => apply(dropKey, addSidecar, addSidecar)).code).toBe("contract_violation");
  });

  test("of the delta's time, with the labels of the old one, frozen, and sound when it is read back", () => {
    const next = apply(activateSharing);
    expect(next.volatile).toStrictEqual({
      createdAt: "2026-01-02T05:00:00.000Z",
      labels: { ticket: "OPS-7" },
    });
    for (const part of reachableFrom(next)) expect(Object.isFrozen(part)).toBe(true);
    expect(parseRuntimePackage(JSON.parse(JSON.stringify(next)))).toStrictEqual(next);
  });

  test("under the same policies: whatever is activated is judged as before (G3)", () => {
    expect(apply(activateSharing).policies).toStrictEqual(built.policies);
  });
});

describe("a delta is refused", () => {
  const tampered = { ...shareNote.contract, sideEffect: "none" as const };
  const cases: [what: string, change: Change, code: ErrorCode, reason: string][] = [
    [
      "that activates what is active",
      { type: "activate_capability", capabilityId: "tool.notes.write", contract: writeNote.contract },
      "invalid_package",
      "not_reserved",
    ],
    [
      "that activates what is not there",
      { ...activateSharing, capabilityId: "tool.notes.burn" } as Change,
      "invalid_package",
      "not_reserved",
    ],
    [
      "that activates a name with the contract of another",
      { ...activateSharing, contract: writeNote.contract } as Change,
      "contract_violation",
      "id_mismatch",
    ],
    [
      "with a contract that is not the one of its digest",
      { ...activateSharing, contract: tampered } as Change,
      "invalid_package",
      "digest_mismatch",
    ],
    [
      "that deactivates what is reserved",
      { type: "deactivate_capability", capabilityId: "tool.notes.share" },
      "invalid_package",
      "not_active",
    ],
    [
      "that deactivates what is not there",
      { type: "deactivate_capability", capabilityId: "tool.notes.burn" },
      "invalid_package",
      "not_active",
    ],
    [
      "that deactivates what a sidecar is for",
      { type: "deactivate_capability", capabilityId: "tool.notes.write" },
      "contract_violation",
      "unknown_capability",
    ],
    [
      "with a sidecar that is there",
      { type: "add_sidecar", sidecar: { ...sidecar, ref: "limits/1" } },
      "contract_violation",
      "duplicate_sidecar",
    ],
    [
      "with a sidecar of a stranger",
      { type: "add_sidecar", sidecar: { ...sidecar, capabilityIds: ["tool.notes.burn"] } },
      "contract_violation",
      "unknown_capability",
    ],
    [
      "of a kind that nobody knows",
      { type: "set_policies", policies: [] } as unknown as Change,
      "invalid_package",
      "schema_mismatch",
    ],
  ];
  test.each(cases)("%s", (_, change, code, reason) => {
    const error = refusalOf(() => apply(change));
    expect([error.code, error.details?.reason]).toStrictEqual([code, reason]);
  });

  test("that was made for another package", () => {
    const other = packageWith({ agentId: "agent_2" });
    const error = refusalOf(() => applyPackageDelta(built, deltaFor(other, activateSharing)));
    expect([error.code, error.message]).toStrictEqual([
      "contract_violation",
      "invalid runtime package: the delta was made for another package; make it for this one",
    ]);
  });

  test("twice: the second finds another package", () => {
    const delta = deltaFor(built, activateSharing);
    const next = applyPackageDelta(built, delta);
    expect(refusalOf(() => applyPackageDelta(next, delta)).details?.reason).toBe("fingerprint_mismatch");
  });

  test("on a package that was changed by hand", () => {
    const changed: RuntimePackage = { ...built, policies: built.policies.slice(1) };
    expect(refusalOf(() => applyPackageDelta(changed, deltaFor(built, dropKey))).code).toBe(
      "contract_violation",
    );
  });
});
