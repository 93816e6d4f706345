import { expect, test } from "vitest";
import { findPostgres, startPostgres } from "../../packages/host/test/start-postgres.ts";
import { killedRuns } from "./killed-runs.ts";

const found = findPostgres();
const missing = "missing" in found ? found.missing : undefined;

test("PostgreSQL is there where nothing may be skipped", () => {
  expect(process.env["CI"] === "true" ? missing : undefined).toBeUndefined();
});

test.skipIf(missing !== undefined)(
  "killed runs (J3, A1, X1, B4, B20, B21): two processes on one PostgreSQL lose nothing and double nothing, however often one is killed",
  async () => {
    const postgres = await startPostgres();
    try {
      const { url } = await postgres.newDatabase();
      const report = await killedRuns({ url, kills: 6, jobs: 12, seed: 5 });
      expect(report.broken).toStrictEqual([]);
      expect(report).toMatchObject({ kills: 6, jobs: 12, approvals: 24 });
      expect(report.takenOver).toBeGreaterThan(0);
    } finally {
      await postgres.remove();
    }
  },
  180_000,
);
