import { expect, test } from "vitest";
import { crashTruth } from "./crash-truth.ts";

test("crash truth (J1, J2, X1, B20): nothing is lost, doubled or silently unknown, however often the process is killed", async () => {
  const report = await crashTruth({ kills: 10, calls: 30, seed: 7 });
  expect(report.broken).toStrictEqual([]);
  expect(report.kills).toBe(10);
  expect(report.completed + report.unknown).toBe(30);
}, 120_000);
