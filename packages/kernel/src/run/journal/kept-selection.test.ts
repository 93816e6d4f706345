// B4: a run that finds its tools can be taken on by somebody who has the store, the tools and a model, and nothing else.
import { expect, test } from "vitest";
import { Deck } from "../../../test-data/call-deck.ts";
import { installation, principalOf } from "../../../test-data/call-desk.ts";
import { FaultyStore, kindsIn } from "../../../test-data/call-store.ts";
import {
  openRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
  ScriptedModel,
} from "../../../test-data/run-desk.ts";
import { readKeptPackage, runsOptionsOf } from "./kept-package.ts";
import { Runs } from "../runs.ts";

const deck = new Deck();
const search = { name: "tools.search", args: { query: "search notes", limit: 2 } };
const script = saying([search], [{ name: "notes.read" }], [search], "done");

async function died(options: RunDeskOptions): Promise<{ desk: RunDesk; runId: string; fingerprint: string }> {
  const desk = openRunDesk({ deck, script, ...options });
  let settled = 0;
  desk.store.fault = (unit) => {
    if (kindsIn(unit).includes("model.settled")) settled += 1;
    return settled === 2 ? { type: "die", written: true } : undefined;
  };
  const handle = await desk.runs.start({ objective: "put something down" });
  await desk.store.died.promise;
  return { desk, runId: handle.runId, fingerprint: desk.runs.package.fingerprint };
}

async function takenOn({ desk, runId, fingerprint }: Awaited<ReturnType<typeof died>>) {
  const store = new FaultyStore(desk.store.inner);
  const { maxOutputTokens, ...kept } = runsOptionsOf(await readKeptPackage(store, fingerprint));
  const adapter = new ScriptedModel(script);
  const runs = new Runs({
    ...kept,
    packs: [deck.tools],
    model: { adapter, maxOutputTokens },
    principal: principalOf(),
    installation,
    store,
    clock: desk.clock,
  });
  const result = await (await runs.resume(runId)).wait();
  return { runs, result, kept, tools: adapter.asked.map(({ tools }) => tools.map(({ name }) => name)) };
}

test("it goes on with what it was shown, and finds more", async () => {
  const left = await died({ selection: { preload: ["notes.pay"], candidates: 1 } });
  const { result, kept, tools, runs } = await takenOn(left);
  expect(kept.selection).toStrictEqual({ preload: [], candidates: 8 });
  expect(runs.package.fingerprint).toBe(left.fingerprint);
  expect(result).toMatchObject({ status: "completed", output: "done" });
  const before = left.desk.model.asked.at(-1)?.tools.map(({ name }) => name);
  expect(before).toContain("notes.pay");
  expect(tools).toStrictEqual([before, before]);
});

test("one whose tools were chosen for it, without any to find others with, needs nothing to be chosen by", async () => {
  const left = await died({ selection: { preload: ["notes.read", "notes.pay"] } });
  const { result, kept, tools } = await takenOn(left);
  expect("selection" in kept).toBe(false);
  expect(result.status).toBe("completed");
  expect(tools[0]).toStrictEqual(["notes.pay", "notes.read"]);
});

test("a tool of somebody else's that has its name is theirs to give", async () => {
  const own = deck.tool({ name: "tools.search" });
  const { desk, fingerprint } = await died({ packs: [deck.tools, own] });
  const kept = runsOptionsOf(await readKeptPackage(desk.store.inner, fingerprint));
  expect("selection" in kept).toBe(false);
});
