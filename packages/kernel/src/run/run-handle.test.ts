// B24, J3: whoever watches a run sees what is kept of it, from wherever, and as often as wanted; watching changes nothing.
import {
  InvalidInputError,
  JournalAppendFailedError,
  JournalCorruptError,
  type RuntimeEvent,
} from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { collected } from "../../test-data/call-desk.ts";
import { countedStore } from "../../test-data/counted-store.ts";
import { atEvery, FaultyStore } from "../../test-data/call-store.ts";
import { type Settlement, settlement, turn, unhandledDuring, until } from "../../test-data/call-waiting.ts";
import {
  asking,
  atOnce,
  levelOf,
  openRunDesk,
  read,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
  write,
} from "../../test-data/run-desk.ts";
import { hang, heldBack } from "../../test-data/run-levers.ts";
import { playStory, runStories } from "../../test-data/run-stories.ts";
import { runCursor } from "./state/run-events.ts";
import type { RunHandle } from "./run-handle.ts";

const asked: RunDeskOptions = { script: saying([write("a"), read], "written"), levels: levelOf(asking) };

/** Another process on the same store, that drives nothing. */
const beside = (desk: RunDesk, options: RunDeskOptions) =>
  openRunDesk({ ...options, life: 3, clock: desk.clock, store: new FaultyStore(desk.store.inner) });

const pass = async (desk: RunDesk, seconds: number) => {
  for (let at = 0; at < seconds; at++) {
    desk.clock.advance(1000);
    await turn();
    await turn();
  }
};

const cursorOf = (event: RuntimeEvent | undefined) => runCursor(event as Parameters<typeof runCursor>[0]);

async function approveAll(desk: RunDesk, handle: RunHandle): Promise<void> {
  const { approvals } = await handle.wait({ for: "rest" });
  for (const { approvalId } of approvals) {
    await desk.operator.approve(approvalId);
  }
}

describe("waiting", () => {
  test("twice gives the same, also by another handle, and in another process", async () => {
    const desk = openRunDesk({ script: saying([write("a")], "written") });
    const handle = await desk.start();
    const result = await handle.wait();
    const { steps, ...rest } = result;
    expect(steps).toHaveLength(3);
    expect(rest).toStrictEqual({
      runId: handle.runId,
      status: "completed",
      output: "written",
      spent: { steps: 2, inputTokens: 20, outputTokens: 10, toolCalls: 1, wallMs: 0 },
      spentOn: [
        { what: "model scripted", spent: { steps: 2, inputTokens: 20, outputTokens: 10 } },
        { what: "tool notes.write", spent: { toolCalls: 1, wallMs: 0 } },
      ],
      approvals: [],
      unknown: [],
      children: [],
    });
    expect(await handle.wait()).toStrictEqual(result);
    expect(await (await desk.runs.get(handle.runId)).wait()).toStrictEqual(result);
    expect(await (await beside(desk, {}).runs.get(handle.runId)).wait()).toStrictEqual(result);
  });

  test("no longer than a time cancels nothing", async () => {
    const model = heldBack<string>();
    const desk = openRunDesk({ script: model.held });
    const handle = await desk.start();
    const waiting = handle.wait({ timeoutMs: 1000 });
    await until(() => desk.model.asked.length === 1);
    desk.clock.advance(1000);
    await expect(waiting).rejects.toMatchObject({ code: "timeout" });
    expect(desk.model.asked[0]?.signal.aborted).toBe(false);
    model.let("done");
    expect((await handle.wait()).status).toBe("completed");
  });

  test("no longer than a time is no longer for a clock that was set back, and no shorter for one that was set forward", async () => {
    const model = heldBack<string>();
    const desk = openRunDesk({ script: model.held });
    const handle = await desk.start();
    await until(() => desk.model.asked.length === 1);
    for (const jump of [-3_600_000, 3_600_000]) {
      const waiting = handle.wait({ timeoutMs: 1000 });
      desk.clock.jump(jump);
      desk.clock.advance(999);
      expect(await settlement(waiting)).toStrictEqual({ state: "pending" });
      desk.clock.advance(1);
      expect(await settlement(waiting)).toMatchObject({ state: "broken", error: { code: "timeout" } });
    }
    model.let("done");
    expect((await handle.wait()).status).toBe("completed");
  });

  test("given up cancels nothing", async () => {
    const model = heldBack<string>();
    const desk = openRunDesk({ script: model.held });
    const handle = await desk.start();
    const controller = new AbortController();
    const waiting = handle.wait({ signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
    model.let("done");
    expect((await handle.wait()).status).toBe("completed");
  });

  test("for rest is over when only a person can go on, and says what for", async () => {
    const desk = openRunDesk(asked);
    const handle = await desk.start();
    const rest = await handle.wait({ for: "rest" });
    expect(rest).toMatchObject({
      status: "requires_approval",
      approvals: [{ status: "pending" }],
      unknown: [],
    });
    expect(await handle.wait({ for: "rest" })).toStrictEqual(rest);
    expect(await settlement(handle.wait())).toStrictEqual({ state: "pending" });
    await approveAll(desk, handle);
    expect((await handle.wait({ for: "rest" })).status).toBe("completed");
  });

  test("is over in another process when the one that drives it has written the end", async () => {
    const desk = openRunDesk(asked);
    const handle = await desk.start();
    const other = await beside(desk, asked).runs.get(handle.runId);
    const waiting = other.wait();
    await approveAll(desk, handle);
    expect(await waiting).toStrictEqual(await handle.wait());
  });

  test("of a process that closes says so, and the run goes on in the next", async () => {
    const desk = openRunDesk(asked);
    const handle = await desk.start();
    await handle.wait({ for: "rest" });
    const waiting = handle.wait();
    const watching = collected(handle.stream());
    const seen = Promise.allSettled([waiting, watching]);
    await desk.runs.close();
    expect(await seen).toMatchObject([
      { status: "rejected", reason: { code: "invalid_transition" } },
      { status: "rejected", reason: { code: "invalid_transition" } },
    ]);
    const next = reopenRunDesk(desk, asked);
    const [again] = await next.runs.open();
    await approveAll(next, again as RunHandle);
    expect((await again?.wait())?.status).toBe("completed");
  });
});

describe("cancelling", () => {
  test("twice, also at once, counts once, and is by whoever was first", async () => {
    const desk = openRunDesk({ script: hang });
    const handle = await desk.start();
    await until(() => desk.model.asked.length === 1);
    await Promise.all([handle.cancel(), handle.cancel(), desk.runs.cancel(handle.runId)]);
    await handle.cancel();
    await handle.wait();
    await handle.cancel();
    const kinds = await desk.kinds(handle.runId);
    expect(kinds.filter((kind) => kind === "run.cancelling")).toHaveLength(1);
    expect((await handle.wait()).status).toBe("cancelled");
  });

  test("at the very moment of the end is either too late, or is how it ends", async () => {
    const ends = new Set<string>();
    for (let turns = 0; turns < 25; turns++) {
      const desk = openRunDesk();
      const handle = await desk.start();
      for (let ticks = 0; ticks < turns * 4; ticks++) await Promise.resolve();
      await handle.cancel();
      const { status } = await handle.wait();
      const kinds = await desk.kinds(handle.runId);
      expect(kinds.includes("run.cancelling")).toBe(status === "cancelled");
      ends.add(status);
    }
    expect(ends).toStrictEqual(new Set(["cancelled", "completed"]));
  });
});

describe("a stream", () => {
  test("from any of its cursors gives the rest, without what was seen", async () => {
    const { desk, runId } = await playStory(
      runStories.find(({ story }) => story.startsWith("a person must approve")) ?? {
        story: "",
        play: async () => "",
      },
    );
    const handle = await desk.runs.get(runId);
    const all = await collected(handle.stream());
    expect(all).toStrictEqual(await desk.shown(runId));
    for (const [index, event] of all.entries()) {
      expect(await collected(handle.stream({ cursor: cursorOf(event) }))).toStrictEqual(all.slice(index + 1));
    }
  });

  test("of a cursor of another run, of none, or of one that is still to come is refused", async () => {
    const desk = openRunDesk();
    const [one, other] = [await desk.start(), await desk.start()];
    await Promise.all([one.wait(), other.wait()]);
    const [first] = await collected(other.stream());
    for (const cursor of [cursorOf(first), "", "nonsense", `${one.runId}:x.0`, `${one.runId}:99.0`]) {
      await expect(collected(one.stream({ cursor }))).rejects.toBeInstanceOf(InvalidInputError);
    }
  });

  test("is the same for whoever watches: from the beginning, late, slowly, and in another process", async () => {
    const desk = openRunDesk(asked);
    const handle = await desk.start();
    const live = collected(handle.stream());
    const slowly = (async () => {
      const seen: RuntimeEvent[] = [];
      for await (const event of handle.stream()) {
        seen.push(event);
        for (let turns = 0; turns < 20; turns++) await turn();
      }
      return seen;
    })();
    const elsewhere = collected((await beside(desk, asked).runs.get(handle.runId)).stream());
    await approveAll(desk, handle);
    const late = collected(handle.stream());
    await handle.wait();
    const told = await desk.shown(handle.runId);
    expect(told.at(-1)?.type).toBe("runtime.completed");
    for (const seen of [live, slowly, late, elsewhere, collected(handle.stream())]) {
      expect(await seen).toStrictEqual(told);
    }
  });

  test("in another process comes while the run goes on, not only at its end", async () => {
    const acts = heldBack<object>();
    const desk = openRunDesk({ script: saying([write("a")], "written"), deed: acts.held });
    const handle = await desk.start();
    const seen: string[] = [];
    const other = await beside(desk, {}).runs.get(handle.runId);
    const watching = (async () => {
      for await (const { type } of other.stream()) seen.push(type);
    })();
    await until(() => desk.deck.runs.length === 1);
    for (let times = 0; times < 3 && !seen.includes("tool.started"); times++) {
      desk.clock.advance(1000);
      for (let turns = 0; turns < 5; turns++) await turn();
    }
    expect(seen).toContain("tool.started");
    acts.let({});
    await handle.wait();
    await watching;
    expect(seen.at(-1)).toBe("runtime.completed");
  });

  test("that is given up ends, and the run goes on", async () => {
    const model = heldBack<string>();
    const desk = openRunDesk({ script: model.held });
    const handle = await desk.start();
    const controller = new AbortController();
    const watching = collected(handle.stream({ signal: controller.signal }));
    await until(() => desk.model.asked.length === 1);
    controller.abort();
    expect((await watching).map(({ type }) => type)).toStrictEqual(["runtime.started", "model.started"]);
    model.let("done");
    expect((await handle.wait()).status).toBe("completed");
  });

  test("adds nothing to the journal, nor to anything else that is kept", async () => {
    const desk = openRunDesk(asked);
    const handle = await desk.start();
    await handle.wait({ for: "rest" });
    const before = desk.store.units.length;
    const controller = new AbortController();
    const watchers = [handle, await desk.runs.get(handle.runId)].map((one) =>
      collected(one.stream({ signal: controller.signal })),
    );
    await handle.result();
    await handle.state();
    await turn();
    controller.abort();
    await Promise.all(watchers);
    expect(desk.store.units).toHaveLength(before);
  });
});

describe("where the store does not answer", () => {
  test("whoever waits or watches is told after a long time, and the run goes on by itself when it answers", async () => {
    const desk = openRunDesk({ script: saying([write("a")], "written"), runLimits: { outageMs: 20_000 } });
    desk.store.fault = atEvery("call.settled", { type: "throw" });
    const seen = await unhandledDuring(async () => {
      const handle = await desk.start();
      const told = [collected(handle.stream()), handle.wait()].map(
        async (one) => await Promise.allSettled([one]),
      );
      await until(() => desk.deck.runs.length === 1);
      await pass(desk, 10);
      expect([await settlement(handle.wait()), desk.deck.runs.length]).toStrictEqual([
        { state: "pending" },
        1,
      ]);
      await pass(desk, 20);
      const outage = { reason: { code: "recovery_needed" } };
      expect(await Promise.all(told)).toMatchObject([[outage], [outage]]);
      // However often it is asked.
      await expect(handle.wait()).rejects.toMatchObject(outage.reason);
      desk.store.fault = () => undefined;
      await pass(desk, 5);
      expect((await handle.wait()).status).toBe("completed");
    });
    expect(seen).toStrictEqual([]);
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("J2: what ran, and could be written a moment later, is written then", async () => {
    const desk = openRunDesk({ script: saying([write("a")], "written") });
    let failed = 0;
    desk.store.fault = (unit) => {
      const isEnding = JSON.stringify(unit).includes("call.settled");
      return isEnding && failed++ === 0 ? { type: "throw" } : undefined;
    };
    const handle = await desk.start();
    expect((await handle.wait()).status).toBe("completed");
    expect(desk.deck.runs).toHaveLength(1);
    expect(await desk.labels(handle.runId)).toContain("call.settled completed");
  });

  test("a commit that was written and not told of is not written again", async () => {
    const desk = openRunDesk({ script: saying([write("a")], "written") });
    desk.store.fault = (unit) => (unit.appends === undefined ? undefined : { type: "lost" });
    const handle = await desk.start();
    expect((await handle.wait()).status).toBe("completed");
    const kinds = await desk.kinds(handle.runId);
    expect(kinds).toStrictEqual([
      "run.opened",
      "model.intended",
      "model.settled",
      "call.intended",
      "call.settled",
      "model.intended",
      "model.settled",
      "run.ended",
    ]);
  });

  test("nothing more is written while nobody can say whether the last record was", async () => {
    const options = { script: saying([write("a"), write("b")], "written") };
    const desk = openRunDesk(options);
    let isDown = false;
    desk.store.fault = (unit) => {
      if (!JSON.stringify(unit).includes("call.settled") || isDown) return undefined;
      isDown = true;
      return { type: "lost" };
    };
    desk.store.beforeRead = () => {
      if (isDown) throw new JournalAppendFailedError("the disk does not answer");
    };
    const handle = await desk.start();
    await until(() => isDown);
    await pass(desk, 10);
    expect([await settlement(handle.wait()), desk.deck.runs.length]).toStrictEqual([{ state: "pending" }, 1]);
    desk.store.beforeRead = () => undefined;
    await pass(desk, 5);
    expect((await handle.wait()).status).toBe("completed");
    const labels = await desk.labels(handle.runId);
    expect(labels.filter((label) => label.startsWith("call.settled"))).toHaveLength(2);
    expect(desk.deck.runs).toHaveLength(2);
  });

  test("what ends beside a record of which nobody knows is written after it, and the run is listed as what it is", async () => {
    const desk = openRunDesk({ script: saying([write("a"), write("b")], "written"), strategy: atOnce(2) });
    const acts = [heldBack<object>(), heldBack<object>()];
    let begun = 0;
    desk.deck.deed = () => acts[begun++]?.held();
    let isDown = false;
    let isLost = false;
    desk.store.fault = (unit) => {
      if (isLost || !JSON.stringify(unit).includes("call.settled")) return undefined;
      isLost = true;
      isDown = true;
      return { type: "lost" };
    };
    desk.store.beforeRead = () => {
      if (isDown) throw new JournalAppendFailedError("the disk does not answer");
    };
    const handle = await desk.start();
    await until(() => begun === 2);
    acts[0]?.let({});
    await until(() => isLost);
    for (let turns = 0; turns < 5; turns++) await turn();
    isDown = false;
    acts[1]?.let({});
    await pass(desk, 5);
    expect((await handle.wait()).status).toBe("completed");
    const labels = await desk.labels(handle.runId);
    expect(labels.filter((label) => label === "call.settled completed")).toHaveLength(2);
    expect(begun).toBe(2);
  });

  test("another process that has taken the run over is waited for, as if it had always been there", async () => {
    const desk = openRunDesk(asked);
    const handle = await desk.start();
    await handle.wait({ for: "rest" });
    const waiting = handle.wait();
    // It hung for so long that its lease was given to another.
    await desk.store.inner.release(handle.runId, 1);
    const next = beside(desk, asked);
    const again = await next.runs.resume(handle.runId);
    await approveAll(next, again);
    expect(await waiting).toStrictEqual(await again.wait());
    expect(desk.deck.runs.filter(({ tool }) => tool === "notes.write")).toHaveLength(1);
    expect(await desk.kinds(handle.runId)).toContain("run.resumed");
  });
});

test("a thousand runs that wait for a person ask nothing of the store, and keep one timer each and one for whoever waits, until somebody answers", async () => {
  const { store, calls } = countedStore();
  const desk = openRunDesk({ script: saying([write("a")], "written"), levels: levelOf(asking), store });
  const handles = await Promise.all(Array.from({ length: 1000 }, async () => await desk.start()));
  await Promise.all(handles.map(async (handle) => await handle.wait({ for: "rest" })));
  const waiting = Promise.allSettled(handles.map(async (handle) => await handle.wait()));
  const watching = handles.slice(0, 100).map(async (handle) => await collected(handle.stream()));
  const watched = Promise.allSettled(watching);
  for (let turns = 0; turns < 50; turns++) await turn();
  const before = calls();
  expect(desk.clock.waiting).toBe(2000);
  for (let minutes = 0; minutes < 50; minutes++) {
    desk.clock.advance(60_000);
    await turn();
  }
  expect(calls()).toBe(before);
  const [first] = handles;
  await approveAll(desk, first as RunHandle);
  expect((await first?.wait())?.status).toBe("completed");
  expect((await watching[0])?.at(-1)?.type).toBe("runtime.completed");
  // The others have not looked because of it.
  expect(calls() - before).toBeLessThan(100);
  await desk.runs.close();
  expect((await waiting).filter(({ status }) => status === "rejected")).toHaveLength(999);
  expect((await watched).filter(({ status }) => status === "rejected")).toHaveLength(99);
  expect(desk.clock.waiting).toBe(0);
}, 60_000);

test("why runs are driven no more is remembered of the latest hundred, and of no more", async () => {
  const desk = openRunDesk();
  // What no outage explains is not tried again.
  desk.store.fault = atEvery("model.intended", {
    type: "wait",
    for: Promise.reject(new JournalCorruptError("the row is not what was written")),
  });
  const all: RunHandle[] = [];
  for (let count = 0; count < 102; count++) {
    const handle = await desk.start();
    all.push(handle);
    await expect(handle.wait()).rejects.toMatchObject({ code: "journal_corrupt" });
  }
  await desk.runs.close();
  const codes = all.map(async (handle) => codeOf(await settlement(handle.wait())));
  expect(await Promise.all(codes)).toStrictEqual(
    all.map((_, index) => (index < 2 ? "invalid_transition" : "journal_corrupt")),
  );
});

function codeOf(settled: Settlement): unknown {
  return settled.state === "broken" ? (settled.error as { code?: string }).code : settled.state;
}

test("the first event of a run names its session, and none if the run has none", async () => {
  for (const sessionId of ["monday", undefined]) {
    const desk = openRunDesk({ script: saying("done") });
    const handle = await desk.runs.start({ objective: "look", sessionId });
    await handle.wait();
    const [first] = await collected(handle.stream());
    expect(first).toMatchObject({ type: "runtime.started" });
    expect([
      Object.hasOwn(first ?? {}, "sessionId"),
      (first as { sessionId?: string }).sessionId,
    ]).toStrictEqual([sessionId !== undefined, sessionId]);
  }
});
