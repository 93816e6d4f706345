// A run can be told to stop whatever it is doing: it reaches the model, the tools and the questions, and ends in a record.
import { ProviderFailedError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { settlement, until } from "../../test-data/call-waiting.ts";
import {
  asking,
  atOnce,
  inTurn,
  levelOf,
  openRunDesk,
  put,
  read,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
  write,
} from "../../test-data/run-desk.ts";
import {
  ask,
  call,
  condensing,
  doubt,
  hang,
  heldBack,
  pulledBy,
  untilKind,
} from "../../test-data/run-levers.ts";
import type { RunHandle } from "./run-handle.ts";
import { hasEnded, runStates } from "./state/run-states.ts";

type Scene = {
  readonly options: RunDeskOptions;
  /** Until it has come there. */
  readonly come: (desk: RunDesk, handle: RunHandle) => Promise<unknown>;
  /** What it had waited for happens. */
  readonly go?: () => void;
};

const atRest = async (_desk: RunDesk, handle: RunHandle) => await handle.wait({ for: "rest" });

const scenes: Readonly<Record<string, () => Scene>> = {
  starting: () => {
    const valid = heldBack<boolean>();
    let times = 0;
    return {
      options: { isStarterValid: () => (times++ === 0 ? true : valid.held()) },
      come: async () => undefined,
      go: () => valid.let(true),
    };
  },
  assembling: () => ({
    options: { script: inTurn(new ProviderFailedError("overloaded")) },
    come: async (desk) => await until(() => desk.clock.waits.includes(500)),
  }),
  compacting: () => {
    const valid = heldBack<boolean>();
    let times = 0;
    return {
      // Asked before it starts, before each of two steps with a call, before it is condensed, and then.
      options: { ...condensing(), isStarterValid: () => (times++ < 6 ? true : valid.held()) },
      come: async (desk, handle) => await untilKind(desk, handle.runId, "context.condensed"),
      go: () => valid.let(true),
    };
  },
  modelling: () => ({
    options: { script: hang },
    come: async (desk) => await until(() => desk.model.asked.length === 1),
  }),
  calling: () => ({
    options: { script: saying([write("a"), write("b")], "done"), deed: hang },
    come: async (desk) => await until(() => desk.deck.runs.length === 1),
  }),
  waiting: () => ({
    options: { script: saying([write("a")], "done"), levels: levelOf(asking) },
    come: atRest,
  }),
  recovery_needed: () => ({
    options: {
      script: saying([call("a"), call("b")], "done"),
      strategy: atOnce(2),
      ...pulledBy({ a: { acts: doubt }, b: { judged: ask } }),
    },
    come: atRest,
  }),
};

test("there is a way into every state that is no end", () => {
  expect(Object.keys(scenes).toSorted()).toStrictEqual(runStates.filter((one) => !hasEnded(one)).toSorted());
});

describe.each(Object.entries(scenes))("a run that is %s", (state, scene) => {
  test.each(["by its own process", "by another process", "after its process has died"])(
    "is cancelled %s",
    async (who) => {
      const { options, come, go } = scene();
      const desk = openRunDesk(options);
      const handle = await desk.start();
      await come(desk, handle);
      expect(await handle.state()).toBe(state);
      const store = new FaultyStore(desk.store.inner);
      const other = () => openRunDesk({ ...options, life: 3, clock: desk.clock, store });
      if (who === "after its process has died") await desk.store.die();
      const acting = who === "by its own process" ? desk : other();
      acting.deck.runs.length = 0;
      await acting.runs.cancel(handle.runId);
      go?.();
      const result = await (await acting.runs.get(handle.runId)).wait();
      expect(result).toMatchObject({ status: "cancelled", error: { code: "cancelled" } });
      expect(result.error?.message).toBe("cancelled by key_1; what had begun has ended");
      expect((await desk.kinds(handle.runId)).at(-1)).toBe("run.ended");
      expect(acting.deck.runs).toStrictEqual([]);
      expect(await acting.operator.list()).toStrictEqual([]);
    },
  );
});

test("cancelling reaches the model's signal, the tool's signal and the question", async () => {
  const signals: AbortSignal[] = [];
  const options = {
    script: saying([call("a"), call("b")], "done"),
    strategy: atOnce(2),
    ...pulledBy({ b: { judged: ask } }),
    deed: (_input: unknown, context: { signal: AbortSignal }) => {
      signals.push(context.signal);
      return hang();
    },
  };
  const desk = openRunDesk(options);
  const handle = await desk.start();
  await until(() => signals.length === 1);
  const [approval] = await desk.operator.list();
  await handle.cancel();
  await handle.wait();
  expect(signals.map(({ aborted }) => aborted)).toStrictEqual([true]);
  expect((await desk.operator.get(approval?.approvalId ?? "")).status).toBe("cancelled");
  await expect(desk.operator.approve(approval?.approvalId ?? "")).rejects.toMatchObject({
    code: "invalid_transition",
  });
  const asked = openRunDesk({ script: hang });
  const other = await asked.start();
  await until(() => asked.model.asked.length === 1);
  await other.cancel();
  await other.wait();
  expect(asked.model.asked[0]?.signal.aborted).toBe(true);
});

const busy: RunDeskOptions = {
  script: saying([put("a"), read], [put("b"), write("c")], "done"),
  strategy: atOnce(2),
};

test("cancelled at any of its commits, nothing begins any more, and it ends as cancelled unless it had ended", async () => {
  const whole = openRunDesk(busy);
  await (await whole.start()).wait();
  const commits = whole.store.units.length;
  expect(commits).toBeGreaterThan(10);
  const ends = new Set<string>();
  for (let at = 2; at < commits; at++) {
    const desk = openRunDesk(busy);
    const begun = Promise.withResolvers<RunHandle>();
    let runs = -1;
    desk.store.fault = (_unit, index) => {
      if (index !== at) return undefined;
      void (async () => {
        await (await begun.promise).cancel();
        runs = desk.deck.runs.length;
      })();
      return undefined;
    };
    const handle = await desk.start();
    begun.resolve(handle);
    const { status } = await handle.wait();
    const kinds = await desk.kinds(handle.runId);
    expect(kinds.includes("run.cancelling")).toBe(status === "cancelled");
    expect(desk.deck.runs.length).toBe(status === "cancelled" ? runs : desk.deck.runs.length);
    ends.add(status);
  }
  expect(ends).toContain("cancelled");
});

test("a cancel that is on record is carried out by the next process, wherever the first one dies after it", async () => {
  for (let after = 1; after < 3; after++) {
    for (const written of [true, false]) {
      const options = { ...busy, levels: levelOf(asking) };
      const desk = openRunDesk(options);
      const handle = await desk.start();
      const { approvals } = await handle.wait({ for: "rest" });
      desk.store.failNext({ type: "die", written }, after);
      void handle.cancel();
      await desk.store.died.promise;
      const next = reopenRunDesk(desk, options);
      next.deck.runs.length = 0;
      for (const { approvalId } of approvals) {
        await next.operator.approve(approvalId).catch(() => undefined);
      }
      await next.runs.open();
      const result = await (await next.runs.get(handle.runId)).wait();
      expect(result.status).toBe("cancelled");
      expect(next.deck.runs).toStrictEqual([]);
      expect(next.model.asked).toStrictEqual([]);
    }
  }
});

describe("where a process died while a tool ran that may be repeated,", () => {
  const options: RunDeskOptions = { script: saying([put("a")], "done") };
  const begun = async () => {
    const desk = openRunDesk({ ...options, deed: hang });
    const handle = await desk.start();
    await until(() => desk.deck.runs.length === 1);
    return { desk, handle };
  };

  test("a cancel reaches the tool that the next process has begun again", async () => {
    const { desk, handle } = await begun();
    await desk.store.die();
    const signals: AbortSignal[] = [];
    const deed = (_input: unknown, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return hang();
    };
    const next = reopenRunDesk(desk, { ...options, deed });
    const again = await next.runs.resume(handle.runId);
    await until(() => signals.length === 1);
    await again.cancel();
    expect(await settlement(again.wait())).toMatchObject({ state: "kept", value: { status: "cancelled" } });
    expect(signals.map(({ aborted }) => aborted)).toStrictEqual([true]);
  });

  test("a cancel that was on record by then begins no tool again: what became of it is unknown", async () => {
    const { desk, handle } = await begun();
    desk.store.fault = atFirst("call.settled", { type: "die", written: false });
    void handle.cancel();
    await desk.store.died.promise;
    expect((await desk.kinds(handle.runId)).at(-1)).toBe("run.cancelling");
    const next = reopenRunDesk(desk, options);
    next.deck.runs.length = 0;
    const again = await next.runs.resume(handle.runId);
    expect((await again.wait()).status).toBe("cancelled");
    expect(next.deck.runs).toStrictEqual([]);
    expect(await next.labels(handle.runId)).toContain("call.settled unknown recovery_needed");
  });
});
