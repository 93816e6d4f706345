// An objective, a model, tools under law: it searches, reads, asks a person before it writes, answers in a shape, and is replayed.
import assert from "node:assert/strict";
import { SimpleFunctionsRuntime } from "@spfunctions/agent/v1";
import { scriptedModel } from "@spfunctions/host/models";
import { createMemoryStore, defineTool, memoryTrace, openOperator } from "@spfunctions/kernel";
import { z } from "zod";

const paid: string[] = [];
const tools = [
  defineTool({
    name: "orders.find",
    description: "Finds orders by what the customer bought.",
    input: z.strictObject({ words: z.string() }),
    output: z.strictObject({ orders: z.array(z.string()) }),
    permissions: ["orders:read"],
    sideEffect: "none",
    costEffect: "none",
    run: () => ({ orders: ["o-17"] }),
  }),
  defineTool({
    name: "orders.refund",
    description: "Pays an order back.",
    input: z.strictObject({ orderId: z.string() }),
    output: z.strictObject({ refunds: z.int() }),
    permissions: ["orders:write"],
    sideEffect: "user_write",
    costEffect: "none",
    run: ({ orderId }) => ({ refunds: paid.push(orderId) }),
  }),
];

// A script stands for a model here; openaiCompatible(…), anthropic(…) and fromAiSdk(…) go in its place.
const model = scriptedModel([
  { toolCalls: [{ name: "orders.find", args: { words: "lamp" } }] },
  { toolCalls: [{ name: "orders.refund", args: { orderId: "o-17" } }] },
  { text: '{"orderId":"o-17","done":true}' },
]);

const policy = {
  maxSideEffect: "user_write",
  budget: { maxSteps: 10, maxToolCalls: 10 },
  session: { persist: true, ttlMs: 86_400_000, maxHistoryTokens: 32_000 },
} as const;
const principal = { accountId: "shop", keyId: "till", scopes: ["read", "write"], kind: "local" } as const;
const store = createMemoryStore();
const trace = memoryTrace();
const runtime = new SimpleFunctionsRuntime({ packs: [tools], model, policy, principal, store, trace });

// 1. It runs until only a person can go on. Events come as they happen; nothing acts on a model's words before they are on record.
const output = z.strictObject({ orderId: z.string(), done: z.boolean() });
const stream = runtime.runStream({ objective: "Pay the broken lamp back.", output });
for await (const event of stream) if (!("live" in event)) console.log(event.type);
const asked = await stream.result;
assert.deepEqual([asked.status, paid], ["requires_approval", []]);

// 2. Whoever answers has a credential that the run never sees. The same run goes on with exactly that call.
const boss = { accountId: "shop", keyId: "boss", scopes: ["admin"], kind: "operator" } as const;
const operator = openOperator({ store, principal: boss });
await operator.approve(asked.approvals[0]?.approvalId ?? "");
const done = await runtime.resume(asked.runId);
assert.deepEqual([done.status, done.output, paid], ["completed", { orderId: "o-17", done: true }, ["o-17"]]);
console.table(done.steps.map(({ type, tool, status }) => ({ type, tool, status })));
await runtime.close();

// 3. The whole run again, from its trace: no tool runs, no model is asked, the same result.
const again = new SimpleFunctionsRuntime({
  policy,
  principal,
  mode: "replayOnly",
  modelReplay: true,
  replay: [trace],
});
const replayed = await again.run({ objective: "Pay the broken lamp back.", output });
assert.deepEqual([replayed.status, replayed.output, paid.length], ["completed", done.output, 1]);
await again.close();
await operator.close();
