// S2: runs on a child's package: its judge, its model and its calls know what the package has, and nothing else of what is at hand.
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { Deck } from "../../test-data/call-deck.ts";
import { installation, principalOf } from "../../test-data/call-desk.ts";
import { generous, levelOf, read, saying, ScriptedModel, write } from "../../test-data/run-desk.ts";
import { buildChildRuntimePackage } from "../subagent/build-child-package.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import type { RunsOnPackage, RunsOptions } from "./open-run-host.ts";
import { Runs } from "./runs.ts";

const createdAt = "2026-01-02T03:04:05.000Z";
const deckTools = new Deck(() => ({}));
const script = saying([read], [write("a")], "done");
const common = { principal: principalOf(), installation, model: { adapter: new ScriptedModel(script) } };

const parentOptions: RunsOptions = {
  ...common,
  packs: [deckTools.tools],
  levels: levelOf(generous),
  agentId: "parent",
};
const parent = new Runs(parentOptions).package;
const child = buildChildRuntimePackage(parent, { childAgentId: "reader", createdAt });

function childDesk(changes: Partial<RunsOnPackage> = {}) {
  const deck = new Deck(() => ({}));
  const model = new ScriptedModel(script);
  const store = createMemoryStore();
  const runs = new Runs({
    ...common,
    store,
    model: { adapter: model },
    packs: [deck.tools],
    package: child.package,
    ...changes,
  });
  return { deck, model, runs, store };
}

// proves CHILD-1.8, CHILD-1.17, CHILD-16.17
test("a run on it names it, and its model is shown what it has and no more", async () => {
  const { runs, model } = childDesk();
  expect(runs.package.fingerprint).toBe(child.fingerprint);
  const handle = await runs.start({ objective: "look" });
  expect(await handle.wait()).toMatchObject({ status: "completed" });
  const shown = new Set(model.asked.flatMap(({ tools }) => tools.map(({ name }) => name)));
  const retained = new Set(child.stripManifest.retainedCapabilityIds.map((id) => id.replace("tool.", "")));
  expect([...shown].filter((name) => !retained.has(name))).toStrictEqual([]);
  expect(shown).toContain("notes.read");
});

// proves CHILD-16.17
// proves PORT-7.7, PORT-9.8
test("what was stripped is no tool there, although it is at hand, and its model is told so", async () => {
  const { runs, deck, model } = childDesk();
  await (await runs.start({ objective: "look" })).wait();
  expect(deck.runs.map(({ tool }) => tool)).toStrictEqual(["notes.read"]);
  expect(model.asked.at(-1)?.messages.at(-1)?.text).toContain("unknown_tool");
});

// proves CHILD-1.3, CHILD-16.15
test("a run of it goes on under it alone", async () => {
  const { store, runs } = childDesk();
  const { runId } = await runs.start({ objective: "look" });
  await (await runs.get(runId)).wait();
  await runs.close();
  const other = new Runs({ ...parentOptions, store });
  const [document] = await other.list();
  expect([document?.agentId, document?.packageFingerprint]).toStrictEqual(["reader", child.fingerprint]);
});

describe("nothing is opened", () => {
  const reasonOf = (changes: Partial<RunsOnPackage>) => {
    const { code, details } = refusalOf(() => childDesk(changes));
    return [code, details?.reason];
  };

  // proves PORT-9.12, PORT-14.13, PORT-21.4
  test("without a tool that it has, or with another of its name", () => {
    expect(reasonOf({ packs: [] })).toStrictEqual(["host_configuration_needed", "other_tools"]);
    const others = deckTools.tools.filter(({ contract }) => contract.name !== "notes.read");
    const another = deckTools.tool({ name: "notes.read", description: "Reads otherwise." });
    expect(refusalOf(() => childDesk({ packs: [others, another] })).message).toBe(
      "the package has notes.read, and here it is another; give the tools that it was made of",
    );
  });

  test("driven by another model", () => {
    const adapter = Object.assign(new ScriptedModel(script), { name: "another" });
    expect(reasonOf({ model: { adapter } })).toStrictEqual(["host_configuration_needed", "other_model"]);
  });

  test("on one that was changed by hand", () => {
    const changed = { ...child.package, policies: child.package.policies.slice(1) };
    expect(refusalOf(() => childDesk({ package: changed }))).toMatchObject({
      code: expect.stringMatching(/missing_field|contract_violation/),
    });
  });
});
