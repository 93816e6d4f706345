// R1: a replay runs no tool and asks no model, whatever it is given. R2: what was recorded comes to the same.
import { ProviderFailedError } from "@spfunctions/contracts";
import { diffTraces, memoryTrace, readTrace } from "@spfunctions/kernel";
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Deck } from "../../../kernel/test-data/call-deck.ts";
import { inTurn, put, read, type Saying, write } from "../../../kernel/test-data/run-desk.ts";
import type { Asked, Told } from "../../test-data/offline-runtime.ts";
import {
  asking,
  resultOf,
  runtimeDesk,
  type RuntimeDeskOptions,
  writing,
} from "../../test-data/runtime-desk.ts";
import type { RuntimeRunInput } from "./index.ts";
import { withPackages } from "../../../../tests/installed/start-installed.ts";

const search: Saying = [{ name: "tools.search", args: { query: "write" } }];
const fails = { name: "notes.send", args: { text: "fail" } };

/** A run recorded live. */
async function recorded(options: RuntimeDeskOptions = {}, input: Partial<RuntimeRunInput> = {}) {
  const trace = memoryTrace();
  const desk = runtimeDesk({ says: [search, [read, write("a")], [fails], "done"], deed, trace, ...options });
  const result = await resultOf(desk.runtime.run({ objective: "write", ...input }));
  return { ...desk, result, text: await trace.text() };
}

function deed(input: unknown): unknown {
  if ((input as { text?: string }).text === "fail") throw new Error("as it was told");
  return { done: true };
}

function replaying(texts: readonly string[], options: RuntimeDeskOptions = {}) {
  const trace = memoryTrace();
  const desk = runtimeDesk({ mode: "replayOnly", modelReplay: true, replay: texts, trace, ...options });
  return { ...desk, trace };
}

/** What two runs of different names and times have in common. */
const shapeOf = ({ status, output, error, steps }: Awaited<ReturnType<typeof resultOf>>) => ({
  status,
  output,
  error,
  steps: steps.map((step) => `${step.type} ${step.tool} ${step.status}`),
});

describe("a run replays to the same result, the same steps and an equal trace:", () => {
  const cases: readonly (readonly [string, RuntimeDeskOptions, Partial<RuntimeRunInput>])[] = [
    ["with a search, calls, a failure and a last word", {}, {}],
    ["with what was refused", { policy: { ...writing, denyTools: ["notes.write"] } }, {}],
    ["with a call of a tool that there is not", { says: [[{ name: "notes_write" }], "done"] }, {}],
    ["with a budget that ended it", {}, { maxSteps: 2 }],
    [
      "with instructions, a context and a session",
      { instructions: "Be brief." },
      { context: { a: 1 }, sessionId: "s" },
    ],
    ["with secrets that were hidden", {}, { context: { password: "correct horse battery" } }],
    ["with explicit tools", { tools: { mode: "explicit" } }, { tools: ["notes.read", "notes.put"] }],
    [
      "with tools that were shown and never called",
      { tools: { mode: "preload-only", preload: ["notes.pay", "notes.read"] } },
      {},
    ],
    [
      "with calls at once",
      {
        says: [[write("a"), put("b"), write("c")], "done"],
        strategy: { type: "ordered_batch", maxInFlight: 3 },
      },
      {},
    ],
    [
      "with an answer that had to be repaired",
      { says: ["no", '"yes"'] },
      { output: { type: "string", enum: ["yes"] } },
    ],
    ["with an output that was withheld", { evaluatePostTool: () => ({ outcome: "deny" }) }, {}],
    ["with an input that a hook has changed", { hooks: { beforeToolCall: patched } }, {}],
    [
      "with a hook that objected",
      { hooks: { beforeToolCall: () => ({ outcome: "deny", reason: "no" }) } },
      {},
    ],
  ];

  test.each(cases)("%s", async (_what, options, input) => {
    const live = await recorded(options, input);
    const again = replaying([live.text], { ...options, deed: never });
    const result = await resultOf(again.runtime.run({ objective: "write", ...input }));
    expect(shapeOf(result)).toStrictEqual(shapeOf(live.result));
    expect([again.deck.runs, again.model.asked]).toStrictEqual([[], []]);
    const traces = await Promise.all([live.text, await again.trace.text()].map(readTrace));
    expect(diffTraces(traces[0] as never, traces[1] as never)).toMatchObject({
      equal: true,
      differences: [],
    });
    expect(traces[1]?.verification).toMatchObject({ status: "ok" });
  });

  test.each<[string, RuntimeDeskOptions, Partial<RuntimeRunInput>]>([
    ["nothing but its text is needed", {}, {}],
    [
      "what was shown and never called may be named",
      { tools: { mode: "preload-only", preload: ["notes.pay"] } },
      {},
    ],
    ["in a run's own list, too", { tools: { mode: "explicit" } }, { tools: ["notes.read", "notes.pay"] }],
  ])("a trace replays alone: %s", async (_what, options, input) => {
    const live = await recorded({ says: [[read], "done"], ...options }, input);
    const { runtime } = replaying([live.text], { ...options, packs: [] });
    const result = await resultOf(runtime.run({ objective: "write", ...input }));
    expect(shapeOf(result)).toStrictEqual(shapeOf(live.result));
  });

  test("where only some of its tools are given, the trace knows the others", async () => {
    const live = await recorded();
    const own = new Deck(never).tools.filter(({ contract }) => contract.name === "notes.read");
    const again = replaying([live.text], { packs: [own] });
    expect(shapeOf(await resultOf(again.runtime.run({ objective: "write" })))).toStrictEqual(
      shapeOf(live.result),
    );
  });

  test("nobody is asked about what a person has approved", async () => {
    const trace = memoryTrace();
    const live = runtimeDesk({ policy: asking, says: [[write("a")], "done"], trace });
    const { runId, approvals } = await live.runtime.run({ objective: "write" });
    await live.operator.approve(approvals[0]?.approvalId ?? "");
    const { output } = await live.runtime.resume(runId);
    const again = replaying([await trace.text()], { policy: asking });
    expect(await again.runtime.run({ objective: "write" })).toMatchObject({ status: "completed", output });
    expect(await again.operator.list({ status: "any" })).toStrictEqual([]);
  });

  test("a model that failed and answered when it was asked again is answered at once", async () => {
    const script = inTurn(new ProviderFailedError("busy"), [read], "done");
    const live = await recorded({ script, runLimits: { backoffMs: 1 } });
    const again = replaying([live.text]);
    expect(await again.runtime.run({ objective: "write" })).toMatchObject({
      status: "completed",
      output: "done",
    });
  });

  test("several runs from several traces, each answered once", async () => {
    const [one, two] = [
      await recorded({ says: ["one"] }),
      await recorded({ says: ["two"] }, { objective: "look" }),
    ];
    const { runtime } = replaying([one.text, two.text]);
    expect(await runtime.run({ objective: "look" })).toMatchObject({ output: "two" });
    expect(await runtime.run({ objective: "write" })).toMatchObject({ output: "one" });
    expect(await runtime.run({ objective: "write" })).toMatchObject({
      status: "failed",
      error: { code: "replay_miss" },
    });
  });
});

describe("what was not recorded is a miss:", () => {
  // proves RUN-14.7
  test("of the model: the run has failed, and nothing was asked", async () => {
    const live = await recorded();
    const { runtime, model, kinds } = replaying([live.text]);
    const result = await runtime.run({ objective: "write something else" });
    expect(result).toMatchObject({ status: "failed", error: { code: "replay_miss" } });
    expect(result.error?.message).toContain("nothing was asked");
    expect(model.asked).toStrictEqual([]);
    expect((await kinds(result.runId)).at(-1)).toBe("run.ended");
  });

  // proves RUN-14.2
  test("of a tool: the model is told, and nothing is called", async () => {
    const live = await recorded();
    const says: readonly Saying[] = [[put("never")], "done"];
    const { runtime, deck, records } = replaying([live.text], { modelReplay: false, says, deed: never });
    const { runId, status } = await runtime.run({ objective: "anything" });
    expect([status, deck.runs]).toStrictEqual(["completed", []]);
    expect(await records(runId)).toContainEqual(
      expect.objectContaining({
        kind: "call.refused",
        error: expect.objectContaining({ code: "replay_miss" }),
      }),
    );
  });

  test("B22: what is not the trace that was written is refused whole", async () => {
    const live = await recorded();
    const { runtime } = replaying([live.text.replace("done", "dane")]);
    await expect(runtime.run({ objective: "write" })).rejects.toMatchObject({ code: "journal_corrupt" });
  });
});

test("the place that is replayed from is read, and never written to", async () => {
  const trace = memoryTrace();
  const live = runtimeDesk({ says: ["one"], trace });
  await live.runtime.run({ objective: "look" });
  const before = await trace.text();
  const { runtime } = runtimeDesk({ mode: "replayOnly", modelReplay: true, trace });
  await runtime.run({ objective: "look" });
  await runtime.close();
  expect(await trace.text()).toBe(before);
});

test("B23: in a process without a network, with tools, hooks and a model that must not be used, a run comes to the same, and misses call nobody", async () => {
  const live = await recorded({ says: [[read, write("a")], [fails], "done"] });
  const moves = live.result.steps.map(({ type, tool = "", status }) => `${type} ${tool} ${status}`);
  const asked: Asked = {
    replay: [live.text],
    policy: writing,
    objectives: ["write", "something else"],
    tools: ["notes.read", "notes.write", "notes.put"],
  };
  const { results, reached } = await offline(asked);
  expect(reached).toStrictEqual([]);
  expect(results).toStrictEqual([
    ["completed", "done", ...moves],
    ["failed", "replay_miss", "model  failed"],
  ]);
});

async function offline(asked: Asked): Promise<Told> {
  const child = fork(join(import.meta.dirname, "../../test-data/offline-runtime.ts"), {
    execArgv: [...withPackages],
    env: {},
  });
  child.send(asked);
  const [told] = (await once(child, "message")) as [Told];
  return told;
}

function patched() {
  return { outcome: "allow", patch: [{ op: "add", path: "/note", value: 1 }] } as const;
}

function never(): never {
  throw new Error("it was called");
}
