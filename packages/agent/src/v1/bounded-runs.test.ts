// B26: a model that does not stop is stopped before the call that would be too much, and what was spent on what is told.
import { describe, expect, test } from "vitest";
import { refusalOf, rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { turn } from "../../../kernel/test-data/call-waiting.ts";
import { put, type Script } from "../../../kernel/test-data/run-desk.ts";
import { runtimeDesk, type RuntimeDeskOptions, writing } from "../../test-data/runtime-desk.ts";

const runaway: Script = (_input, step) => [put(`${step}`)];
const price = { inputPerMillion: 1000, outputPerMillion: 10_000 };
const counted = { countTokens: () => 10, maxOutputTokens: 5, prices: { scripted: price } };
/** What a turn of this model costs at worst, and does: 10 tokens in, 5 out. */
const turnUsd = (10 * price.inputPerMillion + 5 * price.outputPerMillion) / 1_000_000;

/** A runaway under some budget: how it ended, how often its model was asked, and how often its tool ran. */
async function spentUnder(budget: object, options: RuntimeDeskOptions = {}) {
  const policy = { ...writing, budget: { maxSteps: 1000, maxToolCalls: 1000, ...budget } };
  const desk = runtimeDesk({ policy, script: runaway, ...counted, ...options });
  const result = await desk.runtime.run({ objective: "go on" });
  return { ...desk, result, asked: desk.model.asked.length, ran: desk.deck.runs.length };
}

// proves KEY-9.15
// proves RUN-7.5, RUN-12.1, RUN-12.3, RUN-12.4, RUN-12.7
describe("B26: a runaway stops at", () => {
  test.each<[string, object, number, number]>([
    ["maxSteps", { maxSteps: 4 }, 4, 4],
    ["maxToolCalls, told once that there are no more", { maxToolCalls: 3 }, 5, 3],
    ["maxTokens, where the next turn would not fit", { maxTokens: 44 }, 2, 2],
    ["maxTokens, to the last", { maxTokens: 45 }, 3, 3],
    ["budgetUsd, where the next turn would not fit", { budgetUsd: 2.99 * turnUsd }, 2, 2],
    ["budgetUsd, to the last", { budgetUsd: 3 * turnUsd }, 3, 3],
    ["a budget of nothing", { budgetUsd: 0 }, 0, 0],
    ["no steps", { maxSteps: 0 }, 0, 0],
    ["the least of them", { maxSteps: 7, maxTokens: 30, budgetUsd: 1000 }, 2, 2],
  ])("%s", async (_limit, budget, turns, calls) => {
    const { result, asked, ran } = await spentUnder(budget);
    expect(result).toMatchObject({ status: "blocked", error: { code: "budget_exceeded" } });
    expect([asked, ran]).toStrictEqual([turns, calls]);
    expect(result.usage?.usd ?? 0).toBeCloseTo(turns * turnUsd, 9);
  });

  // proves RUN-12.1
  test("maxWallMs, also in the middle of a call", async () => {
    const clock = new ManualClock();
    const policy = { ...writing, budget: { maxSteps: 1000, maxToolCalls: 1000, maxWallMs: 10_000 } };
    const deed = () => {
      clock.advance(3000);
      return { done: true };
    };
    const desk = runtimeDesk({ policy, script: runaway, clock, deed });
    expect(await desk.runtime.run({ objective: "go on" })).toMatchObject({
      status: "blocked",
      error: { code: "budget_exceeded" },
    });
    expect(desk.deck.runs).toHaveLength(4);
    await desk.runtime.close();
    await turn();
    expect(clock.waiting).toBe(0);
  });

  test("what all of its calls at once may be", async () => {
    const script: Script = (_input, step) => [1, 2, 3, 4].map((nth) => put(`${step} ${nth}`));
    const strategy = { type: "bounded_concurrent", maxInFlight: 4 } as const;
    const { result, ran } = await spentUnder({ maxToolCalls: 6 }, { script, strategy });
    expect([result.status, ran]).toStrictEqual(["blocked", 6]);
  });

  test("what was left of it, where its answers must be repaired", async () => {
    const policy = { ...writing, budget: { maxSteps: 2, maxToolCalls: 1 } };
    const desk = runtimeDesk({ policy, script: () => "no", runLimits: { repairs: 99 } });
    expect(await desk.runtime.run({ objective: "x", output: { type: "integer" } })).toMatchObject({
      status: "blocked",
      error: { code: "budget_exceeded" },
    });
    expect(desk.model.asked).toHaveLength(2);
  });
});

// proves KEY-9.15
// proves RUN-12.7
describe("money is counted by prices that are given as data:", () => {
  const policy = { ...writing, budget: { maxSteps: 9, maxToolCalls: 9, budgetUsd: 1 } };

  // proves RUN-8.1, RUN-12.2
  test("without one for this model nothing begins", async () => {
    for (const prices of [undefined, {}, { other: price }, { toString: price }] as const) {
      const { runtime, model } = runtimeDesk({ policy, ...(prices && { prices }) });
      expect(await rejectionOf(runtime.run({ objective: "x" }))).toMatchObject({
        details: { reason: "no_price" },
      });
      expect(model.asked).toStrictEqual([]);
    }
  });

  test("a price that is none is refused", async () => {
    for (const inputPerMillion of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const { runtime } = runtimeDesk({ policy, prices: { scripted: { ...price, inputPerMillion } } });
      expect(await rejectionOf(runtime.run({ objective: "x" }))).toMatchObject({
        details: { reason: "no_price" },
      });
    }
  });

  test("a model of a name that objects inherit has none either", async () => {
    const model = { name: "constructor", complete: () => Promise.reject(new Error("asked")) };
    const { runtime } = runtimeDesk({ policy, model, prices: {} });
    expect(await rejectionOf(runtime.run({ objective: "x" }))).toMatchObject({
      details: { reason: "no_price" },
    });
  });

  test("a provider that bills more than it could is the end of it", async () => {
    const { result, asked, ran } = await spentUnder({ budgetUsd: 1000 }, { countTokens: () => 9 });
    expect([result.status, result.error?.code, asked, ran]).toStrictEqual([
      "blocked",
      "budget_exceeded",
      1,
      0,
    ]);
  });

  test("where no money is counted no price is needed", async () => {
    const { runtime } = runtimeDesk();
    expect(await runtime.run({ objective: "x" })).toMatchObject({ status: "completed" });
  });
});

// proves RUN-5.4
test("B26: there is no runtime whose runs have no bounds", () => {
  const { budget: _, ...unbounded } = writing;
  expect(refusalOf(() => runtimeDesk({ policy: unbounded }))).toMatchObject({
    details: { reason: "no_bounds" },
  });
});
