// Runs are the store's, and not a runtime's: whoever has the same tools, policy and model takes them on, and whoever has the store
// looks at them and stops them.
import { createMemoryStore, memoryTrace, type Operator } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { principalOf } from "../../../kernel/test-data/call-desk.ts";
import { FaultyStore } from "../../../kernel/test-data/call-store.ts";
import { turn, unhandledDuring, until } from "../../../kernel/test-data/call-waiting.ts";
import { read, write } from "../../../kernel/test-data/run-desk.ts";
import { hang, heldBack } from "../../../kernel/test-data/run-levers.ts";
import {
  anotherRuntime,
  asking,
  eventsOf,
  resultOf,
  runtimeDesk,
  type RuntimeDeskOptions,
  typesOf,
} from "../../test-data/runtime-desk.ts";

const waiting: RuntimeDeskOptions = { policy: asking, says: [[write("a")], "done"] };

// proves RUN-1.2, RUN-4.6, RUN-5.3, RUN-7.1, RUN-7.2, RUN-7.3, RUN-7.8, RUN-7.9, RUN-7.10, RUN-10.1
test("a run's result is what the contract says, and the same for whoever asks later", async () => {
  const desk = runtimeDesk({ says: [[read], "done"] });
  const result = await resultOf(desk.runtime.run({ objective: "look", sessionId: "s" }));
  expect(result).toMatchObject({
    sessionId: "s",
    status: "completed",
    output: "done",
    approvals: [],
    usage: { steps: 2, toolCalls: 1, inputTokens: 20, outputTokens: 10 },
  });
  expect(result.steps.map(({ type, tool, status }) => [type, tool, status])).toStrictEqual([
    ["model", undefined, "completed"],
    ["tool", "notes.read", "completed"],
    ["model", undefined, "completed"],
  ]);
  expect(await desk.runtime.resume(result.runId)).toStrictEqual(result);
  const other = anotherRuntime(desk, { says: ["something else"] });
  expect(await other.runtime.resume(result.runId)).toStrictEqual(result);
  expect(other.model.asked).toStrictEqual([]);
});

describe("a run that waits for a person", () => {
  // proves RUN-3.4, RUN-13.2
  test("goes on by itself once they have answered; whoever resumes it gets what it came to", async () => {
    const { runtime, operator, deck } = runtimeDesk(waiting);
    const rest = await resultOf(runtime.run({ objective: "write" }));
    expect([rest.status, rest.approvals.length, deck.runs.length]).toStrictEqual(["requires_approval", 1, 0]);
    await operator.approve(rest.approvals[0]?.approvalId ?? "");
    await until(() => deck.runs.length === 1);
    expect(await resultOf(runtime.resume(rest.runId))).toMatchObject({ status: "completed", approvals: [] });
  });

  test("is waited for where that is wanted", async () => {
    const { runtime, operator, deck } = runtimeDesk(waiting);
    const ended = runtime.run({ objective: "write" }, { until: "end" });
    const [question] = await questions(operator);
    expect(deck.runs).toStrictEqual([]);
    await operator.approve(question?.approvalId ?? "");
    expect(await ended).toMatchObject({ status: "completed" });
  });

  // proves RUN-10.2, RUN-13.3, RUN-13.12
  test("is resumed where its runtime is gone, and asks no second time", async () => {
    const first = runtimeDesk(waiting);
    const { runId, approvals } = await first.runtime.run({ objective: "write" });
    await first.runtime.close();
    const next = anotherRuntime(first, waiting);
    expect(await next.runtime.resume(runId)).toMatchObject({ status: "requires_approval", approvals });
    await next.operator.approve(approvals[0]?.approvalId ?? "");
    expect(await next.runtime.resume(runId)).toMatchObject({ status: "completed" });
    expect(first.deck.runs).toHaveLength(1);
    expect([first.model.asked.length, next.model.asked.length]).toStrictEqual([1, 1]);
  });

  test("is only watched by another runtime while its own one lives", async () => {
    const first = runtimeDesk(waiting);
    const { runId, approvals } = await first.runtime.run({ objective: "write" });
    const next = anotherRuntime(first, waiting);
    const resumed = next.runtime.resume(runId, { until: "end" });
    await first.operator.approve(approvals[0]?.approvalId ?? "");
    expect(await resumed).toMatchObject({ status: "completed" });
    expect([first.model.asked.length, next.model.asked.length]).toStrictEqual([2, 0]);
  });
});

describe("get", () => {
  test("watches, and takes nothing on", async () => {
    const first = runtimeDesk(waiting);
    const { runId } = await first.runtime.run({ objective: "write", maxSteps: 3 });
    await first.runtime.close();
    const next = anotherRuntime(first, waiting);
    const handle = await next.runtime.get(runId);
    expect(await handle.wait({ for: "rest" })).toMatchObject({ status: "requires_approval" });
    expect((await next.kinds(runId)).filter((kind) => kind === "run.resumed")).toStrictEqual([]);
  });

  test("I1: another account's run is as one that is not there", async () => {
    const first = runtimeDesk();
    const { runId } = await first.runtime.run({ objective: "look" });
    const stranger = anotherRuntime(first, { principal: principalOf("acct_2") }).runtime;
    for (const act of ["get", "resume", "cancel"] as const) {
      const [theirs, nobodys] = await Promise.all(
        [runId, `run_${crypto.randomUUID()}`].map((id) => rejectionOf(stranger[act](id))),
      );
      expect(theirs).toMatchObject({ code: "not_found" });
      expect(theirs?.message.replace(runId, "")).toBe(nobodys?.message.replace(/run_[0-9a-f-]{36}/, ""));
    }
    await expect(eventsOf(stranger.resumeStream(runId))).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("cancel", () => {
  test("reaches a run in another runtime: what runs is told to stop, and nothing begins", async () => {
    const held = heldBack<unknown>();
    const first = runtimeDesk({ says: [[write("a"), write("b")], "done"], deed: held.held });
    const run = first.runtime.runStream({ objective: "write" });
    const runId = await run.runId;
    await until(() => first.deck.runs.length === 1);
    await anotherRuntime(first).runtime.cancel(runId);
    expect(await run.result).toMatchObject({ status: "cancelled", error: { code: "cancelled" } });
    expect(first.deck.runs).toHaveLength(1);
    held.let({ done: true });
  });

  test("of a run that nobody drives ends it, also where its terms were its own", async () => {
    const first = runtimeDesk(waiting);
    const { runId } = await first.runtime.run({ objective: "write", tools: ["notes.write"] });
    await first.runtime.close();
    const next = anotherRuntime(first, waiting);
    await next.runtime.cancel(runId);
    expect(await (await next.runtime.get(runId)).wait()).toMatchObject({ status: "cancelled" });
    expect(await next.operator.list()).toStrictEqual([]);
  });

  test("of one that has ended changes nothing", async () => {
    const { runtime } = runtimeDesk();
    const result = await runtime.run({ objective: "look" });
    await runtime.cancel(result.runId);
    expect(await runtime.resume(result.runId)).toStrictEqual(result);
  });
});

describe("open", () => {
  /** What dies while its tool runs, in the middle of a run with terms of its own and of one without. */
  async function died() {
    const inner = createMemoryStore();
    const store = new FaultyStore(inner);
    const first = runtimeDesk({ store, says: [[read], "done"], deed: hang });
    const runs = [
      { objective: "one" },
      { objective: "two", maxSteps: 5 },
      { objective: "three", tools: ["notes.read"] },
    ];
    const streams = runs.map((run) => first.runtime.runStream(run));
    const runIds = await Promise.all(streams.map(({ runId }) => runId));
    await until(() => first.deck.runs.length === 3);
    await store.die();
    const next = runtimeDesk({ store: new FaultyStore(inner), says: [[read], "done"] });
    return { next, runIds };
  }

  test("takes on what a process that died has left, whatever its terms were; a second time there is nothing left", async () => {
    const { next, runIds } = await died();
    expect((await next.runtime.open()).toSorted()).toStrictEqual(runIds.toSorted());
    for (const runId of runIds)
      expect(await next.runtime.resume(runId)).toMatchObject({ status: "completed", output: "done" });
    expect(await next.runtime.open()).toStrictEqual([]);
  });

  test("leaves what another agent's, another account's or a living runtime's is", async () => {
    const first = runtimeDesk({ ...waiting, agentId: "anna" });
    const { runId } = await first.runtime.run({ objective: "write" });
    const beside = anotherRuntime(first, { ...waiting, agentId: "anna" }).runtime;
    expect(await beside.open()).toStrictEqual([]);
    // It would take the run on by itself once the first has closed.
    await beside.close();
    await first.runtime.close();
    expect(await anotherRuntime(first, { ...waiting, agentId: "bert" }).runtime.open()).toStrictEqual([]);
    const stranger = { ...waiting, agentId: "anna", principal: principalOf("acct_2") };
    expect(await anotherRuntime(first, stranger).runtime.open()).toStrictEqual([]);
    expect(await anotherRuntime(first, { ...waiting, agentId: "anna" }).runtime.open()).toStrictEqual([
      runId,
    ]);
  });
});

describe("close", () => {
  // proves RUN-3.3
  test("leaves what waits for a person, and lets nothing begin any more", async () => {
    const { runtime, kinds } = runtimeDesk(waiting);
    const { runId } = await runtime.run({ objective: "write" });
    await Promise.all([runtime.close(), runtime.close()]);
    await runtime[Symbol.asyncDispose]();
    expect((await kinds(runId)).at(-1)).toBe("call.waiting");
    const refused = [
      runtime.run({ objective: "look" }),
      runtime.resume(runId),
      runtime.cancel(runId),
      runtime.get(runId),
      runtime.open(),
      runtime.runStream({ objective: "look" }).result,
      runtime.runStream({ objective: "look" }).runId,
      eventsOf(runtime.resumeStream(runId)),
    ];
    for (const one of refused) expect(await rejectionOf(one)).toMatchObject({ code: "invalid_transition" });
  });

  test("ends what is under way, and whoever waits for it is told", async () => {
    const held = heldBack<unknown>();
    const desk = runtimeDesk({ says: [[write("a")], "done"], deed: held.held });
    const stream = desk.runtime.runStream({ objective: "write", maxSteps: 4 });
    const events = eventsOf(stream);
    const unhandled = await unhandledDuring(async () => {
      await until(() => desk.deck.runs.length === 1);
      const closing = desk.runtime.close();
      held.let({ done: true });
      await closing;
      expect(await rejectionOf(stream.result)).toMatchObject({ code: "invalid_transition" });
      expect(await rejectionOf(events)).toMatchObject({ code: "invalid_transition" });
    });
    expect(unhandled).toStrictEqual([]);
    // What had begun is on record as ended: the next one asks the model, and calls nothing twice.
    const next = anotherRuntime(desk, { says: [[write("a")], "done"] });
    expect(await next.runtime.resume(await stream.runId)).toMatchObject({ status: "completed" });
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("while its tools are still being looked up: nothing begins afterwards", async () => {
    const trace = memoryTrace();
    await runtimeDesk({ trace }).runtime.run({ objective: "look" });
    const held = heldBack<string>();
    const replay = [{ text: held.held }];
    const { runtime, store } = runtimeDesk({ mode: "replayOnly", modelReplay: true, replay });
    const run = runtime.run({ objective: "look" });
    await turn();
    await runtime.close();
    held.let(await trace.text());
    expect(await rejectionOf(run)).toMatchObject({ code: "invalid_transition" });
    expect(await store.documents({ kind: "run", accountId: "acct_1", limit: 9 })).toStrictEqual([]);
  });
});

test("runs of many terms at once do not get into each other's way", async () => {
  const desk = runtimeDesk({ says: [[read], "done"] });
  const runs = Array.from({ length: 12 }, (_, index) =>
    desk.runtime.run({ objective: "look", maxSteps: (index % 4) + 1 }),
  );
  const ended = await Promise.all(runs);
  expect(ended.map(({ status }) => status)).toStrictEqual(
    ended.map((_, index) => (index % 4 === 0 ? "blocked" : "completed")),
  );
  expect(new Set(ended.map(({ runId }) => runId)).size).toBe(12);
});

test("a resumed run's events come from its first on, also where it has ended", async () => {
  const { runtime } = runtimeDesk({ says: [[read], "done"] });
  const first = runtime.runStream({ objective: "look" });
  const events = await eventsOf(first);
  expect(await eventsOf(runtime.resumeStream(await first.runId))).toStrictEqual(events);
  expect(typesOf(events).at(-1)).toBe("runtime.completed");
});

async function questions(operator: Operator) {
  for (;;) {
    const found = await operator.list();
    if (found.length > 0) return found;
    await turn();
  }
}
