// A run and its children as one story, over real runs: what a child has done stands before what its parent says of it.
import type { RuntimeEvent } from "@spfunctions/contracts";
import { createMemoryStore, type RunHandle, Runs } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { familyPolicy } from "../../test-data/family-home.ts";
import { tools } from "../../test-data/family-pack.ts";
import { starting } from "../../test-data/left-tree.ts";
import { model, type Saying } from "../../test-data/run-model.ts";
import { knownChildren } from "./known-children.ts";
import { readRunTree } from "./run-tree.ts";
import { type KnownChild, type RunsSource, type Told, ToldChildren } from "./told-children.ts";
import { parentOf } from "./whose-run.ts";

const reading = { name: "notes.read", args: { id: 7 } };

function openRuns() {
  const store = createMemoryStore();
  const runs = new Runs({
    packs: [tools],
    levels: [{ level: "agent", policy: familyPolicy }],
    principal: { accountId: "local", keyId: "cli", scopes: ["read", "write"], kind: "local" },
    agentId: "scribe",
    model: { adapter: model },
    store,
  });
  const source: RunsSource = {
    get: async (runId) => await runs.get(runId),
    parentOf: async (runId) => await parentOf(store, "local", runId),
  };
  return { runs, source };
}

/** All that happens to a run until it has ended, as whoever watches it hears of it. */
async function heardOf(runs: Runs, script: readonly Saying[]): Promise<[RunHandle, RuntimeEvent[]]> {
  const heard: RuntimeEvent[] = [];
  const handle = await runs.start({ objective: JSON.stringify(script) }, (event) => void heard.push(event));
  for await (const event of handle.stream()) heard.push(event);
  return [handle, heard];
}

async function toldOf(heard: readonly RuntimeEvent[], source: RunsSource, known: readonly KnownChild[] = []) {
  const children = new ToldChildren(source, known);
  const told: Told[] = [];
  for (const event of heard) told.push(...(await children.of(event)));
  return told;
}

const ofChildren = (told: readonly Told[]) =>
  told.flatMap((one) => (one.name === undefined ? [] : [`${one.depth} ${one.name} ${one.event.type}`]));
const types =
  `subagent.started subagent.handoff runtime.started model.started model.completed tool.resolved policy.checked tool.started
  tool.completed model.started model.completed runtime.completed subagent.completed`.split(/\s+/);
const whole = (name: string, depth = 1) => types.map((type) => `${depth} ${name} ${type}`);

test("a child's events are told once and in their order, whatever is heard of them, and end with what it has spent", async () => {
  const { runs, source } = openRuns();
  const [, heard] = await heardOf(runs, [[starting("reader", [[reading], "milk"])], "done"]);
  const told = await toldOf(heard, source);
  expect(ofChildren(told)).toStrictEqual(whole("subagent.reader"));
  // What is live may be lost: what is on record is told all the same.
  const journaled = heard.filter(({ type }) => type !== "subagent.progress");
  expect(ofChildren(await toldOf(journaled, source))).toStrictEqual(whole("subagent.reader"));
  expect(told.find(({ event }) => event.type === "subagent.completed")).toMatchObject({
    spent: { steps: 2, toolCalls: 1, inputTokens: 20, outputTokens: 10 },
  });
  expect(told.filter(({ name }) => name === undefined).map(({ event }) => event.type)).toStrictEqual(
    heard.filter(({ type }) => !type.startsWith("subagent.")).map(({ type }) => type),
  );
  await runs.close();
});

test("two of the same name are told apart", async () => {
  const { runs, source } = openRuns();
  const one = starting("reader", ["milk"]);
  const [, heard] = await heardOf(runs, [[one], [one], "done"]);
  const names = new Set((await toldOf(heard, source)).flatMap(({ name }) => name ?? []));
  expect([...names]).toStrictEqual(["subagent.reader", "subagent.reader (2)"]);
  await runs.close();
});

test("what was told before is not told again", async () => {
  const { runs, source } = openRuns();
  const [{ runId }, heard] = await heardOf(runs, [[starting("reader", [[reading], "milk"])], "done"]);
  const known = await knownChildren(await readRunTree(source.get, runId), source.get);
  const late = heard.filter(({ type }) => type === "subagent.progress" || type === "subagent.completed");
  expect(ofChildren(await toldOf(late, source, known))).toStrictEqual([
    "1 subagent.reader subagent.completed",
  ]);
  await runs.close();
});

test("one that stands deeper is told below its own parent, also where it is heard of first", async () => {
  const { runs, source } = openRuns();
  const [{ runId }, heard] = await heardOf(runs, [[starting("reader", [[reading], "milk"])], "done"]);
  const { childRunId = "" } = heard.find((event) => "childRunId" in event) as { childRunId?: string };
  const deep = { ...heard.find(({ type }) => type === "subagent.progress"), runId: "run_00000000" };
  const family: RunsSource = {
    get: source.get,
    parentOf: async (id) => (id === childRunId ? runId : id === runId ? "run_00000000" : undefined),
  };
  const told = ofChildren(await toldOf([deep as RuntimeEvent], family));
  // All that its parent has done until then, with what stands below that at its own depth.
  const above = (...all: readonly string[]) => all.map((type) => `1 a subagent ${type}`);
  expect(told).toStrictEqual([
    ...above("runtime.started", "model.started", "model.completed"),
    ...above("tool.resolved", "policy.checked", "tool.started"),
    ...whole("subagent.reader", 2),
    ...above("tool.completed", "model.started", "model.completed", "runtime.completed"),
  ]);
  await runs.close();
});

test("runs that stand below themselves, or are not there, are nothing to wait for", async () => {
  const { runs, source } = openRuns();
  const event = {
    type: "subagent.progress",
    live: true,
    runId: "run_00000000",
    ts: new Date(0).toISOString(),
    childRunId: "run_11111111",
    subagent: "subagent.none",
    kind: "model.started",
    cursor: "run_11111111:3.0",
  } as unknown as RuntimeEvent;
  const circle = { get: source.get, parentOf: async (id: string) => `${id}1` };
  expect(await toldOf([event, event], circle)).toStrictEqual([]);
  await runs.close();
});
