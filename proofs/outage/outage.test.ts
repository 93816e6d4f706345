import { expect, test } from "vitest";
import { findPostgres, startPostgres } from "../../packages/host/test/start-postgres.ts";
import { outages } from "./outage.ts";

const found = findPostgres();
const missing = "missing" in found ? found.missing : undefined;

test("PostgreSQL is there where nothing may be skipped", () => {
  expect(process.env["CI"] === "true" ? missing : undefined).toBeUndefined();
});

test.skipIf(missing !== undefined)(
  "outages (J1, J2, J3, X1): the server is stopped hard, processes are ended, killed and stopped; every run goes on by itself, and nothing happens twice",
  async () => {
    const postgres = await startPostgres();
    try {
      const report = await outages({
        postgres,
        repetitions: 1,
        runs: 6,
        leftovers: 1000,
        outageMs: 1500,
        stoppedMs: 3000,
        leaseMs: 1500,
        renewMs: 500,
        sweepMs: 300,
      });
      expect(report.broken).toStrictEqual([]);
      expect(report.effects).toBeGreaterThan(6);
    } finally {
      await postgres.remove();
    }
  },
  180_000,
);
