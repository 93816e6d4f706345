// B5, B6: what is asked inside a child is on its parent's list, is answered there, and what was approved runs, once: also in another
// process, and however deep.
import { describe, expect, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import { FaultyStore } from "../../test-data/call-store.ts";
import { childSpec, type FamilyOptions, openFamily, type Parts, start } from "../../test-data/family.ts";
import { asking, atOnce, type RunDesk, write } from "../../test-data/run-desk.ts";
import type { RunHandle } from "../run/run-handle.ts";

const policy = { approvals: asking.approvals };
const specs = [childSpec("writer", { tools: ["notes.write"] })];
const parts: Parts = { parent: [[start("writer")], "all written"], writer: [[write("a")], "written"] };

/** The same program again, on the same data. */
function nextLife(desk: RunDesk, life = 2, given: Parts = parts, options: FamilyOptions = {}): RunDesk {
  const { clock, deck } = desk;
  return openFamily(given, specs, {
    policy,
    life,
    clock,
    deck,
    store: new FaultyStore(desk.store.inner),
    ...options,
  });
}

async function asked(handle: RunHandle): Promise<string[]> {
  const { status, approvals } = await handle.wait({ for: "rest" });
  expect(status).toBe("requires_approval");
  return approvals.map(({ approvalId }) => approvalId);
}

const inputs = (desk: RunDesk) => desk.deck.inputsOf("notes.write");

test("B5: what is approved inside a child runs there, and its parent goes on with what came of it", async () => {
  const desk = openFamily(parts, specs, { policy });
  const handle = await desk.start();
  const [approvalId = ""] = await asked(handle);
  expect(inputs(desk)).toStrictEqual([]);
  await desk.operator.approve(approvalId);
  expect(await handle.wait()).toMatchObject({ status: "completed", output: "all written" });
  expect(inputs(desk)).toStrictEqual(['{"text":"a"}']);
  expect((await desk.kinds(handle.runId)).filter((kind) => kind.startsWith("subagent."))).toStrictEqual([
    "subagent.started",
    "subagent.rested",
    "subagent.woken",
    "subagent.ended",
  ]);
  await desk.runs.close();
});

test("B5: in another process the child is not begun anew: it goes on where it waited", async () => {
  const first = openFamily(parts, specs, { policy });
  const { runId } = await first.start();
  const [approvalId = ""] = await asked(await first.runs.get(runId));
  await first.runs.close();
  const second = nextLife(first);
  await second.operator.approve(approvalId);
  const [handle] = await second.runs.open();
  expect(await handle?.wait()).toMatchObject({ status: "completed", output: "all written" });
  expect(inputs(second)).toStrictEqual(['{"text":"a"}']);
  // Asked for its last word alone: nothing of what came before was asked again.
  expect(second.model.asked).toHaveLength(2);
  await second.runs.close();
});

test("B5: the same where the process has died", async () => {
  const first = openFamily(parts, specs, { policy });
  const { runId } = await first.start();
  const [approvalId = ""] = await asked(await first.runs.get(runId));
  await first.store.die();
  const second = nextLife(first);
  const [handle] = await second.runs.open();
  await second.operator.approve(approvalId);
  expect(await handle?.wait()).toMatchObject({ status: "completed" });
  expect(inputs(second)).toStrictEqual(['{"text":"a"}']);
  await second.runs.close();
});

test("B6: what is asked is of the child that asks, and is answered once", async () => {
  const desk = openFamily(parts, specs, { policy });
  const handle = await desk.start();
  const [approvalId = ""] = await asked(handle);
  const [child] = (await handle.result()).children;
  const [listed] = await desk.operator.list();
  expect([listed?.approvalId, listed?.runId, listed?.asker.runId]).toStrictEqual([
    approvalId,
    child?.runId,
    child?.runId,
  ]);
  await desk.operator.approve(approvalId);
  await expect(desk.operator.deny(approvalId)).rejects.toMatchObject({ code: "invalid_transition" });
  await handle.wait();
  expect(inputs(desk)).toHaveLength(1);
  await desk.runs.close();
});

test("B6: what is denied inside a child is told to the child, and does not run", async () => {
  const desk = openFamily(parts, specs, { policy });
  const handle = await desk.start();
  const [approvalId = ""] = await asked(handle);
  await desk.operator.deny(approvalId, { note: "not today" });
  expect(await handle.wait()).toMatchObject({ status: "completed" });
  expect(inputs(desk)).toStrictEqual([]);
  await desk.runs.close();
});

describe("B6: several at once", () => {
  const several: Parts = {
    parent: [[start("writer", "one"), start("writer", "two"), write("own")], "all written"],
    writer: ({ messages }, step) => (step === 1 ? [write(messages.at(-1)?.text ?? "")] : "written"),
  };

  test("are all on its parent's list, and each answer is for its own", async () => {
    const desk = openFamily(several, specs, { policy, strategy: atOnce(3) });
    const handle = await desk.start();
    const ids = await asked(handle);
    expect(ids).toHaveLength(3);
    const all = await desk.operator.list();
    for (const { approvalId, input } of all) {
      const isOne = (input as { text: string }).text === "one";
      await desk.operator[isOne ? "deny" : "approve"](approvalId);
    }
    expect(await handle.wait()).toMatchObject({ status: "completed" });
    expect(inputs(desk).toSorted()).toStrictEqual(['{"text":"own"}', '{"text":"two"}']);
    await desk.runs.close();
  });

  test("one that waits inside a child gives its place to another", async () => {
    const parts1: Parts = { ...several, parent: [[start("writer", "one"), write("own")], "all written"] };
    const desk = openFamily(parts1, specs, { policy, strategy: atOnce(1) });
    const handle = await desk.start();
    expect(await asked(handle)).toHaveLength(2);
    for (const { approvalId } of await desk.operator.list()) {
      await desk.operator.approve(approvalId);
    }
    expect(await handle.wait()).toMatchObject({ status: "completed" });
    expect(inputs(desk).toSorted()).toStrictEqual(['{"text":"one"}', '{"text":"own"}']);
    await desk.runs.close();
  });

  test("answered one by one, over as many lives", async () => {
    let desk = openFamily(several, specs, { policy, strategy: atOnce(3), deck: new Deck() });
    const { runId } = await desk.start();
    for (let life = 2; life < 8; life += 1) {
      const handle = await desk.runs.get(runId);
      const { status, approvals } = await handle.wait({ for: "rest" });
      if (status === "completed") break;
      await desk.store.die();
      desk = nextLife(desk, life, several, { strategy: atOnce(3) });
      await desk.operator.approve(approvals[0]?.approvalId ?? "");
      await desk.runs.open();
    }
    expect((await (await desk.runs.get(runId)).result()).status).toBe("completed");
    expect(inputs(desk).toSorted()).toStrictEqual(['{"text":"one"}', '{"text":"own"}', '{"text":"two"}']);
    await desk.runs.close();
  });
});

describe("B6: inside a grandchild that the host has started", () => {
  const deep: Parts = {
    parent: [[start("planner")], "all done"],
    planner: ({ messages }) =>
      messages.some(({ text }) => text.includes("has completed")) ? "planned" : "thinking",
    writer: [[write("deep")], "written"],
  };
  const family = [childSpec("planner", { tools: "inherit_allowlist", budget: { maxChildren: 1 } }), ...specs];

  async function startDeep(): Promise<{ desk: RunDesk; runId: string }> {
    const hold = Promise.withResolvers<string>();
    const held: Parts = {
      ...deep,
      planner: async (input, step) => {
        const script = deep["planner"] as (one: typeof input, two: number) => string;
        if (input.messages.length === 2) await hold.promise;
        return script(input, step);
      },
    };
    const desk = openFamily(held, family, { policy });
    const { runId } = await desk.start();
    const child = await childOf(desk, runId);
    await desk.runs.startChild(child, { subagent: "subagent.writer", task: "write it", key: "k1" });
    hold.resolve("");
    return { desk, runId };
  }

  async function childOf(desk: RunDesk, runId: string): Promise<string> {
    for (;;) {
      const [child] = (await (await desk.runs.get(runId)).result()).children;
      if (child !== undefined && desk.runs.driving(child.runId) !== undefined) return child.runId;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  test("it is on the list at the top, and the whole tree finishes", async () => {
    const { desk, runId } = await startDeep();
    const handle = await desk.runs.get(runId);
    const [approvalId = ""] = await asked(handle);
    await desk.operator.approve(approvalId);
    expect(await handle.wait()).toMatchObject({ status: "completed", output: "all done" });
    expect(inputs(desk)).toStrictEqual(['{"text":"deep"}']);
    await desk.runs.close();
  });

  test("also where the process has died in between", async () => {
    const { desk, runId } = await startDeep();
    const [approvalId = ""] = await asked(await desk.runs.get(runId));
    await desk.store.die();
    const { clock, deck } = desk;
    const second = openFamily(deep, family, {
      policy,
      life: 2,
      clock,
      deck,
      store: new FaultyStore(desk.store.inner),
    });
    await second.operator.approve(approvalId);
    const [handle] = await second.runs.open();
    expect(await handle?.wait()).toMatchObject({ status: "completed", output: "all done" });
    expect(inputs(second)).toStrictEqual(['{"text":"deep"}']);
    await second.runs.close();
  });
});
