// A run that sends another to read for it. The child has less than its parent, and what it uses up its parent has used up.
import assert from "node:assert/strict";
import { SimpleFunctionsRuntime, subagent } from "@spfunctions/agent/v1";
import { scriptedModel } from "@spfunctions/host/models";
import { createMemoryStore, defineTool, openOperator } from "@spfunctions/kernel";
import { z } from "zod";

const sent: string[] = [];
const tools = [
  defineTool({
    name: "minutes.search",
    description: "Finds what was decided.",
    input: z.strictObject({ words: z.string() }),
    output: z.strictObject({ found: z.array(z.string()) }),
    permissions: ["minutes:read"],
    sideEffect: "none",
    costEffect: "none",
    run: () => ({ found: ["2026: open on Sundays"] }),
  }),
  defineTool({
    name: "letters.send",
    description: "Sends a letter.",
    input: z.strictObject({ text: z.string() }),
    output: z.strictObject({ letters: z.int() }),
    permissions: ["letters:write"],
    sideEffect: "user_write",
    costEffect: "none",
    run: ({ text }) => ({ letters: sent.push(text) }),
  }),
];

// Scripts stand for models here; anthropic(…), openaiCompatible(…) and fromAiSdk(…) go in their place.
const large = scriptedModel([
  { toolCalls: [{ name: "subagent.researcher", args: { task: "When are we open?" } }] },
  { toolCalls: [{ name: "letters.send", args: { text: "We open on Sundays." } }] },
  { text: "They know." },
]);
const small = scriptedModel(
  [
    { toolCalls: [{ name: "letters.send", args: { text: "Hello from me." } }] }, // which it has not got
    { toolCalls: [{ name: "minutes.search", args: { words: "open" } }] },
    { text: '{"decision":"open on Sundays"}' },
  ],
  { name: "small" },
);

// A subagent is a tool: calling it starts a child, with some of its parent's tools and a part of its budget.
const researcher = subagent({
  name: "researcher", // subagent.researcher
  objective: "Find what was decided.",
  tools: "read_only",
  budget: { maxSteps: 4, maxToolCalls: 2 },
  output: z.strictObject({ decision: z.string() }),
  route: { type: "use_allowed_override", routeId: "small", modelId: small.name },
});

const store = createMemoryStore();
const runtime = new SimpleFunctionsRuntime({
  packs: [tools, researcher],
  model: large,
  routes: { small },
  principal: { accountId: "club", keyId: "desk", scopes: ["read", "write"], kind: "local" },
  store,
  policy: {
    maxSideEffect: "user_write",
    maxCostEffect: "llm_cost", // what starting a subagent costs
    budget: { maxSteps: 10, maxToolCalls: 10 },
    session: { persist: true, ttlMs: 86_400_000, maxHistoryTokens: 32_000 },
  },
});

// 1. The child reads and answers. The parent would write, and that only a person may say.
const asked = await runtime.run({ objective: "Tell the members." });
assert.deepEqual([asked.status, sent], ["requires_approval", []]);
const boss = { accountId: "club", keyId: "boss", scopes: ["admin"], kind: "operator" } as const;
const operator = openOperator({ store, principal: boss });
await operator.approve(asked.approvals[0]?.approvalId ?? "");
const told = await runtime.resume(asked.runId);
assert.deepEqual([told.output, sent], ["They know.", ["We open on Sundays."]]);

// 2. What the child has used up is its parent's: three steps of each; one call of the child's, and two of its parent's own.
console.table(told.children?.map(({ subagent: name, status, spent }) => ({ name, status, ...spent })));
const { steps, toolCalls, children } = told.usage ?? {};
assert.deepEqual([steps, toolCalls, children], [6, 3, 1]);
await runtime.close();
await operator.close();
