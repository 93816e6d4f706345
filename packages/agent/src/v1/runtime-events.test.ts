// What happens is seen in the order in which it happened: what is on record whole, what is live in its place between. Looking changes
// nothing, and neither does ceasing to look.
import type { RuntimeEvent } from "@spfunctions/contracts";
import type { ModelAdapter, ModelCompleteInput, ModelEvent } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { turn, until } from "../../../kernel/test-data/call-waiting.ts";
import { read, type Script, ScriptedModel, saying, write } from "../../../kernel/test-data/run-desk.ts";
import { heldBack } from "../../../kernel/test-data/run-levers.ts";
import { anotherRuntime, asking, eventsOf, runtimeDesk, typesOf } from "../../test-data/runtime-desk.ts";

/** A model that says what its script says word by word, and waits before its last word where it is told to. */
function speaking(
  script: Script,
  before: (step: number) => unknown = () => undefined,
): ModelAdapter & { asked: ModelCompleteInput[] } {
  const model = new ScriptedModel(script);
  return Object.assign(model, {
    stream: async function* (input: ModelCompleteInput): AsyncGenerator<ModelEvent> {
      const result = await model.complete(input);
      for (const text of result.text?.match(/\S+\s*/g) ?? []) yield { type: "text.delta", text };
      await before(model.asked.length);
      yield { type: "done", result };
    },
  });
}

/** Long enough that some of it is heard before all of it is said: what may be a secret is held back. */
const speech = (word: string, words = 200) => `${word} `.repeat(words).trim();
const twoTurns: Script = (_, step) => (step === 1 ? { raw: saidAndCalled } : speech("second"));
const saidAndCalled = {
  text: speech("first"),
  toolCalls: [{ id: "t1", name: "notes.read", args: {} }],
  finish: "tool_calls",
  usage: { inputTokens: 1, outputTokens: 1 },
};
const wholeStory = [
  "runtime.started",
  "model.started",
  speech("first"),
  "model.completed",
  "tool.resolved",
  "policy.checked",
  "tool.started",
  "tool.completed",
  "model.started",
  speech("second"),
  "model.completed",
  "runtime.completed",
];

/** The types of events, and what is said between two of them as one text. */
function labelsOf(events: readonly RuntimeEvent[]): string[] {
  const labels: string[] = [];
  let said = "";
  for (const event of events) {
    if (event.type === "model.delta") said += event.text;
    else labels.push(...(said === "" ? [] : [said]), event.type);
    if (event.type !== "model.delta") said = "";
  }
  return labels;
}

describe("the events of a run", () => {
  // proves RUN-1.2, RUN-4.7, RUN-13.5, RUN-13.10
  test("come in order, with what a model says while it says it in its place", async () => {
    const { runtime } = runtimeDesk({ model: speaking(twoTurns) });
    const stream = runtime.runStream({ objective: "look" });
    expect(labelsOf(await eventsOf(stream))).toStrictEqual(wholeStory);
    expect(await stream.result).toMatchObject({
      runId: await stream.runId,
      status: "completed",
      output: speech("second"),
    });
  });

  // proves RUN-8.3
  test("come while they happen: what is said is heard before the model's last word", async () => {
    const held = heldBack<void>();
    const { runtime } = runtimeDesk({ model: speaking(saying(speech("word")), held.held) });
    const types: string[] = [];
    for await (const { type } of runtime.runStream({ objective: "look" })) {
      types.push(type);
      if (type === "model.delta") held.let();
    }
    expect(types.slice(0, 3)).toStrictEqual(["runtime.started", "model.started", "model.delta"]);
    expect(types.at(-1)).toBe("runtime.completed");
  });

  test("those that are journaled have a place, those that are live have none, and name their run and step", async () => {
    const { runtime } = runtimeDesk({ model: speaking(twoTurns) });
    const events = await eventsOf(runtime.runStream({ objective: "look" }));
    const runIds = new Set(events.map(({ runId }) => runId));
    expect(runIds.size).toBe(1);
    const places = events.flatMap((event) => ("seq" in event ? [event.seq * 100 + event.index] : []));
    expect(places).toStrictEqual(places.toSorted((a, b) => a - b));
    expect(new Set(places).size).toBe(places.length);
    const deltas = events.filter((event) => event.type === "model.delta");
    expect(deltas.every((event) => !("seq" in event) && event.live)).toBe(true);
    const started = events
      .filter(({ type }) => type === "model.started")
      .map((event) => (event as { stepId: string }).stepId);
    expect([...new Set(deltas.map(({ stepId }) => stepId))]).toStrictEqual(started);
  });

  // proves RUN-10.8, RUN-12.11, RUN-13.5, RUN-13.6, RUN-13.7, RUN-13.8, RUN-13.9, RUN-13.11
  test("say what they are about: a session, a step, why a person is asked, and what it failed with", async () => {
    const asked = runtimeDesk({ policy: asking, says: [[write("a")], "done"] });
    const stream = asked.runtime.runStream({ objective: "write", sessionId: "s1" });
    const events = await eventsOf(stream);
    const { runId, steps } = await stream.result;
    const [model] = steps;
    expect(events).toMatchObject([
      { type: "runtime.started", runId, sessionId: "s1" },
      { type: "model.started", runId, stepId: model?.stepId },
      { type: "model.completed", runId, stepId: model?.stepId },
      { type: "tool.resolved", runId, stepId: model?.stepId },
      { type: "policy.checked", runId, stepId: model?.stepId, verdict: { outcome: "ask" } },
      {
        type: "approval.required",
        runId,
        stepId: model?.stepId,
        reason: expect.stringMatching(/user_write/),
      },
    ]);
    const broken = runtimeDesk({
      script: () => Promise.reject(new Error("no")),
      runLimits: { modelAttempts: 1 },
    });
    const last = (await eventsOf(broken.runtime.runStream({ objective: "look" }))).at(-1);
    expect(last).toMatchObject({
      type: "runtime.failed",
      error: { code: "provider_failed", message: expect.any(String) },
    });
  });

  test("what a tool tells meanwhile is in its place, too", async () => {
    const deed = (_input: unknown, { progress }: { progress: (message: string) => void }) => {
      progress("halfway");
      return { done: true };
    };
    const { runtime } = runtimeDesk({ says: [[write("a")], "done"], deed });
    const types = typesOf(await eventsOf(runtime.runStream({ objective: "write" })));
    expect(types.slice(5, 8)).toStrictEqual(["tool.started", "tool.progress", "tool.completed"]);
  });

  // proves RUN-12.11, RUN-13.1
  test("end where only a person can go on, and go on where that run is resumed from the last of them", async () => {
    const { runtime, operator } = runtimeDesk({ policy: asking, says: [[write("a")], "done"] });
    const first = runtime.runStream({ objective: "write" });
    const before = await eventsOf(first);
    expect(typesOf(before).at(-1)).toBe("approval.required");
    const { approvals, runId } = await first.result;
    await operator.approve(approvals[0]?.approvalId ?? "");
    const after = await eventsOf(runtime.resumeStream(runId, { cursor: cursorOf(before.at(-1)) }));
    expect(typesOf(after)).toStrictEqual([
      "approval.resolved",
      "policy.checked",
      "tool.started",
      "tool.completed",
      "model.started",
      "model.completed",
      "runtime.completed",
    ]);
    expect(await eventsOf(runtime.resumeStream(runId))).toStrictEqual([...before, ...after]);
  });

  test("from a cursor on, what is live is heard while it happens, too", async () => {
    const [early, late] = [heldBack<void>(), heldBack<void>()];
    const model = speaking(async () => {
      await early.held();
      return speech("word");
    }, late.held);
    const { runtime } = runtimeDesk({ model });
    const first = runtime.runStream({ objective: "look" });
    let last: RuntimeEvent | undefined;
    for await (const event of first) {
      last = event;
      if (event.type === "model.started") break;
    }
    const joined = runtime.resumeStream(await first.runId, { cursor: cursorOf(last) });
    const iterator = joined[Symbol.asyncIterator]();
    const next = iterator.next();
    await turn();
    early.let();
    expect((await next).value).toMatchObject({ type: "model.delta" });
    await iterator.return?.();
    late.let();
    expect(await first.result).toMatchObject({ status: "completed" });
  });

  test("a cursor of another run, or of none, is refused, and the run goes on", async () => {
    const { runtime } = runtimeDesk({ script: () => "done" });
    const { runId } = await runtime.run({ objective: "look" });
    const other = await runtime.run({ objective: "look" });
    for (const cursor of [`${other.runId}:1.0`, "nonsense", `${runId}:99.0`]) {
      const stream = runtime.resumeStream(runId, { cursor });
      await expect(eventsOf(stream)).rejects.toMatchObject({ code: "invalid_input" });
      expect(await stream.result).toMatchObject({ status: "completed" });
    }
  });
});

describe("whoever is slow", () => {
  test("has missed nothing where there was not too much of it", async () => {
    const { runtime } = runtimeDesk({ model: speaking(twoTurns) });
    const stream = runtime.runStream({ objective: "talk" });
    // Nobody looks before it is over.
    await stream.result;
    expect(labelsOf(await eventsOf(stream))).toStrictEqual(wholeStory);
  });

  test("sees everything on record up to where a run rests", async () => {
    const { runtime } = runtimeDesk({ policy: asking, says: [[read], [read], [write("a")], "done"] });
    const stream = runtime.runStream({ objective: "write" });
    const types: string[] = [];
    for await (const { type } of stream) {
      types.push(type);
      await stream.result;
    }
    expect(types.at(-1)).toBe("approval.required");
    expect(types.filter((type) => type === "tool.completed")).toHaveLength(2);
  });
});

describe("whoever stops looking", () => {
  test("neither cancels the run nor leaves anything waiting", async () => {
    const clock = new ManualClock();
    const held = heldBack<unknown>();
    const desk = runtimeDesk({ says: [[write("a")], "done"], deed: held.held, clock });
    const stream = desk.runtime.runStream({ objective: "write" });
    for await (const { type } of stream) if (type === "tool.started") break;
    held.let({ done: true });
    expect(await stream.result).toMatchObject({ status: "completed", output: "done" });
    await desk.runtime.close();
    expect(clock.waiting).toBe(0);
  });

  test("may look again, and sees all that is on record, to the end", async () => {
    const held = heldBack<unknown>();
    const { runtime } = runtimeDesk({ says: [[write("a")], "done"], deed: held.held });
    const stream = runtime.runStream({ objective: "write" });
    for await (const { type } of stream) if (type === "tool.started") break;
    const again = eventsOf(stream);
    await turn();
    held.let({ done: true });
    const types = typesOf(await again);
    expect([types[0], types.at(-1)]).toStrictEqual(["runtime.started", "runtime.completed"]);
  });

  test("takes nothing from whoever looks beside them", async () => {
    const held = heldBack<void>();
    const { runtime } = runtimeDesk({
      model: speaking(twoTurns, (step) => (step === 1 ? held.held() : undefined)),
    });
    const stream = runtime.runStream({ objective: "look" });
    const whole = eventsOf(stream);
    await turn();
    for await (const { type } of stream) if (type === "model.started") break;
    held.let();
    expect(labelsOf(await whole)).toStrictEqual(wholeStory);
  });

  test("or never looks, has the run go on all the same", async () => {
    const { runtime, deck } = runtimeDesk({ says: [[write("a")], "done"] });
    const { result } = runtime.runStream({ objective: "write" });
    expect(await result).toMatchObject({ status: "completed" });
    expect(deck.runs).toHaveLength(1);
  });

  test("of a run in another runtime stops looking there, too", async () => {
    const held = heldBack<unknown>();
    const clock = new ManualClock();
    const first = runtimeDesk({ says: [[write("a")], "done"], deed: held.held });
    const run = first.runtime.runStream({ objective: "write" });
    await until(() => first.deck.runs.length === 1);
    const other = anotherRuntime(first, { clock });
    for await (const { type } of other.runtime.resumeStream(await run.runId))
      if (type === "tool.started") break;
    await other.runtime.close();
    expect(clock.waiting).toBe(0);
    held.let({ done: true });
    expect(await run.result).toMatchObject({ status: "completed" });
  });
});

function cursorOf(event: RuntimeEvent | undefined): string {
  if (event === undefined || !("seq" in event)) throw new Error("it has no place");
  return `${event.runId}:${event.seq}.${event.index}`;
}
