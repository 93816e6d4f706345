// A policy is tried on what was really done before it is put in force: what would it have stopped, and what is the least that is enough?
import assert from "node:assert/strict";
import { defineTool, diffPolicies, govern, memoryTrace, suggestPolicy, whatIf } from "@spfunctions/agent";
import { z } from "zod";

const tool = (name: string, sideEffect: "none" | "user_write") =>
  defineTool({
    name,
    description: "One of the shop's tools.",
    input: z.strictObject({ orderId: z.string() }),
    output: z.null(),
    permissions: [],
    sideEffect,
    costEffect: "none",
    run: () => null,
  });
const packs = [
  tool("orders.read", "none"),
  tool("orders.refund", "user_write"),
  tool("orders.delete", "user_write"),
];
const principal = { accountId: "shop", keyId: "till", scopes: ["read", "write"], kind: "local" } as const;
const today = { maxSideEffect: "user_write", denyTools: ["orders.delete"] } as const;

// 1. A day under today's policy, recorded. In production that is a file: await openFileTrace(path) of @spfunctions/host/store.
const trace = memoryTrace();
const shop = govern({ packs, policy: today, principal, trace });
await shop.call("orders.read", { orderId: "o-1" });
await shop.call("orders.refund", { orderId: "o-1" });
await assert.rejects(shop.call("orders.delete", { orderId: "o-1" }), { code: "policy_denied" });
await shop.close();

// 2. Two proposals are held against that day. Nothing runs: every call is judged as it was made, by the same judge.
const stricter = await whatIf({ denyTools: ["orders.delete"] }, [trace]);
const looser = await whatIf({ maxSideEffect: "user_write" }, [trace]);
const changes = [...stricter.differences, ...looser.differences];
for (const { sentence } of changes) console.log(sentence);
assert.deepEqual(
  changes.map(({ tool: name, was, now }) => `${name}: ${was.outcome}, then ${now.outcome}`),
  ["orders.refund: allow, then deny", "orders.delete: deny, then allow"],
);

// 3. The least policy under which that day was possible, with a reason for each line.
const { policy, lines } = await suggestPolicy([trace]);
for (const { path, value, because } of lines) console.log(path, value, because);
assert.deepEqual(policy, { allowTools: ["orders.read", "orders.refund"], maxSideEffect: "user_write" });

// 4. It allows exactly what was used: what was done is allowed, what was refused still is, and so is every other tool.
const same = await whatIf(policy, [trace]);
assert.deepEqual(same.counts.was, { allow: 2, deny: 1, ask: 0 });
assert.deepEqual(same.counts.now, same.counts.was);
const tomorrow = govern({ packs, policy, principal });
const allowed = tomorrow.manifest.tools.filter(({ name }) => tomorrow.explain(name).outcome !== "deny");
assert.deepEqual(
  allowed.map(({ name }) => name),
  ["orders.read", "orders.refund"],
);

// 5. What is shown to whoever decides: field by field, whether more or less is allowed.
for (const { sentence } of diffPolicies(today, policy).changes) console.log(sentence);
