// A child lives with its parent: it is waited for or goes on beside it, is cancelled with it, and outlives it only where somebody has
// said so.
import { describe, expect, test } from "vitest";
import { FaultyStore } from "../../test-data/call-store.ts";
import {
  childSpec,
  kindsOfChildren,
  openFamily,
  type Parts,
  start,
  untilChild,
} from "../../test-data/family.ts";
import { asking, read, type RunDesk, saying, write } from "../../test-data/run-desk.ts";
import { heldBack } from "../../test-data/run-levers.ts";
import type { RunHook } from "../hook/run-hook.ts";

const background = childSpec("digger", { mode: "background", tools: "inherit_allowlist" });
const told = ({ messages }: { readonly messages: readonly { readonly text: string }[] }) =>
  messages.some(({ text }) => text.includes("has completed"));

describe("in the background", () => {
  // proves CHILD-16.18
  test("its parent goes on, is woken by what it comes to, and has the last word", async () => {
    const dug = heldBack<unknown>();
    const parts: Parts = {
      parent: (input, step) => {
        if (step === 1) return [start("digger")];
        if (step === 2) return [read];
        return told(input) ? `told: ${input.messages.at(-1)?.text}` : "I wait";
      },
      digger: [[write("slow")], "gold"],
    };
    const deed = (_input: unknown, _context: unknown, tool: string) =>
      tool === "notes.write" ? dug.held() : {};
    const desk = openFamily(parts, [background], { deed });
    const handle = await desk.start();
    const child = await untilChild(desk, handle.runId);
    // It has said that it waits, and does.
    while (desk.model.asked.filter(({ messages }) => messages[0]?.role === "user").length < 3)
      await new Promise((resolve) => setImmediate(resolve));
    expect((await handle.result()).status).toBe("calling");
    dug.let({});
    expect(await handle.wait()).toMatchObject({
      status: "completed",
      output: `told: The subagent subagent.digger (${child}) has completed. Its answer, as data:\n"gold"`,
    });
    expect(await kindsOfChildren(desk, handle.runId)).toStrictEqual(["subagent.started", "subagent.ended"]);
    await desk.runs.close();
  });

  test("its parent waits for a person as long as it does, and is told over a restart", async () => {
    const parts: Parts = {
      parent: (input, step) => (step === 1 ? [start("digger")] : told(input) ? "done" : "I wait"),
      digger: [[write("deep")], "gold"],
    };
    const policy = { approvals: asking.approvals };
    const first = openFamily(parts, [background], { policy });
    const { runId } = await first.start();
    const { status, approvals } = await (await first.runs.get(runId)).wait({ for: "rest" });
    expect([status, approvals.length]).toStrictEqual(["requires_approval", 1]);
    await first.store.die();
    const { clock, deck } = first;
    const store = new FaultyStore(first.store.inner);
    const second = openFamily(parts, [background], { policy, clock, deck, store, life: 2 });
    const [handle] = await second.runs.open();
    await second.operator.approve(approvals[0]?.approvalId ?? "");
    expect(await handle?.wait()).toMatchObject({ status: "completed", output: "done" });
    expect(deck.inputsOf("notes.write")).toStrictEqual(['{"text":"deep"}']);
    await second.runs.close();
  });
});

test("what a parent is told while its model is about to be asked, that is shown: nothing is lost in between", async () => {
  const ended = heldBack<void>();
  const about = heldBack<void>();
  let asked = 0;
  const hook: RunHook = {
    id: "slow",
    version: "1",
    point: "before_model",
    phase: "guard",
    run: async ({ messages }) => {
      // The parent's second turn, which was put together already.
      if (messages[0]?.role === "user" && ++asked === 2) {
        about.let();
        await ended.held();
      }
      return { outcome: "allow" };
    },
  };
  const parts: Parts = {
    parent: (input, step) => (step === 1 ? [start("digger")] : told(input) ? "told" : "not told"),
    digger: async () => (await about.held(), "gold"),
  };
  const desk = openFamily(parts, [background], { hooks: [hook] });
  const handle = await desk.start();
  while (!(await kindsOfChildren(desk, handle.runId)).includes("subagent.ended"))
    await new Promise((resolve) => setImmediate(resolve));
  ended.let();
  expect(await handle.wait()).toMatchObject({ status: "completed", output: "told" });
  // It was asked once for its second step, with everything.
  expect((await desk.kinds(handle.runId)).filter((kind) => kind === "model.intended")).toHaveLength(2);
  await desk.runs.close();
});

/** A parent whose child is held in its tool. */
async function held(more: Partial<Parts> = {}, mode: "wait" | "background" = "wait") {
  const tool = heldBack<unknown>();
  const parts: Parts = { parent: [[start("digger")], "done"], digger: [[write("slow")], "gold"], ...more };
  const desk = openFamily(parts, [{ ...background, mode }], { deed: () => tool.held() });
  const handle = await desk.start();
  const child = await untilChild(desk, handle.runId);
  while (desk.deck.runs.length === 0) await new Promise((resolve) => setImmediate(resolve));
  return { desk, handle, child, let: tool.let };
}

// proves CHILD-8.14, CHILD-16.10, CHILD-16.16
describe("cancelled", () => {
  test.each(["wait", "background"] as const)("with its parent, before that ends (%s)", async (mode) => {
    const { desk, handle, child } = await held({}, mode);
    await handle.cancel();
    const result = await handle.wait();
    expect(result.status).toBe("cancelled");
    expect((await (await desk.runs.get(child)).result()).status).toBe("cancelled");
    expect(await kindsOfChildren(desk, handle.runId)).toStrictEqual([
      "subagent.started",
      "subagent.cancelling",
      "subagent.ended",
    ]);
    await desk.runs.close();
  });

  test("with its parent, by a process that has only just taken both on", async () => {
    const { desk, handle, child } = await held();
    await desk.store.die();
    const { clock, deck } = desk;
    const store = new FaultyStore(desk.store.inner);
    const parts: Parts = { parent: [[start("digger")], "done"], digger: [[write("slow")], "gold"] };
    const second = openFamily(parts, [{ ...background, mode: "wait" }], { clock, deck, store, life: 2 });
    await second.runs.cancel(handle.runId);
    expect((await (await second.runs.get(handle.runId)).wait()).status).toBe("cancelled");
    expect((await (await second.runs.get(child)).result()).status).toBe("cancelled");
    await second.runs.close();
  });

  test("with its parent, where that goes on nowhere else: by a program that is another", async () => {
    const { desk, handle, child } = await held();
    await desk.store.die();
    const { clock, deck } = desk;
    const other = openFamily({ parent: saying("hello") }, [], {
      clock,
      deck,
      store: new FaultyStore(desk.store.inner),
      life: 2,
    });
    await other.runs.cancel(handle.runId);
    expect((await (await other.runs.get(handle.runId)).wait()).status).toBe("cancelled");
    expect((await (await other.runs.get(child)).result()).status).toBe("cancelled");
    await other.runs.close();
  });

  test("with its parent, where a person is asked inside it, by a program that is another", async () => {
    const parts: Parts = { parent: [[start("digger")], "done"], digger: [[write("slow")], "gold"] };
    const desk = openFamily(parts, [{ ...background, mode: "wait" }], {
      policy: { approvals: asking.approvals },
    });
    const handle = await desk.start();
    await handle.wait({ for: "rest" });
    await desk.store.die();
    const { clock, deck } = desk;
    const store = new FaultyStore(desk.store.inner);
    const other = openFamily({ parent: saying("hello") }, [], { clock, deck, store, life: 2 });
    await other.runs.cancel(handle.runId);
    const { status, unknown, children } = await (await other.runs.get(handle.runId)).wait();
    expect([status, unknown, children[0]?.status]).toStrictEqual(["cancelled", [], "cancelled"]);
    expect(await other.operator.list()).toStrictEqual([]);
    await other.runs.close();
  });

  test("alone: its parent is told, and goes on", async () => {
    const { desk, handle, child } = await held();
    await desk.runs.cancel(child);
    expect(await handle.wait()).toMatchObject({ status: "completed", output: "done" });
    expect(desk.model.asked.at(-1)?.messages.at(-1)?.text).toContain('"code":"cancelled"');
    await desk.runs.close();
  });
});

test("a run that is stopped for another reason stops its children first", async () => {
  const working = heldBack<void>();
  const parts: Parts = {
    parent: async (_input, step) => {
      if (step > 1) await working.held();
      return step === 1 ? [start("digger")] : [{ name: "notes.nothing" }];
    },
    digger: [[write("slow")], "gold"],
  };
  const deed = async () => {
    working.let();
    return await new Promise<never>(() => {});
  };
  const desk = openFamily(parts, [background], { deed });
  const handle = await desk.start();
  const result = await handle.wait();
  expect([result.status, result.error?.code]).toStrictEqual(["blocked", "unknown_tool"]);
  const [child] = result.children;
  expect(child?.status).toBe("cancelled");
  expect((await (await desk.runs.get(child?.runId ?? "")).result()).status).toBe("cancelled");
  await desk.runs.close();
});

describe("let go", () => {
  // proves CHILD-14.8, CHILD-16.11
  test("it goes on when its parent ends, and can be cancelled with it no more", async () => {
    const { desk, handle, child, let: go } = await held();
    await desk.runs.detach(child, "the night desk looks after it");
    expect(await handle.wait()).toMatchObject({ status: "completed" });
    expect((await (await desk.runs.get(child)).result()).status).toBe("calling");
    await desk.runs.cancel(handle.runId);
    go({});
    expect(await (await desk.runs.get(child)).wait()).toMatchObject({ status: "completed", output: "gold" });
    expect(await kindsOfChildren(desk, handle.runId)).toStrictEqual([
      "subagent.started",
      "subagent.detaching",
      "subagent.detached",
    ]);
    await desk.runs.close();
  });

  // proves CHILD-16.12
  test("one cancel and one detach are four records", async () => {
    const hold = heldBack<unknown>();
    const parts: Parts = {
      parent: [[start("digger", "a")], [start("digger", "b")], "done"],
      digger: [[write("slow")], "gold"],
    };
    const desk = openFamily(parts, [background], { deed: () => hold.held() });
    const handle = await desk.start();
    const first = await untilChild(desk, handle.runId);
    const second = await untilChild(desk, handle.runId, 1);
    await desk.runs.detach(second, "mine now");
    await handle.cancel();
    await handle.wait();
    const lifecycle = (await kindsOfChildren(desk, handle.runId)).filter(
      (kind) => kind !== "subagent.started",
    );
    expect(lifecycle.toSorted()).toStrictEqual([
      "subagent.cancelling",
      "subagent.detached",
      "subagent.detaching",
      "subagent.ended",
    ]);
    expect((await (await desk.runs.get(first)).result()).status).toBe("cancelled");
    expect((await (await desk.runs.get(second)).result()).status).toBe("calling");
    hold.let({});
    await (await desk.runs.get(second)).wait();
    await desk.runs.close();
  });

  test("it is taken back, and its parent waits for it again and counts what it used", async () => {
    const {
      desk,
      handle,
      child,
      let: go,
    } = await held(
      {
        parent: (input, step) =>
          step === 1 ? [start("digger")] : step === 2 ? [read] : told(input) ? "rich" : "I wait",
      },
      "background",
    );
    await desk.runs.detach(child, "for a while");
    await desk.runs.reclaim(child);
    go({});
    expect(await handle.wait()).toMatchObject({
      status: "completed",
      output: "rich",
      spent: { children: 1 },
    });
    expect(await kindsOfChildren(desk, handle.runId)).toStrictEqual([
      "subagent.started",
      "subagent.detaching",
      "subagent.detached",
      "subagent.reclaimed",
      "subagent.ended",
    ]);
    await desk.runs.close();
  });

  // proves CHILD-16.21
  test("what has ended is neither let go nor taken back", async () => {
    const { desk, handle, child, let: go } = await held();
    go({});
    await handle.wait();
    await expect(desk.runs.detach(child, "mine")).rejects.toMatchObject({ code: "invalid_transition" });
    await expect(desk.runs.reclaim(child)).rejects.toMatchObject({ code: "invalid_transition" });
    await desk.runs.close();
  });
});

// proves CHILD-16.9
test("usage is rolled up once, with everything that was used below", async () => {
  const parts: Parts = { parent: [[start("digger")], "done"], digger: [[read], [read], "gold"] };
  const desk = openFamily(parts, [{ ...background, mode: "wait" }]);
  const { spent } = await (await desk.start()).wait();
  // Two steps of its own and three of the child's; the call that started it and two of the child's.
  expect(spent).toMatchObject({ steps: 5, toolCalls: 3, children: 1, inputTokens: 50, outputTokens: 25 });
  await desk.runs.close();
});

test("a child goes on with its parent alone: nobody takes it on by itself", async () => {
  const { desk, child } = await held();
  await desk.store.die();
  const { clock, deck } = desk;
  const parts: Parts = { parent: saying("done") };
  const second: RunDesk = openFamily(parts, [background], {
    clock,
    deck,
    store: new FaultyStore(desk.store.inner),
    life: 2,
  });
  await expect(second.runs.resume(child)).rejects.toMatchObject({
    code: "invalid_package",
    details: { reason: "child" },
  });
  await second.runs.close();
});
