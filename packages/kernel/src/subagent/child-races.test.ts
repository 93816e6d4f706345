// Whoever is first holds, and whoever comes after sees it: a tree comes to its end whatever happens at once.
import { describe, expect, test } from "vitest";
import { atFirst } from "../../test-data/call-store.ts";
import {
  childSpec,
  kindsOfChildren,
  openFamily,
  type Parts,
  start,
  untilChild,
} from "../../test-data/family.ts";
import { untilState } from "../../test-data/family-story.ts";
import { asking, read, type RunDesk, write } from "../../test-data/run-desk.ts";
import { hookAt, yes } from "../../test-data/run-hooks.ts";
import { heldBack, untilKind } from "../../test-data/run-levers.ts";
import { problemsOf, verifyAccount } from "../journal/verify-account.ts";

const digger = childSpec("digger", { mode: "background", tools: "inherit_allowlist" });
const asker = childSpec("asker", { mode: "background", mayAsk: true });
const question = '{"ask":"which year?"}';

async function isWhole({ store }: RunDesk): Promise<void> {
  expect(problemsOf(await verifyAccount(store.inner, "acct_1"))).toStrictEqual([]);
}

/** A run that comes to this end stays before it until it is let. */
function stopAt(output: string) {
  const [reached, go] = [heldBack<void>(), heldBack<void>()];
  let isFirst = true;
  const hook = hookAt("on_stop", async (view) => {
    if (view.output === output && isFirst) {
      isFirst = false;
      reached.let();
      await go.held();
    }
    return yes();
  });
  return { hooks: [hook], reached: reached.held, go: go.let };
}

describe("a run that is about to end", () => {
  test("has a child started for it, waits for that, and is told what it comes to", async () => {
    const { hooks, reached, go } = stopAt("done");
    const parts: Parts = { parent: ["done", "really done"], digger: ["gold"] };
    const desk = openFamily(parts, [digger], { hooks });
    const handle = await desk.start();
    await reached();
    await desk.runs.startChild(handle.runId, { subagent: "subagent.digger", task: "look", key: "k" });
    go();
    expect(await handle.wait()).toMatchObject({
      status: "completed",
      output: "really done",
      children: [{ status: "completed" }],
    });
    await isWhole(desk);
    await desk.runs.close();
  });

  test("is started a child for at any moment, and comes to its end", async () => {
    for (let turns = 0; turns < 25; turns += 1) {
      const desk = openFamily({ parent: ["done", "done"], digger: ["gold"] }, [digger]);
      const handle = await desk.start();
      for (let waited = 0; waited < turns; waited += 1) await Promise.resolve();
      const starting = desk.runs
        .startChild(handle.runId, { subagent: "subagent.digger", task: "look", key: "k" })
        .catch(() => undefined);
      expect((await handle.wait()).status).toBe("completed");
      await starting;
      await isWhole(desk);
      await desk.runs.close();
    }
  });

  test("is told something, and its model hears it", async () => {
    const { hooks, reached, go } = stopAt("heard 1");
    const parts: Parts = {
      parent: [[start("digger")], "I wait", "done"],
      digger: ({ messages }) => `heard ${messages.filter(({ role }) => role === "user").length}`,
    };
    const desk = openFamily(parts, [digger], { hooks });
    const handle = await desk.start();
    await reached();
    const child = await untilChild(desk, handle.runId);
    await desk.runs.tell(child, "one thing more");
    go();
    await handle.wait();
    expect((await (await desk.runs.get(child)).result()).output).toBe("heard 2");
    await isWhole(desk);
    await desk.runs.close();
  });

  test("is told something too late, and whoever says it is told so", async () => {
    const [digging, looking] = [heldBack<void>(), heldBack<void>()];
    const parts: Parts = { parent: [[start("digger")], "I wait", "done"] };
    const desk = openFamily({ ...parts, digger: async () => (await digging.held(), "gold") }, [digger]);
    const handle = await desk.start();
    const child = await untilChild(desk, handle.runId);
    // Its parent is slow to look at what it has come to.
    let isFirst = true;
    desk.store.beforeRead = async ({ stream }) => {
      if (stream !== child || !isFirst) return;
      isFirst = false;
      await looking.held();
    };
    digging.let();
    await untilKind(desk, child, "run.ended");
    await expect(desk.runs.tell(child, "one thing more")).rejects.toMatchObject({
      code: "invalid_transition",
      details: { reason: "child_ended" },
    });
    looking.let();
    await handle.wait();
    await isWhole(desk);
    await desk.runs.close();
  });
});

test("a child asks while a child of its own asks", async () => {
  const thinking = heldBack<void>();
  const parts: Parts = {
    parent: ({ messages }, step) => (step === 1 ? [start("middle")] : `asked ${messages.at(-1)?.text}`),
    middle: async ({ messages }) =>
      messages.length === 2 ? (await thinking.held(), "thinking") : '{"ask":"what now?"}',
    asker: [question],
  };
  const middle = childSpec("middle", { mayAsk: true, budget: { maxChildren: 1, maxSteps: 10 } });
  const desk = openFamily(parts, [middle, asker]);
  const handle = await desk.start();
  const child = await untilChild(desk, handle.runId);
  await desk.runs.startChild(child, { subagent: "subagent.asker", task: "look", key: "k" });
  await untilKind(desk, child, "subagent.message");
  thinking.let();
  const result = await handle.wait();
  expect([result.status, result.output]).toStrictEqual([
    "completed",
    expect.stringContaining('"question":"what now?"'),
  ]);
  await isWhole(desk);
  await desk.runs.close();
});

test("a child that is let go when it has just asked goes on, and has nobody to ask", async () => {
  const [ending, began] = [heldBack<void>(), heldBack<void>()];
  const parts: Parts = {
    parent: async (_input, step) => (step === 1 ? [start("asker")] : (await ending.held(), "done")),
    asker: async () => (await began.held(), question),
  };
  const desk = openFamily(parts, [asker]);
  const handle = await desk.start();
  const child = await untilChild(desk, handle.runId);
  // Its parent is slow to look at what it has come to.
  const looking = heldBack<void>();
  desk.store.beforeRead = async ({ stream }) => (stream === child ? await looking.held() : undefined);
  began.let();
  await untilKind(desk, child, "run.asked");
  await desk.runs.detach(child, "the night desk looks after it");
  looking.let();
  ending.let();
  expect((await handle.wait()).children).toMatchObject([{ status: "detached" }]);
  const alone = await (await desk.runs.get(child)).wait();
  expect([alone.status, alone.output, alone.asks]).toStrictEqual(["completed", question, undefined]);
  await isWhole(desk);
  await desk.runs.close();
});

/** A parent at its model, whose child is held in its tool. */
async function held() {
  const [tool, ending] = [heldBack<unknown>(), heldBack<void>()];
  const parts: Parts = {
    parent: async (_input, step) => (step === 1 ? [start("digger")] : (await ending.held(), "done")),
    digger: [[write("slow")], "gold"],
  };
  const desk = openFamily(parts, [digger], { deed: () => tool.held() });
  const handle = await desk.start();
  const child = await untilChild(desk, handle.runId);
  await untilKind(desk, child, "call.intended");
  return { desk, handle, child, end: ending.let, let: () => tool.let({}) };
}

describe("a child that is being let go", () => {
  test("is let go, also where its parent is cancelled before that is over", async () => {
    const { desk, handle, child, ...tool } = await held();
    const owned = heldBack<void>();
    desk.store.fault = atFirst("run.owned", { type: "wait", for: owned.held() });
    const letting = desk.runs.detach(child, "the night desk looks after it");
    await untilKind(desk, handle.runId, "subagent.detaching");
    await handle.cancel();
    owned.let();
    await letting;
    expect(await handle.wait()).toMatchObject({ status: "cancelled", children: [{ status: "detached" }] });
    tool.let();
    expect(await (await desk.runs.get(child)).wait()).toMatchObject({ status: "completed", output: "gold" });
    await isWhole(desk);
    await desk.runs.close();
  });

  test("does not hold up its parent's last word, and is let go by its end", async () => {
    const { desk, handle, child, end, ...tool } = await held();
    const owned = heldBack<void>();
    desk.store.fault = atFirst("run.owned", { type: "wait", for: owned.held() });
    const letting = desk.runs.detach(child, "the night desk looks after it");
    await untilKind(desk, handle.runId, "subagent.detaching");
    end();
    await untilState(desk, handle.runId, "assembling");
    owned.let();
    await letting;
    expect(await handle.wait()).toMatchObject({ status: "completed", children: [{ status: "detached" }] });
    tool.let();
    expect((await (await desk.runs.get(child)).wait()).status).toBe("completed");
    await isWhole(desk);
    await desk.runs.close();
  });

  test("was let go, or was told to stop: at any moment one of them, and it ends so", async () => {
    for (let turns = 0; turns < 40; turns += 1) {
      const { desk, handle, child, ...tool } = await held();
      const letting = desk.runs.detach(child, "the night desk looks after it").then(
        () => true,
        () => false,
      );
      for (let waited = 0; waited < turns; waited += 1) await Promise.resolve();
      await handle.cancel();
      const isLetGo = await letting;
      expect((await handle.wait()).status).toBe("cancelled");
      tool.let();
      const { status } = await (await desk.runs.get(child)).wait();
      expect([turns, status]).toStrictEqual([turns, isLetGo ? "completed" : "cancelled"]);
      const last = (await kindsOfChildren(desk, handle.runId)).at(-1);
      expect(last).toBe(isLetGo ? "subagent.detached" : "subagent.ended");
      await isWhole(desk);
      await desk.runs.close();
    }
  });
});

describe("a child that asks, and that its own child wakes,", () => {
  const middle = childSpec("middle", {
    mode: "background",
    mayAsk: true,
    tools: "inherit_allowlist",
    budget: { maxChildren: 1, maxSteps: 10, maxToolCalls: 5 },
  });
  const isTold = (messages: readonly { readonly text: string }[]) =>
    messages.at(-1)?.text.includes("has completed") === true;

  async function woken(second: Parts[string]) {
    const ending = heldBack<void>();
    const parts: Parts = {
      parent: async (_input, step) => (step === 1 ? [start("middle")] : (await ending.held(), "done")),
      middle: (input, step) =>
        isTold(input.messages) || step > 2
          ? (second as (one: typeof input, step: number) => never)(input, step)
          : '{"ask":"first?"}',
      quick: ["quick"],
    };
    const desk = openFamily(parts, [middle, childSpec("quick")], { policy: { approvals: asking.approvals } });
    const handle = await desk.start();
    const child = await untilChild(desk, handle.runId);
    await untilKind(desk, handle.runId, "subagent.message");
    await desk.runs.startChild(child, { subagent: "subagent.quick", task: "look", key: "k" });
    return { desk, handle, child, end: ending.let };
  }

  test("waits for a person, which its parent lists", async () => {
    const { desk, handle, end } = await woken((_input, step) => (step === 2 ? [write("w")] : "written"));
    await untilKind(desk, handle.runId, "subagent.rested");
    const { approvals, children } = await handle.result();
    expect([approvals.length, children[0]?.status]).toStrictEqual([1, "resting"]);
    end();
    expect((await handle.wait({ for: "rest" })).status).toBe("requires_approval");
    await desk.operator.approve(approvals[0]?.approvalId ?? "");
    expect(await handle.wait()).toMatchObject({ status: "completed", children: [{ status: "completed" }] });
    await isWhole(desk);
    await desk.runs.close();
  });

  test("asks again, which its parent's model is told", async () => {
    const { desk, handle, end } = await woken(() => '{"ask":"second?"}');
    await untilKind(desk, handle.runId, "subagent.message", 2);
    end();
    await handle.wait();
    const told = desk.model.asked.findLast(({ messages }) => messages[0]?.role === "user")?.messages;
    expect(
      told?.filter(({ text }) => text.includes("asks, as data")).map(({ text }) => text.split("\n")[1]),
    ).toStrictEqual(['"first?"', '"second?"']);
    await isWhole(desk);
    await desk.runs.close();
  });
});

test("a child is told something 64 times at most, however many say something at once", async () => {
  const tool = heldBack<unknown>();
  const parts: Parts = { parent: [[start("digger")], "done"], digger: [[read], "gold"] };
  const desk = openFamily(parts, [digger], { deed: () => tool.held() });
  const handle = await desk.start();
  const child = await untilChild(desk, handle.runId);
  const all = await Promise.allSettled(
    Array.from({ length: 80 }, (_, index) => desk.runs.tell(child, `${index}`)),
  );
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(64);
  expect((await desk.kinds(child)).filter((kind) => kind === "run.told")).toHaveLength(64);
  tool.let({});
  await handle.wait();
  await isWhole(desk);
  await desk.runs.close();
});
