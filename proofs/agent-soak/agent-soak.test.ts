import { expect, test } from "vitest";
import { agentSoak } from "./agent-soak.ts";

test("agent soak (B31): turn after turn a checkpoint stays bounded, what an operator demands stays, and every revision verifies", async () => {
  const report = await agentSoak({ turns: 60, every: 10 });
  expect(report.broken).toStrictEqual([]);
  expect(report.revisions).toBeGreaterThan(60);
  expect(report.largestCheckpoint).toBeLessThan(100_000);
}, 240_000);
