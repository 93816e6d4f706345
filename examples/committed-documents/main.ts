// A tool that changes a document of its store: by commit(documents) it is written with the record of how the call ended, or not at all.
import { strict as assert } from "node:assert";
import { defineTool, govern } from "@spfunctions/agent";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { createMemoryStore } from "@spfunctions/kernel";
import { z } from "zod";

// In a program that stays: openSqliteStore({ folder }) of @spfunctions/host/store.
const store = createMemoryStore();
const balanceOf = (accountId: string) => ({ kind: "shop.balance", accountId, id: "till" });

const take = defineTool({
  name: "till.take",
  description: "Puts money into the till.",
  input: z.strictObject({ cents: z.int().positive() }),
  output: z.strictObject({ total: z.int() }),
  permissions: ["till:write"],
  sideEffect: "user_write",
  costEffect: "none",
  run: async ({ cents }, { principal, commit }) => {
    const key = balanceOf(principal.accountId);
    const before = await store.document(key);
    const { total } = before === undefined ? { total: 0 } : (JSON.parse(before.body) as { total: number });
    // `expects` is the revision that was read, 0 for none: if somebody else was first, the call fails and nothing is written.
    commit([
      {
        type: "put",
        ...key,
        expects: before?.revision ?? 0,
        status: "open",
        body: JSON.stringify({ total: total + cents }),
      },
    ]);
    if (cents > 10_000) throw new Error("that much does not fit");
    return { total: total + cents };
  },
});

const principal = { accountId: "shop", keyId: "till", scopes: ["read", "write"], kind: "local" } as const;
const shop = govern({ packs: [take], policy: { maxSideEffect: "user_write" }, principal, store });

// 1. The document is there once the call has ended, under the same commit as its record.
console.log("taken:", (await shop.call("till.take", { cents: 250 })).output);
assert.deepEqual((await store.document(balanceOf("shop")))?.revision, 1);

// 2. A call that fails after its commit() changes nothing.
await assert.rejects(shop.call("till.take", { cents: 20_000 }), { code: "upstream_error" });
assert.equal((await store.document(balanceOf("shop")))?.body, '{"total":250}');

// 3. Of two at once that have read the same revision one is written; the other is told to try again.
const both = await Promise.allSettled([
  shop.call("till.take", { cents: 100 }),
  shop.call("till.take", { cents: 100 }),
]);
const [failed] = both.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
assert.ok(isSimpleFunctionsError(failed) && failed.code === "revision_conflict");
assert.equal((await shop.call("till.take", { cents: 100 })).output.total, 450);
console.log("the till has", (await store.document(balanceOf("shop")))?.body);

await shop.close();
await store.close();
