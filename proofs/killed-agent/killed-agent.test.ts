import { expect, test } from "vitest";
import { killedAgent } from "./killed-agent.ts";

// proves LIVE-12.1, LIVE-7.8
test("killed agent (J1, X1, B31): killed at any point of a turn, its session opens with the last whole revision, the turn goes on, and nothing is done or noted twice", async () => {
  const report = await killedAgent({ kills: 5, seed: 5 });
  expect(report.broken).toStrictEqual([]);
  expect(report.kills).toBe(5);
}, 240_000);
