// What a tree comes to after a crash does not depend on what is kept of a task: a child that is there is gone on with, and one that can
// begin no more is nobody's burden.
import { describe, expect, test } from "vitest";
import { openDesk } from "../../test-data/call-desk.ts";
import { atFirst, FaultyStore, kindsIn } from "../../test-data/call-store.ts";
import { childSpec, openFamily, type Parts, start, untilChild } from "../../test-data/family.ts";
import { approveAll, reopenFamily, untilState } from "../../test-data/family-story.ts";
import { asking, put, type RunDesk, write } from "../../test-data/run-desk.ts";
import { heldBack, untilKind } from "../../test-data/run-levers.ts";
import { genesisOf } from "../journal/seal.ts";
import { problemsOf, verifyAccount } from "../journal/verify-account.ts";

const token = "sk_live_abcdefghijklmnopqrstuvwx";
const digger = childSpec("digger", { tools: "inherit_allowlist" });
const policy = { approvals: asking.approvals };

/** Somebody erases all that was kept of a call. */
async function erase(desk: RunDesk, callId: string): Promise<void> {
  const { clock, deck, store } = desk;
  const { seat } = openDesk({ life: 7, clock, deck, store: new FaultyStore(store.inner) });
  await seat.erase(callId);
  await seat.close();
}

async function callOf(desk: RunDesk, runId: string, tool: string): Promise<string> {
  const records = await desk.records(runId);
  const found = records.find((one) => one.kind === "call.intended" && one.tool === tool);
  return found?.kind === "call.intended" ? found.callId : "";
}

async function isWhole({ store }: RunDesk): Promise<void> {
  expect(problemsOf(await verifyAccount(store.inner, "acct_1"))).toStrictEqual([]);
}

describe.each(["a secret", "erased"] as const)("a task that holds %s is no obstacle to its child", (what) => {
  const task = what === "a secret" ? `use ${token}` : "use it";
  const parts: Parts = { parent: [[start("digger", task)], "done"], digger: [[write("w")], "gold"] };

  /** The process dies while the child waits for a person. */
  async function rested(): Promise<{ readonly first: RunDesk; readonly runId: string }> {
    const first = openFamily(parts, [digger], { policy });
    const { runId } = await first.start();
    await untilState(first, runId, "waiting");
    await first.store.die();
    if (what === "erased") await erase(first, await callOf(first, runId, "subagent.digger"));
    return { first, runId };
  }

  test.each(["before", "after"] as const)("that waits for a person, answered %s it goes on", async (when) => {
    const { first, runId } = await rested();
    const second = reopenFamily(first, parts, [digger], { policy });
    if (when === "before") await approveAll(second);
    const [handle] = await second.runs.open();
    if (when === "after") {
      await untilKind(second, runId, "call.retried");
      await approveAll(second);
    }
    expect(await handle?.wait()).toMatchObject({
      status: "completed",
      output: "done",
      unknown: [],
      children: [{ status: "completed" }],
    });
    expect(second.deck.inputsOf("notes.write")).toStrictEqual(['{"text":"w"}']);
    await isWhole(second);
    await second.runs.close();
  });

  test("that waits for a person, and is cancelled with its parent", async () => {
    const { first, runId } = await rested();
    const second = reopenFamily(first, parts, [digger], { policy });
    await second.runs.cancel(runId);
    expect(await (await second.runs.get(runId)).wait()).toMatchObject({ status: "cancelled" });
    await isWhole(second);
    await second.runs.close();
  });

  test("that had begun", async () => {
    const first = openFamily(parts, [digger]);
    let opened = 0;
    first.store.fault = (unit) =>
      kindsIn(unit).includes("run.opened") && ++opened === 2 ? { type: "die", written: true } : undefined;
    const { runId } = await first.start();
    await first.store.died.promise;
    if (what === "erased") await erase(first, await callOf(first, runId, "subagent.digger"));
    const second = reopenFamily(first, parts, [digger]);
    const [handle] = await second.runs.open();
    expect(await handle?.wait()).toMatchObject({ status: "completed", children: [{ status: "completed" }] });
    await isWhole(second);
    await second.runs.close();
  });
});

test("a task that was not begun is begun as it is on record; where it was erased, its parent's model is told", async () => {
  const parts: Parts = {
    parent: ({ messages }, step) =>
      step === 1 ? [start("digger", `use ${token}`)] : `told ${messages.at(-1)?.text}`,
    digger: ({ messages }) => `heard ${messages.at(-1)?.text}`,
  };
  for (const isErased of [false, true]) {
    const first = openFamily(parts, [digger]);
    first.store.fault = atFirst("call.intended", { type: "die", written: true });
    const { runId } = await first.start();
    await first.store.died.promise;
    if (isErased) await erase(first, await callOf(first, runId, "subagent.digger"));
    const second = reopenFamily(first, parts, [digger]);
    const [handle] = await second.runs.open();
    const { status, output, children } = (await handle?.wait()) ?? {};
    expect([status, children?.length]).toStrictEqual(["completed", isErased ? 0 : 1]);
    expect(output).toContain(isErased ? "propose it again" : "heard use [redacted");
    expect(output).not.toContain(token);
    await second.runs.close();
  }
});

describe("a child that can begin no more, of which its parent has said that it begins,", () => {
  const parts: Parts = { parent: [[start("digger")], "done", "done"], digger: ["gold"] };

  /** Its starter's key ends with the record that starts it. */
  function endingKey() {
    const key = { isGood: true };
    const desk = openFamily(parts, [digger], { isStarterValid: () => key.isGood });
    desk.store.fault = (unit) => {
      if (kindsIn(unit).includes("subagent.started")) key.isGood = false;
      return undefined;
    };
    return desk;
  }

  test("for its starter's key, ends with its parent", async () => {
    const desk = endingKey();
    const result = await (await desk.start()).wait();
    expect(result).toMatchObject({
      status: "blocked",
      error: { code: "invalid_api_key" },
      spent: { children: 1 },
      children: [{ status: "cancelled", spent: { children: 1 } }],
    });
    expect((await desk.runs.list()).map(({ runId }) => runId)).toStrictEqual([result.runId]);
    await isWhole(desk);
    await desk.runs.close();
  });

  test("for its starter's key, is told to whoever starts it", async () => {
    const asked = heldBack<void>();
    const key = { isGood: true };
    const desk = openFamily({ ...parts, parent: async () => (await asked.held(), "done") }, [digger], {
      isStarterValid: () => key.isGood,
    });
    const handle = await desk.start();
    key.isGood = false;
    const given = { subagent: "subagent.digger", task: "look", key: "k" };
    await expect(desk.runs.startChild(handle.runId, given)).rejects.toMatchObject({
      code: "cancelled",
      message: expect.stringContaining("it never began: the key key_1 is not valid any more"),
    });
    asked.let();
    expect((await handle.wait()).status).toBe("blocked");
    await desk.runs.close();
  });

  describe.each(["wait", "background"] as const)("because it was erased, with the mode %s,", (mode) => {
    const spec = { ...digger, mode };

    async function erased(): Promise<{ readonly second: RunDesk; readonly runId: string }> {
      const first = openFamily(parts, [spec]);
      first.store.fault = atFirst("subagent.started", { type: "die", written: true });
      const { runId } = await first.start();
      await first.store.died.promise;
      await erase(first, await callOf(first, runId, "subagent.digger"));
      return { second: reopenFamily(first, parts, [spec]), runId };
    }

    test("does not hold its parent up, whose model is told", async () => {
      const { second, runId } = await erased();
      const [handle] = await second.runs.open();
      expect(await handle?.wait()).toMatchObject({
        status: "completed",
        output: "done",
        children: [{ status: "cancelled" }],
      });
      const told = second.model.asked.at(-1)?.messages.map(({ text }) => text);
      expect(told?.join("\n")).toContain("it never began: what it was to be told was erased");
      expect(await second.runs.list()).toHaveLength(1);
      expect(runId).toBe(handle?.runId);
      await isWhole(second);
      await second.runs.close();
    });

    test("can be cancelled with its parent", async () => {
      const { second, runId } = await erased();
      await second.runs.cancel(runId);
      expect((await (await second.runs.get(runId)).wait()).status).toBe("cancelled");
      await isWhole(second);
      await second.runs.close();
    });
  });
});

describe("a child that is taken back", () => {
  const background = { ...digger, mode: "background" } as const;

  /** It was let go while its tool is held; its parent is at its model until it is let end. */
  async function letGo() {
    const [tool, ending] = [heldBack<unknown>(), heldBack<void>()];
    const parts: Parts = {
      parent: async (_input, step) => (step === 1 ? [start("digger")] : (await ending.held(), "done")),
      digger: [[put("slow")], "gold"],
    };
    const desk = openFamily(parts, [background], { deed: () => tool.held() });
    const handle = await desk.start();
    const child = await untilChild(desk, handle.runId);
    await untilKind(desk, child, "call.intended");
    await desk.runs.detach(child, "the night desk looks after it");
    return { desk, handle, child, end: ending.let, let: () => tool.let({}) };
  }

  const quick: Parts = { parent: ["done", "done"], digger: [[put("slow")], "gold"] };

  test.each([
    ["before its parent has said so, is on its own", false, "detached"],
    ["after its parent has said so, is its parent's", true, "completed"],
  ] as const)("when the process dies %s", async (_when, written, status) => {
    const { desk, handle, child } = await letGo();
    desk.store.fault = atFirst("subagent.reclaimed", { type: "die", written });
    void desk.runs.reclaim(child);
    await desk.store.died.promise;
    desk.deck.deed = () => ({});
    const second = reopenFamily(desk, quick, [background]);
    expect(await second.runs.isDetached(child)).toBe(!written);
    await second.runs.open();
    const parent = await (await second.runs.get(handle.runId)).wait();
    expect(parent).toMatchObject({ status: "completed", children: [{ status }] });
    expect((await second.kinds(child)).includes("run.ended")).toBe(written);
    await isWhole(second);
    await second.runs.close();
  });

  test("while its parent ends is its parent's, or stays on its own, and never nobody's", async () => {
    for (let turns = 0; turns < 30; turns += 1) {
      const { desk, handle, child, end, ...tool } = await letGo();
      end();
      for (let waited = 0; waited < turns; waited += 1) await Promise.resolve();
      const isTaken = await desk.runs.reclaim(child).then(
        () => true,
        () => false,
      );
      tool.let();
      const { children } = await handle.wait();
      const { status } = await (await desk.runs.get(child)).wait();
      expect([turns, status, children[0]?.status]).toStrictEqual([
        turns,
        "completed",
        isTaken ? "completed" : "detached",
      ]);
      expect(await desk.runs.isDetached(child)).toBe(!isTaken);
      await isWhole(desk);
      await desk.runs.close();
    }
  });

  test("is not where another process drives it: nothing is said of it, and its parent comes to its end", async () => {
    const { desk, handle, child } = await letGo();
    await desk.store.die();
    await desk.store.inner.lease(child, "acct_1", genesisOf(child, "acct_1"));
    const ending = heldBack<void>();
    const parts: Parts = { ...quick, parent: async () => (await ending.held(), "done") };
    const second = reopenFamily(desk, parts, [background]);
    await second.runs.open();
    await expect(second.runs.reclaim(child)).rejects.toMatchObject({
      code: "invalid_transition",
      details: { reason: "driven_elsewhere" },
    });
    ending.let();
    expect(await (await second.runs.get(handle.runId)).wait()).toMatchObject({
      status: "completed",
      children: [{ status: "detached" }],
    });
    await second.runs.close();
  });
});
