// Talking to a model that has tools: one run after another in a session, with modest bounds where none are given.
import assert from "node:assert/strict";
import { Agent, query } from "@spfunctions/agent/v1";
import { scriptedModel } from "@spfunctions/host/models";
import { defineTool } from "@spfunctions/kernel";
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
    agent: { defaultEnabled: true }, // an agent may call it unless told otherwise
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
const principal = { accountId: "shop", keyId: "till", scopes: ["read", "write"], kind: "local" } as const;

// 1. An agent has a session of its own: the second question is asked after the first answer. A script stands for its model.
const agent = Agent.create({
  packs: [tools],
  principal,
  model: scriptedModel([
    { toolCalls: [{ name: "orders.find", args: { words: "lamp" } }] },
    { text: "Yes, o-17." },
    { text: "That one, as I said." },
  ]),
});
console.log(agent.defaults);
assert.equal((await (await agent.send("Did somebody buy a lamp?")).wait()).output, "Yes, o-17.");
assert.equal((await (await agent.send("Which one?")).wait()).output, "That one, as I said.");
await agent.close();

// 2. A conversation as events. `plan` takes every change away for as long as it holds, whatever the policy allows.
const talk = query({
  prompt: "Pay the lamp back.",
  options: {
    packs: [tools],
    principal,
    policy: { maxSideEffect: "user_write" },
    builtinTools: ["orders.find", "orders.refund"],
    model: scriptedModel([
      { toolCalls: [{ name: "orders.refund", args: { orderId: "o-17" } }] },
      { text: "I would pay o-17 back." },
    ]),
  },
});
talk.setPermissionMode("plan");
for await (const event of talk)
  if (event.type === "turn.completed") assert.equal(event.result.output, "I would pay o-17 back.");
assert.deepEqual(paid, []);
