// A store that has nothing to do asks the server for nothing but its renewal, however many streams it holds.
import { expect, onTestFinished, test } from "vitest";
import { chainWriterOf, genesis } from "../../../test/chain-writer.ts";
import { describePostgres } from "../../../test/describe-postgres.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

const renewMs = 200;

describePostgres(
  "an idle store on PostgreSQL",
  (postgres) => {
    test("with 1,000 leased streams and a listener it sends one statement for each renewal, and no other", async () => {
      const { url, ask } = await postgres().newDatabase();
      const store = await openPostgresStore({ url, renewMs, leaseMs: 1_000 });
      onTestFinished(() => store.close());
      const streams = Array.from({ length: 1_000 }, (_, at) => `run-${at}`);
      const leases = await Promise.all(streams.map((stream) => store.lease(stream, "a", genesis)));
      onTestFinished(store.listen(() => undefined));
      const statements = () =>
        postgres()
          .log()
          .split("\n")
          .filter((line) => /LOG: {2}(statement|execute [^:]+): /.test(line));
      const before = statements().length;
      const begun = performance.now();
      // Longer than a lease, and every stream is still its own.
      await expect.poll(() => statements().length, { timeout: 30_000 }).toBeGreaterThanOrEqual(before + 10);
      const sent = statements().slice(before);
      expect(sent.filter((line) => !line.includes("renew_session"))).toStrictEqual([]);
      expect(sent.length).toBeLessThanOrEqual((performance.now() - begun) / renewMs + 1);
      const rival = await openPostgresStore({ url });
      onTestFinished(() => rival.close());
      expect(await rival.lease("run-999", "a", genesis)).toStrictEqual({ type: "held" });
      const units = leases.map((lease, at) => chainWriterOf(lease, `run-${at}`).next("first"));
      const results = await Promise.all(units.map((unit) => store.commit(unit)));
      expect(results).toStrictEqual(results.map(() => ({ type: "committed" })));
      expect(await ask("SELECT count(*)::integer AS n FROM simplefunctions.records")).toStrictEqual([
        { n: 1_000 },
      ]);
    });
  },
  { log_statement: "all" },
);
