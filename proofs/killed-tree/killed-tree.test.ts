import { expect, test } from "vitest";
import { killedTree } from "./killed-tree.ts";

test("killed tree (J1, J3, A1, X1, S2, B5, B6): killed at any point and taken on by the next process, every tree of runs comes to what it would have come to, and no child begins, counts or does anything twice", async () => {
  const report = await killedTree({ kills: 4, jobs: 3, seed: 3 });
  expect(report.broken).toStrictEqual([]);
  expect(report).toMatchObject({ kills: 4, jobs: 3, runs: 18, inGrandchildren: 3 });
  expect(report.takenOver).toBeGreaterThan(0);
}, 240_000);
