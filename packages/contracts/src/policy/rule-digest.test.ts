// A1: what waits for a person's answer is bound to the digest of the policies. It stays what it was where the host has no rules of its own.
import { describe, expect, test } from "vitest";
import { parsePolicy } from "./agent-policy.ts";
import { policyDigest, type PolicyLevel } from "./policy-levels.ts";

const levels: readonly PolicyLevel[] = [
  { level: "key", policy: parsePolicy({ maxSideEffect: "user_write" }) },
  {
    level: "server",
    policy: parsePolicy({
      maxSideEffect: "user_write",
      denyTools: ["keys.*"],
      approvals: { requireForSideEffectAtOrAbove: "user_write", ttlMs: 60_000 },
    }),
  },
];
const rule = { id: "spending", version: "1" };

describe("the digest of policies", () => {
  test("is, without rules, the one that waiting approvals have", () => {
    const digest = "sha256:f1616b9beee44c00bf197c905389d3feabd3eb478c4421b54e7932d86c8da3df";
    expect(policyDigest(levels)).toBe(digest);
    expect(policyDigest(levels, [])).toBe(digest);
  });

  test("changes with every rule, its id, its version, and its absence", () => {
    const digests = [
      [],
      [rule],
      [{ ...rule, version: "2" }],
      [{ ...rule, id: "hours" }],
      [rule, { ...rule, id: "hours" }],
    ].map((rules) => policyDigest(levels, rules));
    expect(new Set(digests).size).toBe(digests.length);
  });
});
