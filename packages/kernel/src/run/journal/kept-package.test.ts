// B4: a run can be taken on by somebody who has the store, the tools, the hooks and a model, and nothing else of whoever started it.
import { canonicalJson, parseJsonStrict, type RuntimePackage } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { Deck } from "../../../test-data/call-deck.ts";
import { installation, principalOf } from "../../../test-data/call-desk.ts";
import { FaultyStore } from "../../../test-data/call-store.ts";
import {
  asking,
  atOnce,
  levelOf,
  openRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
  ScriptedModel,
  write,
} from "../../../test-data/run-desk.ts";
import { readKeptPackage, runsOptionsOf } from "./kept-package.ts";
import { Runs } from "../runs.ts";

const script = saying([write("a")], "written");
const hooks: RunDeskOptions["hooks"] = [
  {
    id: "audit",
    version: "2",
    point: "before_tool_call",
    phase: "observe",
    sidecarRef: "audit-config",
    run: () => undefined,
  },
];
const options: RunDeskOptions = {
  script,
  agentId: "clerk",
  strategy: atOnce(2),
  levels: [
    { level: "key", policy: { maxSideEffect: "user_write", maxCostEffect: "llm_cost" } },
    { level: "agent", policy: asking },
  ],
  hooks,
  sidecars: [{ ref: "audit-config", kind: "hook_config", digest: `sha256:${"1".repeat(64)}` }] as never,
  output: { type: "string" },
  model: { maxOutputTokens: 1234 },
};

async function left(
  more: RunDeskOptions = {},
): Promise<{ desk: RunDesk; runId: string; approvalId: string }> {
  const desk = openRunDesk({ ...options, ...more });
  const handle = await desk.start();
  const { approvals } = await handle.wait({ for: "rest" });
  await desk.store.die();
  return { desk, runId: handle.runId, approvalId: approvals[0]?.approvalId ?? "" };
}

/** Somebody who was given tools, hooks and a model, and reads the rest. */
async function takenOn(
  desk: RunDesk,
  fingerprint: string,
  deck: Deck,
  given: RunDeskOptions["hooks"] = hooks,
): Promise<Runs> {
  const store = new FaultyStore(desk.store.inner);
  const { maxOutputTokens, ...kept } = runsOptionsOf(await readKeptPackage(store, fingerprint));
  const model = { adapter: new ScriptedModel(script), maxOutputTokens };
  const { clock } = desk;
  return new Runs({
    ...kept,
    packs: [deck.tools],
    hooks: given,
    model,
    principal: principalOf(),
    installation,
    store,
    clock,
  });
}

test("B4, B7: a run goes on by the package that is kept of it, and nothing of that is lost", async () => {
  const { desk, runId, approvalId } = await left();
  const { packageFingerprint } = await listed(desk);
  const deck = new Deck();
  const runs = await takenOn(desk, packageFingerprint, deck);
  expect(runs.package.fingerprint).toBe(packageFingerprint);
  const next = openRunDesk({
    ...options,
    life: 5,
    clock: desk.clock,
    store: new FaultyStore(desk.store.inner),
  });
  await next.operator.approve(approvalId);
  const handle = await runs.resume(runId);
  expect(await handle.wait()).toMatchObject({ status: "completed", output: "written" });
  expect(deck.inputsOf("notes.write")).toStrictEqual(['{"text":"a"}']);
});

test("what it says is what it was built of", async () => {
  const { desk } = await left();
  const { packageFingerprint } = await listed(desk);
  const kept = await readKeptPackage(desk.store.inner, packageFingerprint);
  expect(runsOptionsOf(kept)).toStrictEqual({
    agentId: "clerk",
    levels: kept.policies,
    strategy: { type: "bounded_concurrent", maxInFlight: 2 },
    sidecars: kept.sidecars,
    output: { type: "string" },
    maxOutputTokens: 1234,
  });
  expect(kept.policies.map(({ level }) => level)).toStrictEqual(["key", "agent"]);
});

// proves PORT-2.2
test("with other tools than those it was started with it is refused", async () => {
  const { desk, runId } = await left();
  const { packageFingerprint } = await listed(desk);
  const runs = await takenOn(desk, packageFingerprint, new Deck(undefined, [{ name: "notes.more" }]));
  await expect(runs.resume(runId)).rejects.toMatchObject({
    code: "invalid_package",
    details: { reason: "other_package" },
  });
});

describe("a run goes on with the hooks that it was started with, and is refused", () => {
  const other = (change: object) => ({ ...hooks[0], ...change }) as (typeof hooks)[number];

  test.each<[string, RunDeskOptions["hooks"]]>([
    ["without them", []],
    ["with another version", [other({ version: "3" })]],
    ["with one of another phase", [other({ phase: "guard" })]],
    ["in another order", [other({ order: 1 })]],
    ["at another point", [other({ point: "after_tool_call" })]],
    ["with another time limit", [other({ timeoutMs: 5 })]],
    ["with one more", [...hooks, other({ id: "another" })]],
  ])("%s", async (_how, given) => {
    const { desk, runId } = await left();
    const { packageFingerprint } = await listed(desk);
    const runs = await takenOn(desk, packageFingerprint, desk.deck, given);
    await expect(runs.resume(runId)).rejects.toMatchObject({
      code: "invalid_package",
      details: { reason: "other_package" },
    });
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("where one has no function", async () => {
    const { desk } = await left();
    const { packageFingerprint } = await listed(desk);
    const { run: _, ...named } = hooks[0] as (typeof hooks)[number];
    await expect(takenOn(desk, packageFingerprint, desk.deck, [named as never])).rejects.toMatchObject({
      code: "host_configuration_needed",
      details: { reason: "no_hook" },
    });
  });
});

test("the word that confirms an order is in no package, and is known again", async () => {
  const trade = { allowedVenues: ["v"], maxOrderCostCents: 1, maxQuantity: 1, confirmToken: "open sesame" };
  const desk = openRunDesk({ levels: levelOf({ maxSideEffect: "live_trade", trade }) });
  const handle = await desk.start();
  await handle.wait();
  const { packageFingerprint } = await listed(desk);
  const kept = await readKeptPackage(desk.store.inner, packageFingerprint);
  expect(JSON.stringify(kept)).not.toContain("open sesame");
  const again = await takenOn(desk, packageFingerprint, desk.deck, []);
  expect(again.package.fingerprint).toBe(packageFingerprint);
});

describe("B22: what is kept of a package and is not that package is refused:", () => {
  const change = async (desk: RunDesk, fingerprint: string, to: (kept: RuntimePackage) => string) => {
    const key = { kind: "package", accountId: "", id: fingerprint };
    const document = await desk.store.inner.document(key);
    const body = to(parseJsonStrict(document?.body ?? "") as unknown as RuntimePackage);
    const put = { ...key, type: "put", expects: document?.revision ?? 0, status: "kept", body } as const;
    await desk.store.inner.commit({ durability: "process", now: 0, documents: [put] });
  };

  test.each<[string, (kept: RuntimePackage) => string]>([
    ["a policy changed", (kept) => canonicalJson({ ...kept, policies: [{ level: "agent", policy: {} }] })],
    ["a strategy changed", (kept) => canonicalJson({ ...kept, strategy: { type: "sequential" } })],
    ["a hook taken out", (kept) => canonicalJson({ ...kept, hooks: [] })],
    [
      "the fingerprint changed",
      (kept) => canonicalJson({ ...kept, fingerprint: kept.fingerprint.replace(/.$/, "x") }),
    ],
    ["nonsense", () => "no"],
  ])("%s", async (_what, to) => {
    const { desk } = await left();
    const { packageFingerprint } = await listed(desk);
    await change(desk, packageFingerprint, to);
    await expect(readKeptPackage(desk.store.inner, packageFingerprint)).rejects.toMatchObject({
      code: "journal_corrupt",
    });
  });

  test("another package, sound by itself, in its place", async () => {
    const { desk } = await left();
    const { packageFingerprint } = await listed(desk);
    const other = openRunDesk({ ...options, agentId: "other" });
    await change(desk, packageFingerprint, () => canonicalJson(other.runs.package));
    await expect(readKeptPackage(desk.store.inner, packageFingerprint)).rejects.toMatchObject({
      code: "journal_corrupt",
    });
  });

  test("one that is not there", async () => {
    const { desk } = await left();
    for (const fingerprint of ["", "no", "__proto__"]) {
      await expect(readKeptPackage(desk.store.inner, fingerprint)).rejects.toMatchObject({
        code: "not_found",
      });
    }
  });
});

async function listed({ store }: RunDesk): Promise<{ packageFingerprint: string }> {
  const [document] = await store.inner.documents({ kind: "run", accountId: "acct_1", limit: 1 });
  return parseJsonStrict(document?.body ?? "{}") as { packageFingerprint: string };
}
