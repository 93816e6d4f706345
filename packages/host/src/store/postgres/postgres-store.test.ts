import type { Store } from "@spfunctions/kernel";
import { type OpenedStore, storeConformance } from "@spfunctions/kernel/conformance";
import { expect, test } from "vitest";
import { describePostgres } from "../../../test/describe-postgres.ts";
import type { TestDatabase } from "../../../test/start-postgres.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

describePostgres("the PostgreSQL store keeps what every store promises", (postgres) => {
  let database: Promise<TestDatabase> | undefined;
  let schemas = 0;

  async function open(): Promise<OpenedStore> {
    database ??= postgres().newDatabase();
    schemas += 1;
    const schema = `schema_${schemas}`;
    const { url, ask } = await database;
    const opened: Store[] = [];
    const openOnce = async () => {
      const store = await openPostgresStore({ url, schema, renewMs: 60_000 });
      opened.push(store);
      return store;
    };
    return {
      store: await openOnce(),
      reopen: openOnce,
      rival: async () => {
        // By the server's clock everybody has hung.
        await ask(`UPDATE ${schema}.holders SET expires_at = clock_timestamp()`);
        return openOnce();
      },
      beside: openOnce,
      dispose: async () => {
        await Promise.all(opened.map((store) => store.close()));
      },
    };
  }

  test.each(storeConformance(open))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
