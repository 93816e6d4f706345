import { expect, test } from "vitest";
import { crashTruth } from "./crash-truth.ts";

test("crash truth (J1, J2, X1, B20): nothing is lost, doubled or silently unknown, however often the process is killed", async () => {
  const report = await crashTruth({ kills: 6, calls: 24, seed: 7 });
  expect(report.broken).toStrictEqual([]);
  expect(report.kills).toBe(6);
  expect(report.completed + report.unknown).toBe(24);
}, 120_000);
