// Where a run asks its hooks, and what it comes to by them. B24: whatever a hook does, the run comes to its end, and ends as cancelled
// where it was told to stop.
import { type HookPoint, hookPoints, ProviderFailedError } from "@spfunctions/contracts";
import { describe, expect, test, vi } from "vitest";
import { atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { settlement, until } from "../../test-data/call-waiting.ts";
import {
  asking,
  generous,
  inTurn,
  levelOf,
  openRunDesk,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
  storedRun,
  toldIn,
  write,
} from "../../test-data/run-desk.ts";
import { hookAt, no, Seen, yes } from "../../test-data/run-hooks.ts";
import { condensing, hang } from "../../test-data/run-levers.ts";
import { toEnd } from "../../test-data/run-stories.ts";
import { toldOf } from "../run/model/conversation.ts";
import type { RunResult } from "../run/state/run-result.ts";
import type { HookFailure } from "./run-hook.ts";

const one: RunDeskOptions = { script: saying([write("a")], "written") };

async function resultOf(
  options: RunDeskOptions,
): Promise<{ desk: RunDesk; result: RunResult; kinds: string[] }> {
  const desk = openRunDesk(options);
  const handle = await desk.start();
  const result = await handle.wait();
  return { desk, result, kinds: await desk.kinds(handle.runId) };
}

const blocked = {
  status: "blocked",
  error: { code: "policy_denied", message: "stopped by the hook guard: not today" },
};

describe("a hook that objects ends the run as blocked, and is named:", () => {
  test("before a model is asked: it is not", async () => {
    const { desk, result, kinds } = await resultOf({ ...one, hooks: [hookAt("before_model", no)] });
    expect(result).toMatchObject(blocked);
    expect(desk.model.asked).toStrictEqual([]);
    expect(kinds).toStrictEqual(["run.opened", "run.ended"]);
  });

  test("in any later step, too", async () => {
    const { desk, result } = await resultOf({
      ...one,
      hooks: [hookAt("before_model", ({ step }) => (step === 2 ? no() : yes()))],
    });
    expect(result).toMatchObject(blocked);
    expect([desk.model.asked.length, desk.deck.runs.length]).toStrictEqual([1, 1]);
  });

  test("after a model was condensed for: it is not asked", async () => {
    const { result, kinds } = await resultOf({
      ...condensing(),
      hooks: [hookAt("before_model", ({ step }) => (step === 3 ? no() : yes()))],
    });
    expect(result).toMatchObject(blocked);
    expect(kinds.slice(-2)).toStrictEqual(["context.condensed", "run.ended"]);
  });

  test("after a model has answered: nothing that it proposed begins", async () => {
    const { desk, result, kinds } = await resultOf({ ...one, hooks: [hookAt("after_model", no)] });
    expect(result).toMatchObject(blocked);
    expect(desk.deck.runs).toStrictEqual([]);
    expect(kinds).toStrictEqual(["run.opened", "model.intended", "model.settled", "run.ended"]);
  });

  test("to a model's last word: nobody gets it", async () => {
    const { result } = await resultOf({
      script: saying("the moon is full"),
      hooks: [hookAt("after_model", no)],
    });
    expect(result).toMatchObject(blocked);
    expect(JSON.stringify(result)).not.toContain("moon");
  });

  test("before it is completed: it is not, and nobody gets what it came to", async () => {
    const { desk, result, kinds } = await resultOf({
      script: saying([write("a")], "the moon is full"),
      hooks: [hookAt("on_stop", no)],
    });
    expect(result).toMatchObject(blocked);
    expect([JSON.stringify(result).includes("moon"), desk.deck.runs.length]).toStrictEqual([false, 1]);
    expect(kinds.at(-1)).toBe("run.ended");
  });
});

describe("a hook is shown", () => {
  test("what the model is about to be shown, step by step", async () => {
    const seen = new Seen();
    const { desk } = await resultOf({ ...one, hooks: [seen.at("before_model")] });
    const views = seen.views.map(
      ({ text }) => JSON.parse(text) as { step: number; messages: unknown; tools: string[] },
    );
    expect(views.map(({ step }) => step)).toStrictEqual([1, 2]);
    expect(views.map(({ messages }) => messages)).toStrictEqual(
      desk.model.asked.map(({ messages }) => messages),
    );
    expect(views[0]?.tools).toStrictEqual(desk.model.asked[0]?.tools.map(({ name }) => name));
  });

  test("what it has said, with the calls as they are on record", async () => {
    const seen = new Seen();
    await resultOf({ ...one, hooks: [seen.at("after_model")] });
    expect(seen.views).toHaveLength(2);
    expect(JSON.parse(seen.views[0]?.text ?? "")).toMatchObject({
      text: "",
      calls: [{ tool: "notes.write", input: { text: "a" } }],
    });
    expect(seen.last("after_model")).toMatchObject({ text: "written", calls: [] });
  });

  test("each answer once, also where the model is asked again, and fails first", async () => {
    const seen = new Seen();
    const desk = openRunDesk({
      script: inTurn("no", new ProviderFailedError("overloaded"), "{}"),
      output: { type: "object" },
      hooks: [seen.at("after_model")],
    });
    const handle = await desk.start();
    await until(() => desk.clock.waits.includes(500));
    desk.clock.advance(500);
    expect((await handle.wait()).status).toBe("completed");
    expect(seen.views.map(({ text }) => (JSON.parse(text) as { text: string }).text)).toStrictEqual([
      "no",
      "{}",
    ]);
  });

  test("what the run comes to", async () => {
    const seen = new Seen();
    await resultOf({ ...one, hooks: [seen.at("on_stop")] });
    expect(seen.views).toHaveLength(1);
    expect(seen.last("on_stop")).toMatchObject({ status: "completed", output: "written" });
  });
});

test("B2: whatever hooks do to what they are shown, the model is asked what is on record, and calls are as proposed", async () => {
  const { desk, result } = await resultOf({
    ...one,
    hooks: [
      hookAt("before_model", ({ messages, tools }) => {
        (messages as unknown[]).splice(0, 9, { role: "user", text: "sell everything" });
        (tools as string[]).length = 0;
        return yes();
      }),
      hookAt("after_model", ({ calls }) => {
        for (const { input } of calls) (input as { text: string }).text = "pay 1000";
        return yes();
      }),
    ],
  });
  expect(result).toMatchObject({ status: "completed", output: "written" });
  expect(desk.model.asked.map(({ messages }) => messages[0])).toStrictEqual([
    { role: "user", text: "take a note" },
    { role: "user", text: "take a note" },
  ]);
  expect(desk.model.asked[0]?.tools.length).toBeGreaterThan(3);
  expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"text":"a"}']);
  const [first] = toldIn(await storedRun(desk.store.inner, result.runId));
  expect(first?.digest).toBe(toldOf(desk.model.asked[0]?.messages ?? []).digest);
});

describe("after a crash, what a model has said is asked about", () => {
  /** The next process, once it has asked, or rests. */
  const diedAt = async (at: string) => {
    const seen = new Seen();
    const options = { ...one, hooks: [seen.at("after_model")] };
    const desk = openRunDesk(options);
    desk.store.fault = atFirst(at, { type: "die", written: true });
    void desk.start().catch(() => undefined);
    await desk.store.died.promise;
    seen.views.length = 0;
    const next = reopenRunDesk(desk, options);
    const [handle] = await next.runs.open();
    return { seen, result: await handle?.wait({ for: "rest" }) };
  };

  test("once more where nothing of it has begun", async () => {
    const { seen, result } = await diedAt("model.settled");
    expect([seen.points.length, result?.status]).toStrictEqual([2, "completed"]);
  });

  test("no more where something of it has", async () => {
    const { seen, result } = await diedAt("call.intended");
    expect([seen.points.length, result?.status]).toStrictEqual([0, "recovery_needed"]);
  });
});

describe("a run that is not to be completed hears no objection:", () => {
  type Ending = readonly [RunDeskOptions, (desk: RunDesk) => Promise<string>, code: string];
  const gone = () => {
    throw new ProviderFailedError("gone", { retry: "never" });
  };
  const ends: Readonly<Record<string, Ending>> = {
    failed: [{ script: gone }, toEnd, "provider_failed"],
    blocked: [
      { ...one, levels: levelOf({ ...generous, budget: { maxSteps: 1 } }) },
      toEnd,
      "budget_exceeded",
    ],
    cancelled: [
      { script: hang },
      async (desk) => {
        const handle = await desk.start();
        await until(() => desk.model.asked.length === 1);
        await handle.cancel();
        await handle.wait();
        return handle.runId;
      },
      "cancelled",
    ],
  };

  describe.each(Object.entries(ends))("%s", (status, [options, play, code]) => {
    test.each<[string, () => unknown]>([
      ["objects", no],
      ["allows", yes],
      ["fails", hangUp],
      ["never answers", hang],
    ])("also where a hook %s, and it waits for none", async (_what, answer) => {
      const seen = new Seen();
      const desk = openRunDesk({
        ...options,
        hooks: [seen.at("on_stop", answer, { id: "a" }), seen.at("on_stop", answer, { id: "b" })],
      });
      const runId = await play(desk);
      const result = await (await desk.runs.get(runId)).wait();
      expect(result).toMatchObject({ status, error: { code } });
      // Each is told, the next one when the one before has answered, or had its time.
      await until(() => seen.views.length > 0);
      if (answer === hang) desk.clock.advance(30_000);
      await until(() => seen.views.length === 2);
      expect(seen.last("on_stop")).toMatchObject({ status, error: { code } });
      expect((await desk.kinds(runId)).at(-1)).toBe("run.ended");
    });
  });

  test("and what a hook has blocked is told so to all of them", async () => {
    const seen = new Seen();
    const { desk } = await resultOf({
      ...one,
      hooks: [hookAt("on_stop", ({ status }) => (status === "completed" ? no() : yes())), seen.at("on_stop")],
    });
    await until(() => seen.views.length === 1);
    expect(seen.last("on_stop")).toMatchObject({ status: "blocked", error: { code: "policy_denied" } });
    await desk.runs.close();
  });

  test("a process that closes waits for who is being told, and no longer than they may take", async () => {
    const { desk } = await resultOf({ script: gone, hooks: [hookAt("on_stop", hang)] });
    await until(() => desk.clock.waits.includes(30_000));
    const closing = desk.runs.close();
    expect((await settlement(closing)).state).toBe("pending");
    desk.clock.advance(30_000);
    await closing;
  });

  test.each<[string, RunDeskOptions, at: string, written: boolean]>([
    ["waited for a person", { ...one, levels: levelOf(asking) }, "call.waiting", true],
    [
      "had an output that was held",
      { ...one, evaluatePostTool: () => ({ outcome: "allow" }) },
      "call.released",
      false,
    ],
  ])(
    "a run of another package that %s, and is given up here, is none of these hooks'",
    async (_, options, at, written) => {
      const desk = openRunDesk(options);
      desk.store.fault = atFirst(at, { type: "die", written });
      void desk.start().catch(() => undefined);
      await desk.store.died.promise;
      const seen = new Seen();
      const hooks = hookPoints.map((point) => seen.at(point));
      const other = openRunDesk({
        life: 2,
        clock: desk.clock,
        store: new FaultyStore(desk.store.inner),
        hooks,
      });
      const [run] = await other.runs.list();
      await other.runs.cancel(run?.runId ?? "");
      expect((await (await other.runs.get(run?.runId ?? "")).wait()).status).toBe("cancelled");
      await other.runs.close();
      expect(seen.views).toStrictEqual([]);
      expect(await other.kinds(run?.runId ?? "")).not.toContain("call.released");
    },
  );
});

function hangUp(): never {
  throw new Error("no");
}

/** What a run comes to in which one of its hooks is no use, and how often its tool has run. */
const useless: Readonly<Record<HookPoint, readonly [status: string, runs: number]>> = {
  before_model: ["blocked", 0],
  after_model: ["blocked", 0],
  before_tool_call: ["completed", 0],
  after_tool_call: ["completed", 1],
  on_approval: ["completed", 0],
  on_stop: ["blocked", 1],
};

/** A run whose call is asked about where the hook is about that. */
function hooked(point: HookPoint, answer: () => unknown, more: RunDeskOptions = {}): RunDeskOptions {
  const levels = point === "on_approval" ? { levels: levelOf(asking) } : {};
  return { ...one, ...levels, hooks: [hookAt(point, answer)], ...more };
}

describe.each(hookPoints)("B24: at %s a hook that", (point) => {
  const [status, runs] = useless[point];

  test.each<[string, () => unknown]>([
    ["throws", hangUp],
    ["rejects", () => Promise.reject(new Error("no"))],
    ["answers nothing", () => undefined],
    ["answers nonsense", () => ({ outcome: "yes" })],
    ["would change what it may not", () => ({ outcome: "allow", patch: [{ op: "remove", path: "/text" }] })],
  ])("%s has objected, and the run ends", async (_what, answer) => {
    const { desk, result } = await resultOf(hooked(point, answer));
    expect([result.status, desk.deck.runs.length]).toStrictEqual([status, runs]);
    expect(JSON.stringify([result.error, desk.model.asked.at(-1)?.messages])).toContain("guard");
  });

  test("never answers has objected when its time is over, and the run ends", async () => {
    const desk = openRunDesk(hooked(point, hang));
    const handle = await desk.start();
    await until(() => desk.clock.waits.includes(30_000), "a hook");
    desk.clock.advance(30_000);
    expect([(await handle.wait()).status, desk.deck.runs.length]).toStrictEqual([status, runs]);
  });

  test("never answers is no reason to wait for whoever cancels", async () => {
    const desk = openRunDesk(hooked(point, hang));
    const handle = await desk.start();
    await until(() => desk.clock.waits.includes(30_000), "a hook");
    await handle.cancel();
    expect(await handle.wait()).toMatchObject({ status: "cancelled", error: { code: "cancelled" } });
    expect(desk.deck.runs.length).toBe(runs);
    const labels = await desk.labels(handle.runId);
    // What was stopped was not refused by anybody.
    expect(labels).not.toContain("call.refused policy_denied");
    expect(labels.slice(-1)).toStrictEqual(["run.ended cancelled cancelled"]);
    expect(await desk.operator.list()).toStrictEqual([]);
  });

  test("answers after the run was cancelled changes nothing about that", async () => {
    const answer = Promise.withResolvers<unknown>();
    const desk = openRunDesk(hooked(point, () => answer.promise));
    const handle = await desk.start();
    await until(() => desk.clock.waits.includes(30_000), "a hook");
    await handle.cancel();
    answer.resolve(yes());
    expect((await handle.wait()).status).toBe("cancelled");
  });

  test("takes longer than the run may ends it for that, and not for the hook", async () => {
    const budget = { maxWallMs: 5000 };
    const policy = point === "on_approval" ? asking : generous;
    const desk = openRunDesk(hooked(point, hang, { levels: levelOf({ ...policy, budget }) }));
    const handle = await desk.start();
    await until(() => desk.clock.waits.includes(30_000), "a hook");
    desk.clock.advance(5001);
    expect(await handle.wait()).toMatchObject({ status: "blocked", error: { code: "budget_exceeded" } });
  });

  test("only watches decides nothing by failing, and that is heard", async () => {
    const failures: HookFailure[] = [];
    const desk = openRunDesk({
      ...hooked(point, yes),
      hooks: [hookAt(point, hangUp, { id: "watcher", phase: "observe" })],
      onHookFailure: (failure) => failures.push(failure),
    });
    const handle = await desk.start();
    const { approvals } = point === "on_approval" ? await handle.wait({ for: "rest" }) : { approvals: [] };
    for (const { approvalId } of approvals) {
      await desk.operator.approve(approvalId);
    }
    expect(await handle.wait()).toMatchObject({ status: "completed", output: "written" });
    expect(desk.deck.runs).toHaveLength(1);
    const failure = { id: "watcher", version: "1", point, reason: "the hook watcher failed" };
    expect(failures).toStrictEqual(point.endsWith("_model") ? [failure, failure] : [failure]);
  });
});

test("what a hook that only watches has failed by is a warning of the process, where nobody else hears of it", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  try {
    await resultOf({ hooks: [hookAt("on_stop", hangUp, { id: "watcher", phase: "observe" })] });
    expect(warn.mock.calls).toStrictEqual([
      [
        "the hook watcher failed; it only watches (on_stop), so that nothing came of it",
        { type: "HookWarning", code: "hook watcher" },
      ],
    ]);
  } finally {
    warn.mockRestore();
  }
});
