// B24: whatever fails, every stream ends, every promise settles, nothing is left unhandled, and the run's end is on record.
import { ProviderFailedError, RecoveryNeededError } from "@spfunctions/contracts";
import type { ModelAdapter, ModelEvent } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { unhandledDuring, until } from "../../../kernel/test-data/call-waiting.ts";
import { inTurn, put, read, saying, ScriptedModel, write } from "../../../kernel/test-data/run-desk.ts";
import { hang } from "../../../kernel/test-data/run-levers.ts";
import {
  anotherRuntime,
  asking,
  eventsOf,
  resultOf,
  type RuntimeDesk,
  runtimeDesk,
  type RuntimeDeskOptions,
  typesOf,
} from "../../test-data/runtime-desk.ts";
import type { RuntimeHooks } from "./index.ts";

const usage = { inputTokens: 1, outputTokens: 1 };
const boom = (): never => {
  throw new Error("boom");
};

/** How a run comes to its end: its status and code, its last event and its last record. Nothing of it is left unhandled. */
async function endOf(options: RuntimeDeskOptions, during?: (desk: RuntimeDesk, runId: string) => unknown) {
  const clock = new ManualClock();
  const desk = runtimeDesk({ says: [[write("a")], "done"], clock, ...options });
  let seen: readonly unknown[] = [];
  const unhandled = await unhandledDuring(async () => {
    const stream = desk.runtime.runStream({ objective: "write" });
    const events = eventsOf(stream);
    const runId = await stream.runId;
    // Whatever waits for its time gets it.
    const pass = setInterval(() => clock.advance(1000), 1);
    try {
      await during?.(desk, runId);
      const { status, error } = await resultOf(stream.result);
      const [last, ended] = [typesOf(await events).at(-1), (await desk.records(runId)).at(-1)];
      seen = [status, error?.code, last, ended?.kind];
    } finally {
      clearInterval(pass);
    }
  });
  expect(unhandled).toStrictEqual([]);
  return { ...desk, seen };
}

const completed = ["completed", undefined, "runtime.completed", "run.ended"];
const cancelled = ["cancelled", "cancelled", "runtime.cancelled", "run.ended"];
const failed = (code: string) => ["failed", code, "runtime.failed", "run.ended"];
const blocked = (code: string) => ["blocked", code, "runtime.failed", "run.ended"];

describe("B24: a hook that", () => {
  const points: readonly (readonly [keyof RuntimeHooks, readonly unknown[]])[] = [
    ["beforeModel", blocked("policy_denied")],
    ["afterModel", blocked("policy_denied")],
    ["beforeToolCall", completed],
    ["afterToolCall", completed],
    ["onStop", blocked("policy_denied")],
  ];

  describe.each(points)("stands at %s and", (point, end) => {
    test.each<[string, () => unknown]>([
      ["throws", boom],
      ["throws later", async () => boom()],
      ["never ends", hang],
      ["says nothing", () => undefined],
      ["says what is no answer", () => ({ outcome: "maybe" })],
    ])("%s has objected, and the run comes to its end", async (_what, run) => {
      const { seen, deck } = await endOf({ hooks: { [point]: run as never } });
      expect(seen).toStrictEqual(end);
      expect(deck.runs).toHaveLength(point === "afterToolCall" || point === "onStop" ? 1 : 0);
    });

    test("only watches, and fails: nothing comes of it, and the host hears of it", async () => {
      const heard = new Set<string>();
      const onHookFailure = ({ id }: { id: string }) => void heard.add(id);
      const { seen } = await endOf({ hooks: { [point]: { phase: "observe", run: boom } }, onHookFailure });
      expect(seen).toStrictEqual(completed);
      expect([...heard]).toStrictEqual([`${point}-1`]);
    });
  });

  test("stands at onApproval and throws: nobody is asked, and the model is told", async () => {
    const { seen, deck, operator } = await endOf({ policy: asking, hooks: { onApproval: boom } });
    expect(seen).toStrictEqual(completed);
    expect([deck.runs, await operator.list()]).toStrictEqual([[], []]);
  });

  test("is asked whether a tool may be used and throws, or never ends, has said no", async () => {
    for (const canUseTool of [boom, hang]) {
      const { seen, deck } = await endOf({ canUseTool });
      expect(seen).toStrictEqual(completed);
      expect(deck.runs).toStrictEqual([]);
    }
  });
});

// proves RUN-7.4
describe("B24: a provider that", () => {
  const speaking = (pieces: () => AsyncGenerator<ModelEvent>): ModelAdapter => ({
    name: "speaking",
    offline: true,
    complete: async () => ({ text: "done", toolCalls: [], finish: "stop", usage }),
    stream: pieces,
  });

  test.each<[string, RuntimeDeskOptions, readonly unknown[]]>([
    [
      "fails for good",
      { script: inTurn(new ProviderFailedError("no", { retry: "never" })) },
      failed("provider_failed"),
    ],
    ["fails again and again", { script: () => Promise.reject(new Error("down")) }, failed("provider_failed")],
    ["fails once", { script: inTurn(new Error("busy"), "done") }, completed],
    ["never answers", { script: hang }, failed("provider_failed")],
    ["answers nothing", { script: () => ({ raw: undefined }) }, failed("provider_failed")],
    [
      "answers with emptiness",
      { script: () => ({ raw: { text: " ", toolCalls: [], finish: "stop", usage } }) },
      failed("provider_failed"),
    ],
    [
      "answers half",
      { script: () => ({ raw: { text: "I was", toolCalls: [], finish: "length", usage } }) },
      failed("provider_failed"),
    ],
    [
      "says itself that it failed",
      { script: () => ({ raw: { toolCalls: [], finish: "error", usage } }) },
      failed("provider_failed"),
    ],
    [
      "does not say what it cost",
      { script: () => ({ raw: { text: "x", toolCalls: [], finish: "stop" } }) },
      failed("provider_failed"),
    ],
    [
      "calls without a name",
      { script: () => ({ raw: { toolCalls: [{ id: "a", args: {} }], finish: "tool_calls", usage } }) },
      failed("provider_failed"),
    ],
    [
      "calls what is no list",
      { script: () => ({ raw: { toolCalls: "notes.write", finish: "tool_calls", usage } }) },
      failed("provider_failed"),
    ],
    [
      "calls two things under one id",
      { script: () => ({ raw: { toolCalls: [call("a"), call("a")], finish: "tool_calls", usage } }) },
      failed("provider_failed"),
    ],
    [
      "calls more than anybody could",
      {
        script: () => ({
          raw: {
            toolCalls: Array.from({ length: 65 }, (_, at) => call(`${at}`)),
            finish: "tool_calls",
            usage,
          },
        }),
      },
      failed("provider_failed"),
    ],
    [
      "answers with what throws when it is read",
      { script: () => ({ raw: new Proxy({}, { ownKeys: boom }) }) },
      failed("provider_failed"),
    ],
    [
      "has a stream that breaks off",
      {
        model: speaking(async function* () {
          yield { type: "text.delta", text: "I was" };
        }),
      },
      failed("provider_failed"),
    ],
    [
      "has a stream that throws",
      {
        model: speaking(async function* () {
          yield { type: "text.delta", text: "I" };
          boom();
        }),
      },
      failed("provider_failed"),
    ],
    [
      "has a stream that never ends",
      {
        model: speaking(async function* () {
          yield { type: "text.delta", text: "I" };
          await hang();
        }),
      },
      failed("provider_failed"),
    ],
    ["has no stream at all", { model: speaking(boom) }, failed("provider_failed")],
  ])("%s", async (_what, options, end) => {
    const { seen, deck } = await endOf({ runLimits: { modelMs: 500 }, ...options });
    expect(seen).toStrictEqual(end);
    expect(deck.runs).toStrictEqual([]);
  });
});

describe("what a model calls wrongly it is told, and the run goes on:", () => {
  test.each<[string, unknown, string]>([
    ["arguments that are no object", { id: "t1", name: "notes.write", args: "{" }, "invalid_input"],
    ["arguments that do not fit", { id: "t1", name: "notes.strict", args: { txt: 1 } }, "invalid_input"],
    ["no arguments", { id: "t1", name: "notes.strict" }, "invalid_input"],
    ["a tool that there is not", { id: "t1", name: "notes.shred", args: {} }, "unknown_tool"],
    ["a name that objects inherit", { id: "t1", name: "__proto__", args: {} }, "unknown_tool"],
    ["another, that they have", { id: "t1", name: "constructor", args: {} }, "unknown_tool"],
    ["no name", { id: "t1", name: "", args: {} }, "unknown_tool"],
    [
      "a placeholder in place of a secret",
      { id: "t1", name: "notes.write", args: { key: "[redacted:secret:0123456789ab]" } },
      "invalid_input",
    ],
  ])("%s", async (_what, one, code) => {
    const first = { raw: { toolCalls: [one], finish: "tool_calls", usage } };
    const model = new ScriptedModel(saying(first, "sorry"));
    const { seen, deck } = await endOf({ model });
    expect(seen).toStrictEqual(completed);
    expect(deck.runs).toStrictEqual([]);
    const told = model.asked[1]?.messages.at(-1);
    expect(told).toMatchObject({ role: "tool", toolCallId: "t1" });
    expect(JSON.parse(told?.text ?? "")).toMatchObject({ error: { code } });
  });

  test("B13: the same wrong call again and again is the end of it", async () => {
    const { seen, model } = await endOf({ script: () => [{ name: "notes.shred" }] });
    expect(seen).toStrictEqual(blocked("unknown_tool"));
    expect(model.asked).toHaveLength(3);
  });

  test("the same sound call again and again ends with the calls that it has", async () => {
    const { seen, deck, model } = await endOf({ script: () => [put("a")] });
    expect(seen).toStrictEqual(blocked("budget_exceeded"));
    expect([deck.runs.length, model.asked.length]).toStrictEqual([20, 20]);
  });
});

describe("B24: a run that is cancelled", () => {
  const moments: readonly (readonly [string, RuntimeDeskOptions, (desk: RuntimeDesk) => boolean])[] = [
    ["at once", {}, () => true],
    ["while its model is asked", { script: hang }, ({ model }) => model.asked.length > 0],
    ["while its tool runs", { deed: hang }, ({ deck }) => deck.runs.length > 0],
    ["while a hook is asked", { hooks: { beforeToolCall: hang } }, ({ model }) => model.asked.length > 0],
    ["while its host's policy is asked", { evaluatePreTool: hang }, ({ model }) => model.asked.length > 0],
    [
      "while it pauses before it asks again",
      { script: () => Promise.reject(new Error("down")) },
      ({ model }) => model.asked.length > 0,
    ],
  ];

  // proves RUN-7.7
  test.each(moments)("%s ends so, for whoever waits and whoever looks", async (_when, options, isThere) => {
    const { seen } = await endOf(options, async (desk, runId) => {
      await until(() => isThere(desk));
      await desk.runtime.cancel(runId);
    });
    expect(seen).toStrictEqual(cancelled);
  });

  test("while it waits for a person ends so, and its question is none any more", async () => {
    const { runtime, operator, kinds } = runtimeDesk({ policy: asking, says: [[write("a")], "done"] });
    const { runId } = await runtime.run({ objective: "write" });
    await runtime.cancel(runId);
    expect(await runtime.resume(runId)).toMatchObject({ status: "cancelled", approvals: [] });
    expect(await operator.list()).toStrictEqual([]);
    expect((await kinds(runId)).at(-1)).toBe("run.ended");
  });

  test("at any commit ends so, or had come to its end", async () => {
    const whole = runtimeDesk({ says: [[read, write("a")], "done"] });
    const { runId: one } = await whole.runtime.run({ objective: "write" });
    const commits = (await whole.records(one)).length;
    for (let at = 1; at <= commits; at++) {
      const { runtime, store } = runtimeDesk({ says: [[read, write("a")], "done"] });
      const ended: Promise<unknown>[] = [];
      const stop = store.listen((key) => {
        if (key?.includes("run_") !== true) return;
        void countOf(key).then((count) =>
          count >= at && ended.length === 0 ? ended.push(runtime.cancel(runIdIn(key))) : 0,
        );
      });
      const countOf = async (key: string) =>
        (await store.readStream({ stream: runIdIn(key), accountId: "acct_1", limit: 100 })).length;
      const stream = runtime.runStream({ objective: "write" });
      const [result, events] = await Promise.all([stream.result, eventsOf(stream)]);
      await Promise.all(ended);
      stop();
      expect(["cancelled", "completed"]).toContain(result.status);
      expect(typesOf(events).at(-1)).toBe(`runtime.${result.status}`);
    }
  });
});

describe("a signal", () => {
  test("that was given before begins nothing", async () => {
    const { runtime, model, store } = runtimeDesk();
    const signal = AbortSignal.abort("enough");
    const runs = [
      runtime.run({ objective: "look", signal }),
      runtime.run({ objective: "look" }, { signal }),
      runtime.runStream({ objective: "look", signal }).result,
      eventsOf(runtime.runStream({ objective: "look" }, { signal })),
    ];
    for (const run of runs) expect(await rejectionOf(run)).toMatchObject({ code: "cancelled" });
    expect(model.asked).toStrictEqual([]);
    expect(await store.documents({ kind: "run", accountId: "acct_1", limit: 9 })).toStrictEqual([]);
  });

  test.each(["what a run is given", "how it is waited for", "both"])("in %s cancels it", async (where) => {
    const [one, other] = [new AbortController(), new AbortController()];
    const { runtime, deck } = runtimeDesk({ says: [[write("a")], "done"], deed: hang });
    const run = runtime.run(
      { objective: "write", ...(where !== "how it is waited for" && { signal: one.signal }) },
      { signal: where === "what a run is given" ? undefined : other.signal },
    );
    await until(() => deck.runs.length === 1);
    (where === "how it is waited for" ? other : one).abort();
    expect(await run).toMatchObject({ status: "cancelled" });
  });

  test("that comes after the end changes nothing, and nobody listens to it any more", async () => {
    const { runtime } = runtimeDesk({ script: () => "done" });
    const { signal, abort } = counted();
    const result = await runtime.run({ objective: "look", signal });
    expect(signal.listeners).toBe(0);
    abort();
    expect(await runtime.resume(result.runId)).toStrictEqual(result);
  });
});

function call(id: string) {
  return { id, name: "notes.write", args: {} };
}

function runIdIn(key: string): string {
  return key.slice(key.indexOf("run_"));
}

/** A signal that knows how many listen to it. */
function counted(): { signal: AbortSignal & { listeners: number }; abort: () => void } {
  const controller = new AbortController();
  const signal = Object.assign(controller.signal, { listeners: 0 });
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = ((...given: Parameters<typeof add>) => {
    signal.listeners += 1;
    add(...given);
  }) as typeof add;
  signal.removeEventListener = ((...given: Parameters<typeof remove>) => {
    signal.listeners -= 1;
    remove(...given);
  }) as typeof remove;
  return { signal, abort: () => controller.abort() };
}

// proves RUN-7.7
test("X1: an effect of which nobody knows what became is named, and the run goes on by what a person found out about it", async () => {
  const { runtime, model, kinds } = runtimeDesk({
    says: [[write("a")], "done"],
    deed: () => {
      throw new RecoveryNeededError("the venue does not say");
    },
  });
  const { runId, status, unknownEffects = [] } = await resultOf(runtime.run({ objective: "write" }));
  expect([status, unknownEffects.length]).toStrictEqual(["recovery_needed", 1]);
  const [effectId = ""] = unknownEffects;
  await runtime.resolve(runId, effectId, { status: "completed", note: "seen at the venue" });
  const ended = await resultOf(runtime.resume(runId));
  expect(ended).toMatchObject({ status: "completed", output: "done" });
  expect(ended).not.toHaveProperty("unknownEffects");
  expect(model.asked).toHaveLength(2);
  expect(await kinds(runId)).toContain("call.resolved");
});

test.each(["beforeModel", "afterModel", "onStop"] as const)(
  "a hook %s that hangs holds up nobody who closes, and what it was asked about is asked again where the run goes on",
  async (point) => {
    let asked = 0;
    const first = runtimeDesk({
      hooks: {
        [point]: async () => {
          asked += 1;
          await hang();
        },
      },
    });
    const running = first.runtime.run({ objective: "look" });
    running.catch(() => undefined);
    await until(() => asked === 1);
    await first.runtime.close();
    expect((await first.store.documents({ kind: "run", accountId: "acct_1", limit: 9 })).length).toBe(1);
    const answer = () => {
      asked += 1;
      return { outcome: "allow" as const };
    };
    const next = anotherRuntime(first, { hooks: { [point]: answer } });
    const [runId = ""] = await next.runtime.open();
    expect(await next.runtime.resume(runId)).toMatchObject({ status: "completed", output: "done" });
    expect(asked).toBe(2);
  },
);
