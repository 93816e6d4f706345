// B26: a provider that bills more than the worst case is recorded, and nothing further starts: in a child, or in any run above it.
import { describe, expect, test } from "vitest";
import { atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { budget, childSpec, openFamily, type Parts, start, untilChild } from "../../test-data/family.ts";
import { asking, atOnce, write } from "../../test-data/run-desk.ts";
import { heldBack, untilKind } from "../../test-data/run-levers.ts";

const overbilled = {
  raw: { text: "gold", toolCalls: [], finish: "stop", usage: { inputTokens: 50_000_000, outputTokens: 1 } },
};
const blocked = { status: "blocked", error: { code: "budget_exceeded" } } as const;
const background = { mode: "background" } as const;

describe("where a child was billed more than the worst case", () => {
  test("its parent starts nothing further, and says so", async () => {
    const parts: Parts = { parent: [[start("digger")], [write("after")], "done"], digger: [overbilled] };
    const desk = openFamily(parts, [childSpec("digger")]);
    const result = await (await desk.start()).wait();
    expect(result).toMatchObject({ ...blocked, children: [{ status: "blocked" }] });
    expect(result.error?.message).toMatch(/^the provider has billed more than the worst case/);
    expect([desk.model.asked.length, desk.deck.runs]).toStrictEqual([2, []]);
    await desk.runs.close();
  });

  test("so does every run above it", async () => {
    const thinking = heldBack<void>();
    const parts: Parts = {
      parent: [[start("middle")], [write("after")], "done"],
      middle: async () => (await thinking.held(), "done"),
      digger: [overbilled],
    };
    const desk = openFamily(parts, [
      childSpec("middle", { budget: { maxChildren: 1 } }),
      childSpec("digger"),
    ]);
    const handle = await desk.start();
    const middle = await untilChild(desk, handle.runId);
    await desk.runs.startChild(middle, { subagent: "subagent.digger", key: "one", task: "dig" });
    await untilKind(desk, middle, "subagent.ended");
    thinking.let();
    const result = await handle.wait();
    expect(result).toMatchObject({ ...blocked, children: [{ status: "blocked" }], spent: { children: 2 } });
    expect(desk.deck.runs).toStrictEqual([]);
    await desk.runs.close();
  });

  test("what its parent's model proposes meanwhile does not begin", async () => {
    const thinking = heldBack<void>();
    const parts: Parts = {
      parent: async (_input, step) =>
        step === 1 ? [start("digger")] : (await thinking.held(), [write("after")]),
      digger: [overbilled],
    };
    const desk = openFamily(parts, [childSpec("digger", background)]);
    const handle = await desk.start();
    await untilKind(desk, handle.runId, "subagent.ended");
    thinking.let();
    expect(await handle.wait()).toMatchObject(blocked);
    expect(desk.deck.runs).toStrictEqual([]);
    await desk.runs.close();
  });

  test("what waits for a person is not run, whatever they say", async () => {
    const parts: Parts = { parent: [[write("a"), start("digger")], "done"], digger: [overbilled] };
    const policy = { ...asking, budget };
    const desk = openFamily(parts, [childSpec("digger")], { policy, strategy: atOnce(2) });
    const handle = await desk.start();
    await untilKind(desk, handle.runId, "subagent.ended");
    const [approval] = (await handle.result()).approvals;
    await desk.operator.approve(approval?.approvalId ?? "");
    expect(await handle.wait()).toMatchObject(blocked);
    expect(desk.deck.runs).toStrictEqual([]);
    await desk.runs.close();
  });

  test("it holds for whoever takes the run over", async () => {
    const parts: Parts = { parent: [[start("digger")], [write("after")], "done"], digger: [overbilled] };
    const desk = openFamily(parts, [childSpec("digger")]);
    desk.store.fault = atFirst("subagent.ended", { type: "die", written: true });
    const { runId } = await desk.start();
    await desk.store.died.promise;
    const next = openFamily(parts, [childSpec("digger")], {
      life: 2,
      clock: desk.clock,
      store: new FaultyStore(desk.store.inner),
    });
    expect(await (await next.runs.resume(runId)).wait()).toMatchObject(blocked);
    expect([next.model.asked, next.deck.runs]).toStrictEqual([[], []]);
    await next.runs.close();
  });

  test("and was let go before, its parent goes on", async () => {
    const thinking = heldBack<void>();
    const ending = heldBack<void>();
    const parts: Parts = {
      parent: async (_input, step) =>
        step === 1 ? [start("digger")] : step === 2 ? (await ending.held(), [write("after")]) : "done",
      digger: async () => (await thinking.held(), overbilled),
    };
    const desk = openFamily(parts, [childSpec("digger", background)]);
    const handle = await desk.start();
    const child = await untilChild(desk, handle.runId);
    await desk.runs.detach(child, "the night desk looks after it");
    thinking.let();
    expect(await (await desk.runs.get(child)).wait()).toMatchObject(blocked);
    ending.let();
    expect(await handle.wait()).toMatchObject({ status: "completed", children: [{ status: "detached" }] });
    await desk.runs.close();
  });
});
