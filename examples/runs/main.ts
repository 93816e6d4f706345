// A run: a model says what to do next, every call it proposes goes the governed path, a person approves one, a budget stops another,
// and a second process goes on where the first one ended.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "@spfunctions/host/store";
import {
  defineTool,
  type ModelAdapter,
  newInstallationSecret,
  openInstallation,
  openOperator,
  Runs,
  type RunsOptions,
} from "@spfunctions/kernel";
import { z } from "zod";

const sent: string[] = [];
const tools = [
  defineTool({
    name: "mail.list",
    description: "What is in the inbox.",
    input: z.strictObject({}),
    output: z.strictObject({ letters: z.array(z.string()) }),
    permissions: ["mail:read"],
    sideEffect: "none",
    costEffect: "none",
    run: () => ({ letters: ["an invoice"] }),
  }),
  defineTool({
    name: "mail.send",
    description: "Sends a letter.",
    input: z.strictObject({ to: z.string() }),
    output: z.strictObject({ sent: z.int() }),
    permissions: ["mail:send"],
    sideEffect: "user_write",
    costEffect: "none",
    run: ({ to }) => ({ sent: sent.push(to) }),
  }),
];

// A model is whatever answers `complete`. This one looks into the inbox, writes to the bank, and is done.
const model: ModelAdapter = {
  name: "script-1",
  offline: true,
  complete: async ({ messages }) => {
    const step = messages.filter(({ role }) => role === "assistant").length;
    const call = [
      { id: "a", name: "mail.list", args: {} },
      { id: "b", name: "mail.send", args: { to: "bank" } },
    ][step];
    const usage = { inputTokens: 100, outputTokens: 10 };
    return call === undefined
      ? { text: "the bank has a letter", toolCalls: [], finish: "stop", usage }
      : { toolCalls: [call], finish: "tool_calls", usage };
  },
};

const folder = await mkdtemp(join(tmpdir(), "sf-runs-"));
const installation = openInstallation(newInstallationSecret());
const policy = {
  maxSideEffect: "user_write",
  approvals: { requireForSideEffectAtOrAbove: "user_write" },
  budget: { maxSteps: 5, maxToolCalls: 5 },
} as const;
const options = {
  packs: [tools],
  levels: [{ level: "agent", policy }],
  principal: { accountId: "office", keyId: "anna", scopes: ["read", "write"], kind: "key" },
  agentId: "secretary",
  model: { adapter: model },
  installation,
} satisfies RunsOptions;

// 1. A run rests where only a person can go on. The process that drove it ends.
let store = await openSqliteStore({ folder });
let runs = new Runs({ ...options, store });
const { runId, ...first } = await startUntilItAsks();
assert.deepEqual([first.status, first.approvals.length], ["requires_approval", 1]);
await runs.close();
await store.close();

// 2. The next one takes over what it finds. A person answers, and the run goes on with exactly that call.
store = await openSqliteStore({ folder });
runs = new Runs({ ...options, store });
const [again] = await runs.open();
assert(again !== undefined && again.runId === runId);
const operator = openOperator({
  store,
  installation,
  principal: { accountId: "office", keyId: "bert", scopes: ["admin"], kind: "operator" },
});
const [question] = await operator.list();
assert(question !== undefined);
console.log(`run ${runId} asks for ${question.tool} with`, question.input);
await operator.approve(question.approvalId);
const result = await again.wait();
assert.equal(result.status, "completed");
assert.deepEqual(sent, ["bank"]);
console.log(result.output, "after", result.spent.steps, "steps and", result.spent.toolCalls, "calls");

// 3. What a run did can be watched from the beginning, or from any event on, whenever and by whom.
const events: string[] = [];
for await (const event of again.stream()) events.push(event.type);
console.log(events.join(" "));
assert.equal(events.at(-1), "runtime.completed");
await runs.close();

// 4. What a model would want beyond its budget does not begin, and the end says what was spent on what.
const thrifty = { ...policy, budget: { maxSteps: 1 } };
const poor = new Runs({ ...options, store, levels: [{ level: "agent", policy: thrifty }] });
const stopped = await (await poor.start({ objective: "write to the bank" })).wait();
assert.deepEqual([stopped.status, stopped.error?.code], ["blocked", "budget_exceeded"]);
console.log(stopped.error?.message, stopped.spentOn);
await poor.close();
await operator.close();
await store.close();
await rm(folder, { recursive: true });

async function startUntilItAsks() {
  const handle = await runs.start({ objective: "write to the bank" });
  return await handle.wait({ for: "rest" });
}
