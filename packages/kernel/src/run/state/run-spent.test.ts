// What others count is added up and kept: whatever they claim, what a run has written it can read.
import {
  canonicalJson,
  journalRecordSchema,
  readCanonicalJson,
  type Spent,
  spentOnSchema,
  spentSchema,
} from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sessions } from "../../../test-data/planned-run.ts";
import {
  openRunDesk,
  read,
  reopenRunDesk,
  ScriptedModel,
  saying,
  storedRun,
} from "../../../test-data/run-desk.ts";
import { atFirst } from "../../../test-data/call-store.ts";
import { childSpec, openFamily, type Parts, start, untilChild } from "../../../test-data/family.ts";
import { heldBack } from "../../../test-data/run-levers.ts";
import { draftRecord } from "../../journal/record-draft.ts";
import { genesisOf } from "../../journal/seal.ts";
import { StreamWriter } from "../../journal/stream-writer.ts";
import { verifyAccount } from "../../journal/verify-account.ts";
import { type Child, type ChildRecord, spentBy } from "../../subagent/fold-child.ts";
import { readRun } from "../journal/read-run.ts";
import { RunJournal } from "../journal/run-journal.ts";
import { costOf } from "./run-budget.ts";
import { nothingSpent, spend, type Spending } from "./run-spent.ts";

const most = Number.MAX_SAFE_INTEGER;
const counts = fc.oneof(fc.maxSafeNat(), fc.constantFrom(0, 1, most));
const amounts = fc.oneof(fc.double({ min: 0, max: 10, noNaN: true }), fc.constantFrom(0.1, 0.7, most));
const spents: fc.Arbitrary<Spent> = fc.record(
  {
    steps: counts,
    toolCalls: counts,
    inputTokens: counts,
    outputTokens: counts,
    wallMs: amounts,
    usd: amounts,
    children: counts,
  },
  { requiredKeys: [] },
);
const moves = fc.record({
  kind: fc.constantFrom("model", "subagent.ended", "subagent.detached", "subagent.reclaimed"),
  spent: spents,
});

/** As a fold counts it: by a model, or by what a record says of a child for which so much was set aside. */
function after(
  before: Spending,
  { kind, spent }: { readonly kind: string; readonly spent: Spent },
): Spending {
  if (kind === "model") return spend(before, "model m", spent);
  const child = { started: { reserved: spent } } as Child;
  const counted = spentBy(child, { kind, spent } as unknown as ChildRecord);
  return counted ? spend(before, "subagent c", counted) : before;
}

test("whatever is used up, set aside and given back, in whichever order, a record can say what it comes to", () => {
  fc.assert(
    fc.property(fc.array(moves, { maxLength: 30 }), (all) => {
      let spending = nothingSpent;
      for (const move of all) {
        spending = after(spending, move);
        const kept = readCanonicalJson(canonicalJson(spending));
        expect(spentSchema.parse(spending.total)).toStrictEqual((kept as Spending).total);
        expect(spentOnSchema.parse(spending.on)).toStrictEqual((kept as Spending).on);
      }
    }),
  );
});

test("what no number can say costs the most that one can", () => {
  const price = { inputPerMillion: Number.MAX_VALUE, outputPerMillion: Number.MAX_VALUE };
  expect(costOf({ inputTokens: most, outputTokens: most }, price)).toBe(most);
});

describe("a provider that claims more tokens than can be counted", () => {
  test("ends its run; its journal is whole, and its session goes on", async () => {
    const script = saying([read], "done");
    const desk = openRunDesk({ script, levels: sessions() });
    const usages = [1, most, 1];
    const usage = () => ({ inputTokens: usages.shift() ?? 1, outputTokens: 1 });
    Object.defineProperty(desk.model, "usage", { get: usage });
    const first = await (await desk.runs.start({ objective: "go", sessionId: "talk" })).wait();
    expect(first).toMatchObject({
      status: "blocked",
      error: { code: "budget_exceeded" },
      spent: { inputTokens: most, outputTokens: 2 },
    });
    await desk.runs.close();
    const next = reopenRunDesk(desk, { script, levels: sessions() });
    expect(await (await next.runs.get(first.runId)).wait()).toMatchObject({ spent: first.spent });
    const second = await next.runs.start({ objective: "more", sessionId: "talk" });
    expect(await second.wait()).toMatchObject({ status: "completed" });
    await next.runs.close();
    expect(await verifyAccount(desk.store.inner, "acct_1")).toMatchObject({ status: "ok" });
  });
});

test("children that are let go and taken back leave of what was set aside no less than nothing", async () => {
  const ending = heldBack<void>();
  const deciding = heldBack<void>();
  const parts: Parts = {
    parent: async (_input, step) =>
      step === 1 ? ["a", "b", "c"].map((task) => start("digger", task)) : (await deciding.held(), "done"),
    digger: async () => (await ending.held(), "gold"),
  };
  const spec = childSpec("digger", { mode: "background", budget: { budgetUsd: 0.7 } });
  const free = { inputPerMillion: 0, outputPerMillion: 0 };
  const desk = openFamily(parts, [spec], {
    model: { price: free },
    policy: { budget: { maxSteps: 40, maxToolCalls: 40, maxChildren: 4, budgetUsd: 5 } },
  });
  const handle = await desk.start();
  const children = [];
  for (const index of [0, 1, 2]) children.push(await untilChild(desk, handle.runId, index));
  for (const child of children) await desk.runs.detach(child, "for a while");
  for (const child of children) await desk.runs.reclaim(child);
  ending.let();
  deciding.let();
  await handle.wait();
  await desk.runs.close();
  const records = (await storedRun(desk.store.inner, handle.runId)).map(({ text }) =>
    readCanonicalJson(text),
  );
  expect(records.map((record) => journalRecordSchema.safeParse(record).success)).not.toContain(false);
  expect(records.at(-1)).toMatchObject({ kind: "run.ended", status: "completed" });
});

test("a child is not begun whose model may answer with what is no number of tokens", async () => {
  const adapter = new ScriptedModel(saying("gold"));
  const route = { type: "use_allowed_override", routeId: "odd", modelId: "scripted" } as const;
  const desk = openFamily({ parent: [[start("digger")], "done"] }, [childSpec("digger", { route })], {
    routes: { odd: { adapter, maxOutputTokens: 1.5 } },
  });
  const { runId, children } = await (await desk.start()).wait();
  expect(children).toStrictEqual([]);
  expect(adapter.asked).toStrictEqual([]);
  expect(await desk.labels(runId)).toContain("call.settled failed host_configuration_needed");
  await desk.runs.close();
});

test("an end that could not be read again is not written: the run stays as it was", async () => {
  const desk = openRunDesk();
  desk.store.fault = atFirst("run.ended", { type: "die", written: false });
  const { runId } = await desk.start();
  await desk.store.died.promise;
  const { clock } = desk;
  const store = desk.store.inner;
  const accountId = "acct_1";
  const lease = await store.lease(runId, accountId, genesisOf(runId, accountId));
  if (lease.type === "held") throw new Error("nobody holds it");
  const writer = new StreamWriter(store, clock, { stream: runId, accountId, ...lease });
  const { run, document, revision } = await readRun(store, accountId, runId);
  const proves = (text: string) => text;
  const journal = new RunJournal({ writer, clock, proves, run, document, revision, told: () => undefined });
  const { runId: named } = run.opening;
  const body = { runId: named, status: "failed" as const, spent: { usd: -1 }, spentOn: [] };
  const before = await desk.kinds(runId);
  const ending = journal.append({ durability: "process", records: [draftRecord("run.ended", body)] });
  await expect(ending).rejects.toMatchObject({
    code: "internal",
    message: expect.stringContaining("run.ended would not be readable"),
  });
  expect(await desk.kinds(runId)).toStrictEqual(before);
});
