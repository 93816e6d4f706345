import { expect, test } from "vitest";
import { killedRuntime } from "./killed-runtime.ts";

test("killed runtime (J1, J3, A1, X1, B4, B20, B21): killed at any point and taken on by the next process, every run comes to what it would have come to, and nothing is done twice", async () => {
  const report = await killedRuntime({ kills: 6, jobs: 6, seed: 3 });
  expect(report.broken).toStrictEqual([]);
  expect(report).toMatchObject({ kills: 6, jobs: 6, runs: 12 });
  expect(report.takenOver).toBeGreaterThan(0);
  expect(report.condensed).toBeGreaterThan(0);
}, 240_000);
