// The same program on SQLite and on PostgreSQL: which store is opened is one line, and nothing else in it knows.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, govern } from "@spfunctions/agent";
import { openPostgresStore, openSqliteStore } from "@spfunctions/host/store";
import type { Store } from "@spfunctions/kernel";
import { z } from "zod";
import { findPostgres, startPostgres } from "../../packages/host/test/start-postgres.ts";

let paid = 0;
const refund = defineTool({
  name: "orders.refund",
  description: "Pays an order back.",
  input: z.strictObject({ orderId: z.string(), cents: z.int().min(1) }),
  output: z.strictObject({ cents: z.int() }),
  permissions: ["orders:write"],
  sideEffect: "user_write",
  costEffect: "none",
  run: ({ cents }) => {
    paid += cents;
    return { cents };
  },
});

/** The program: it pays an order back, once, however often it is started. */
async function payBack(store: Store): Promise<unknown> {
  const shop = govern({
    packs: [refund],
    policy: { maxSideEffect: "user_write" },
    principal: { accountId: "shop", keyId: "till", scopes: ["read", "write"], kind: "local" },
    store,
  });
  const order = { orderId: "o-17", cents: 450 };
  const { output, replayed } = await shop.call("orders.refund", order, { idempotencyKey: "refund-o-17" });
  await shop.close();
  const { status: journal } = await shop.verify();
  await store.close();
  return { output, replayed: replayed === true, journal };
}

// 1. In a folder. The second start is answered from what the first has kept.
const folder = mkdtempSync(join(tmpdir(), "sf-example-"));
const first = await payBack(await openSqliteStore({ folder }));
const second = await payBack(await openSqliteStore({ folder }));
assert.deepEqual(first, { output: { cents: 450 }, replayed: false, journal: "ok" });
assert.deepEqual(second, { output: { cents: 450 }, replayed: true, journal: "ok" });
rmSync(folder, { recursive: true });

// 2. In a database. Here one is started for the purpose; yours is postgres://user:password@host/database in process.env.SF_STORE.
const found = findPostgres();
if ("missing" in found && process.env["CI"] !== "true")
  console.log(`skipped: ${found.missing}; with CI=true that is a failure`);
else await onPostgres();

async function onPostgres() {
  const postgres = await startPostgres();
  const { url } = await postgres.newDatabase();
  // What no folder has: another process is at the same data at the same time.
  const another = await openPostgresStore({ url });
  assert.deepEqual(await payBack(await openPostgresStore({ url })), first);
  assert.deepEqual(await payBack(another), second);
  assert.equal(paid, 2 * 450); // once in each store
  console.log("the same on both: paid once, answered twice, and the journal is whole");
  await postgres.remove();
}
