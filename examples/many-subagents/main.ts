// Children of every kind: one asks a person, one works in the background, one asks back, one starts its own and is let go.
import assert from "node:assert/strict";
import { SimpleFunctionsRuntime, subagent } from "@spfunctions/agent/v1";
import type { JsonObject } from "@spfunctions/contracts";
import { type ScriptStep, scriptedModel } from "@spfunctions/host/models";
import { createMemoryStore, defineTool, type ModelMessage, openOperator } from "@spfunctions/kernel";
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

// Subagents are tools, too. Each keeps some of its parent's tools, and gets a part of what its parent may use up.
const subagents = [
  subagent({
    name: "researcher", // subagent.researcher
    objective: "Find what was decided.",
    tools: "read_only",
    budget: { maxSteps: 4, maxToolCalls: 2 },
    output: z.strictObject({ decision: z.string(), year: z.int() }),
  }),
  subagent({ name: "writer", objective: "Write one letter.", tools: ["letters.send"] }),
  subagent({ name: "counter", objective: "Count the decisions.", mode: "background" }),
  subagent({ name: "planner", objective: "Plan the opening.", tools: "no_tools", mayAsk: true }),
  subagent({
    name: "archivist",
    objective: "Put the archive in order.",
    mode: "background",
    budget: { maxSteps: 8, maxToolCalls: 4, maxChildren: 1 }, // one of its parent's children is its own to start
  }),
];

// One script stands for all models: it knows by the first line it is told who it is, and by what it was told what comes next.
type Said = ScriptStep | Promise<ScriptStep>;
const call = (name: string, args: JsonObject): ScriptStep => ({ toolCalls: [{ name, args }] });
const answer = (messages: readonly ModelMessage[]) =>
  JSON.parse(messages.findLast(({ role }) => role === "tool")?.text ?? "");
const isTold = (messages: readonly ModelMessage[], words: string) =>
  messages.some(({ role, text }) => role === "user" && text.includes(words));
const archive = Promise.withResolvers<ScriptStep>();
const script: Record<string, (messages: readonly ModelMessage[], step: number) => Said | undefined> = {
  "Tell the members.": (_, step) =>
    [call("subagent.writer", { task: "Tell them that we open on Sundays." }), { text: "They know." }][step],
  "Find what was decided.": (_, step) =>
    [call("minutes.search", { words: "open" }), { text: '{"decision":"open on Sundays","year":2026}' }][step],
  "Write one letter.": (_, step) =>
    [call("letters.send", { text: "We open on Sundays." }), { text: "Sent." }][step],
  "Plan and count.": (messages, step) => {
    if (step === 0) return call("subagent.counter", { task: "How many were there?" });
    if (step === 1) return call("subagent.planner", { task: "Plan it." });
    if (step === 2) {
      const { run, question } = answer(messages); // { run, status: "asks", question: "Which hall?" }
      return call("subagent.reply_to_clarification", { run, text: `${question} The small one.` });
    }
    return { text: isTold(messages, "subagent.counter") ? "Planned and counted." : "I wait for the count." };
  },
  "Count the decisions.": () => ({ text: "One." }),
  "Plan the opening.": (messages) => ({
    text: isTold(messages, "The small one.") ? "In the small hall." : '{"ask":"Which hall?"}',
  }),
  "Keep house.": (_, step) => [call("subagent.archivist", { task: "Begin." }), { text: "Done here." }][step],
  "Put the archive in order.": () => archive.promise,
};
const model = scriptedModel(async ({ messages }, step) => {
  const said = await script[messages[0]?.text.split("\n")[0] ?? ""]?.(messages, step);
  return said ?? { text: "Nothing more." };
});

const store = createMemoryStore();
const runtime = new SimpleFunctionsRuntime({
  packs: [tools, subagents],
  model,
  principal: { accountId: "club", keyId: "desk", scopes: ["read", "write"], kind: "local" },
  store,
  policy: {
    maxSideEffect: "user_write",
    maxCostEffect: "llm_cost", // what starting a subagent costs
    budget: { maxSteps: 30, maxToolCalls: 20, maxChildren: 4, maxDepth: 2 }, // unless said: one child, one deep
    session: { persist: true, ttlMs: 86_400_000, maxHistoryTokens: 32_000 },
  },
});

// 1. What a child asks a person is on its parent's list. Its parent goes on by itself with what the child comes to.
const asked = await runtime.run({ objective: "Tell the members." });
assert.deepEqual([asked.status, asked.approvals.length, sent], ["requires_approval", 1, []]);
const boss = { accountId: "club", keyId: "boss", scopes: ["admin"], kind: "operator" } as const;
const operator = openOperator({ store, principal: boss });
await operator.approve(asked.approvals[0]?.approvalId ?? "");
const told = await runtime.resume(asked.runId);
assert.deepEqual([told.output, sent], ["They know.", ["We open on Sundays."]]);

// 2. One in the background, of which its parent's model is told later; one that asks its parent's model, and is answered.
const planned = await runtime.run({ objective: "Plan and count." });
assert.equal(planned.output, "Planned and counted.");
const statuses = planned.children?.map(({ subagent: name, status }) => `${name} ${status}`);
assert.deepEqual(statuses, ["subagent.counter completed", "subagent.planner completed"]);
console.log(planned.output, statuses.join(", "));

// 3. The host starts a child of a child, which no model can; then it lets the child go, and its parent ends without it.
const stream = runtime.runStream({ objective: "Keep house." });
let archivist = "";
for await (const event of stream) {
  if (event.type !== "subagent.started") continue;
  archivist = event.childRunId;
  const given = { subagent: "subagent.researcher", key: "first-look", task: "What is in there?" };
  const below = await (await runtime.startChild(archivist, given)).wait();
  assert.deepEqual(below.output, { decision: "open on Sundays", year: 2026 });
  await runtime.detach(archivist, "The night desk looks after it.");
}
const kept = await stream.result;
assert.deepEqual([kept.output, kept.children?.[0]?.status], ["Done here.", "detached"]);
archive.resolve({ text: "In order." });
const alone = await (await runtime.get(archivist)).wait();
assert.deepEqual([alone.output, alone.children[0]?.depth], ["In order.", 2]);

await runtime.close();
await operator.close();
