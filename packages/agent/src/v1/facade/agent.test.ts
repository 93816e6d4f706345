import type { RuntimeEvent } from "@spfunctions/contracts";
import { createMemoryStore } from "@spfunctions/kernel";
import { expect, onTestFinished, test } from "vitest";
import { inTurn, type Saying, saying, ScriptedModel } from "../../../../kernel/test-data/run-desk.ts";
import { bounds, office } from "../../../test-data/office.ts";
import { Agent, type AgentCreateOptions } from "../index.ts";

const read = { name: "notes.read", args: { text: "a" } };
const write = { name: "notes.write", args: { text: "b" } };

function agentOf(says: readonly Saying[], options: Partial<AgentCreateOptions> = {}) {
  const place = office();
  const model = new ScriptedModel(saying(...says));
  const { packs, principal, store } = place;
  const given = { packs, principal, store, model, ...options };
  const agent = Agent.create(given);
  onTestFinished(() => agent.close());
  return { ...place, agent, model, given };
}

async function textsOf(events: AsyncIterable<RuntimeEvent>): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of events) types.push(type);
  return types;
}

test("an agent says which bounds it was not given, and has those that it was", () => {
  expect(agentOf([]).agent.defaults).toStrictEqual([
    "budget.maxSteps is 20",
    "budget.maxToolCalls is 40",
    'session is {"persist":true,"ttlMs":86400000,"maxHistoryTokens":32000}',
  ]);
  expect(agentOf([], { policy: bounds }).agent.defaults).toStrictEqual([]);
  expect(() => agentOf([], { policy: { budget: { maxStep: 3 } } as never })).toThrow(/maxSteps/);
});

// proves RUN-1.6
test("what is sent is a run: with an id, a status, events, and an end", async () => {
  const { agent, deeds } = agentOf([[read], "done"]);
  const run = await agent.send("look");
  expect([run.agentId, run.status]).toStrictEqual(["agent", "running"]);
  expect((await textsOf(run.stream())).at(-1)).toBe("runtime.completed");
  expect(await run.wait()).toMatchObject({ runId: run.id, status: "completed", output: "done" });
  expect([run.status, deeds]).toStrictEqual(["completed", ["notes.read a"]]);
});

// proves RUN-1.6
test("what is sent next goes on from what was said before", async () => {
  const { agent, model } = agentOf(["first", "second"]);
  await (await agent.send("one")).wait();
  await (await agent.send("two")).wait();
  expect(model.asked[1]?.messages.map(({ text }) => text)).toStrictEqual(["one", "first", "two"]);
});

test("the model's words are told while it says them, and its steps when they end", async () => {
  const { agent } = agentOf([[read], "done"]);
  const steps: string[] = [];
  const run = await agent.send("look", {
    onStep: ({ type, status, tool }) => steps.push(`${type} ${tool} ${status}`),
  });
  await run.wait();
  expect(steps).toStrictEqual([
    "model undefined completed",
    "tool notes.read completed",
    "model undefined completed",
  ]);
});

test("a step of the model that came to nothing says why", async () => {
  const { agent } = agentOf([], { model: new ScriptedModel(inTurn(new Error("no such model"))) });
  const steps: unknown[] = [];
  await (await agent.send("look", { onStep: (step) => steps.push(step) })).wait();
  const reason = expect.stringContaining("no such model");
  expect(steps[0]).toMatchObject({ type: "model", status: "failed", code: "provider_failed", reason });
});

test("whoever is told has no say: what they throw changes nothing", async () => {
  const fail = () => {
    throw new Error("no");
  };
  const { agent } = agentOf([[read], "done"]);
  const run = await agent.send("look", { onStep: fail, onDelta: fail });
  expect(await run.wait()).toMatchObject({ status: "completed" });
});

// proves RUN-3.8
test("B19: without a list it may call what is on by default, and nothing else that its policy would allow", async () => {
  const { agent, model, deeds } = agentOf([[read], [write], "done"], {
    policy: {
      ...bounds,
      maxSideEffect: "user_write",
      approvals: { requireForSideEffectAtOrAbove: "secret" },
    },
  });
  const run = await agent.send("look");
  expect(await run.wait()).toMatchObject({ status: "completed" });
  expect(model.asked[0]?.tools.map(({ name }) => name)).toStrictEqual(["notes.read"]);
  expect(deeds).toStrictEqual(["notes.read a"]);
});

test("B19: with a list it may call those, and only those; a name that is none is refused with what is near", async () => {
  const policy = {
    ...bounds,
    maxSideEffect: "user_write",
    approvals: { requireForSideEffectAtOrAbove: "secret" },
  } as const;
  const { agent, model, deeds } = agentOf([[read], [write], "done"], {
    policy,
    builtinTools: ["notes.write"],
  });
  await (await agent.send("look")).wait();
  expect(model.asked[0]?.tools.map(({ name }) => name)).toStrictEqual(["notes.write"]);
  expect(deeds).toStrictEqual(["notes.write b"]);
  const { agent: other } = agentOf([], { builtinTools: ["notes_read"] });
  await expect(other.send("look")).rejects.toMatchObject({ code: "unknown_tool", message: /notes\.read/ });
});

test("where a person must approve it rests; the same run goes on once they have", async () => {
  const { agent, deeds, operator } = agentOf([[write], "done"], {
    policy: { ...bounds, maxSideEffect: "user_write" },
    builtinTools: ["notes.write"],
  });
  const run = await agent.send("write");
  const { approvals, status } = await run.wait();
  expect([status, run.status, deeds]).toStrictEqual(["requires_approval", "requires_approval", []]);
  await operator.approve(approvals[0]?.approvalId ?? "");
  expect(await run.wait()).toMatchObject({ status: "completed" });
  expect([run.status, deeds]).toStrictEqual(["completed", ["notes.write b"]]);
});

test("a run is found again by its id, by its agent or by what that is made with", async () => {
  const { agent, given } = agentOf(["done"]);
  const run = await agent.send("look");
  await run.wait();
  expect(await (await agent.getRun(run.id)).wait()).toMatchObject({ status: "completed", output: "done" });
  expect(await (await Agent.getRun(run.id, given)).wait()).toMatchObject({ output: "done" });
  await expect(Agent.getRun("run_00000000", { ...given, store: createMemoryStore() })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a run that is cancelled ends so", async () => {
  const held = Promise.withResolvers<never>();
  const { agent } = agentOf([], { model: { name: "slow", complete: () => held.promise } });
  const run = await agent.send("look");
  await run.cancel();
  expect(await run.wait()).toMatchObject({ status: "cancelled" });
});

test("a client has its key and its address: both are not given twice", () => {
  expect(() => agentOf([], { client: {} as never, apiKey: "x" })).toThrow(/either client, or apiKey/);
  expect(() => Agent.create({ model: new ScriptedModel(saying()), apiKey: "" })).toThrow(/apiKey is empty/);
});
