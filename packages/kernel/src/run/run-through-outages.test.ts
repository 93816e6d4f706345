// J1, J2, J3: a run waits for a store that does not answer, and goes on by itself once it does. Nothing happens twice, nothing is lost.
import { HostConfigurationNeededError, JournalAppendFailedError } from "@spfunctions/contracts";
import { expect, onTestFinished, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import { settlement, turn, until } from "../../test-data/call-waiting.ts";
import {
  openRunDesk,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
  write,
} from "../../test-data/run-desk.ts";
import { childSpec, openFamily, start } from "../../test-data/family.ts";
import { genesisOf } from "../journal/seal.ts";
import { kindsIn } from "../../test-data/call-store.ts";

const pass = async (desk: RunDesk, seconds: number) => {
  for (let at = 0; at < seconds; at++) {
    desk.clock.advance(1000);
    await turn();
    await turn();
  }
};

/** From here on the store answers nothing, until what is given back is called. */
function outageOf({ store }: RunDesk): () => void {
  const read = () => {
    throw new HostConfigurationNeededError("the database cannot be used", { retry: "after_wait" });
  };
  const lease = () => {
    throw new JournalAppendFailedError("the database does not answer");
  };
  store.fault = () => ({ type: "throw" });
  [store.beforeRead, store.beforeDocument, store.beforeLease] = [read, read, lease];
  return () => {
    store.fault = () => undefined;
    [store.beforeRead, store.beforeDocument, store.beforeLease] = [() => {}, () => {}, () => {}];
  };
}

/** A run whose tool, or whose child's tool, is under way when the store goes away, and has ended before it is back. */
async function awayWhileToolRuns(options: RunDeskOptions = {}, open: typeof openRunDesk = openRunDesk) {
  const acting = Promise.withResolvers<object>();
  const desk = open({
    script: saying([write("a")], [write("b")], "done"),
    deed: () => (desk.deck.runs.length === 1 ? acting.promise : { done: true }),
    ...options,
  });
  onTestFinished(() => desk.runs.close());
  const handle = await desk.start();
  await until(() => desk.deck.runs.length === 1);
  const back = outageOf(desk);
  acting.resolve({ done: true });
  await pass(desk, 10);
  return { desk, handle, back };
}

const endsOf = async (desk: RunDesk, runId: string) =>
  (await desk.labels(runId)).filter((label) => label.startsWith("call."));
const both = ["call.intended", "call.settled completed", "call.intended", "call.settled completed"];

test("what a tool did while the store did not answer is on record once it does, and the run goes on by itself", async () => {
  const { desk, handle, back } = await awayWhileToolRuns();
  const ended = handle.wait();
  expect(await settlement(ended)).toStrictEqual({ state: "pending" });
  back();
  await pass(desk, 5);
  expect(await settlement(ended)).toMatchObject({
    state: "kept",
    value: { status: "completed", output: "done" },
  });
  expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"text":"a"}', '{"text":"b"}']);
  expect(await endsOf(desk, handle.runId)).toStrictEqual(both);
});

test("what a child's tool did meanwhile is on record as well, and the child and its parent go on by themselves", async () => {
  const parts = { parent: [[start("busy")], "done"], busy: [[write("a")], [write("b")], "did it"] };
  const family: typeof openRunDesk = (options) =>
    openFamily(parts, [childSpec("busy", { tools: "inherit_allowlist" })], {
      ...(options?.deed && { deed: options.deed }),
    });
  const { desk, handle, back } = await awayWhileToolRuns({}, family);
  const ended = handle.wait();
  expect(await settlement(ended)).toStrictEqual({ state: "pending" });
  back();
  await pass(desk, 5);
  const { children, status } = await ended;
  expect([status, children.map((child) => child.status)]).toStrictEqual(["completed", ["completed"]]);
  expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"text":"a"}', '{"text":"b"}']);
  expect(await endsOf(desk, children[0]?.runId ?? "")).toStrictEqual(both);
});

test("what a model answered while the store did not is not lost, and the model is not asked again", async () => {
  const answering = Promise.withResolvers<void>();
  const desk = openRunDesk({
    script: async (_input, step) => {
      if (step === 1) await answering.promise;
      return step === 1 ? [write("a")] : "done";
    },
  });
  onTestFinished(() => desk.runs.close());
  const handle = await desk.start();
  await until(() => desk.model.asked.length === 1);
  const back = outageOf(desk);
  answering.resolve();
  await pass(desk, 10);
  back();
  await pass(desk, 5);
  expect(await settlement(handle.wait())).toMatchObject({ state: "kept", value: { status: "completed" } });
  expect([desk.model.asked.length, desk.deck.runs.length]).toStrictEqual([2, 1]);
});

test("whoever watches a run sees it go on after the outage, from where it was", async () => {
  const acting = Promise.withResolvers<object>();
  const desk = openRunDesk({ script: saying([write("a")], "done"), deed: () => acting.promise });
  onTestFinished(() => desk.runs.close());
  const handle = await desk.start();
  const seen: string[] = [];
  const watching = (async () => {
    for await (const { type } of handle.stream()) seen.push(type);
  })();
  await until(() => desk.deck.runs.length === 1);
  const back = outageOf(desk);
  acting.resolve({ done: true });
  await pass(desk, 10);
  expect(await settlement(watching)).toStrictEqual({ state: "pending" });
  back();
  await pass(desk, 5);
  expect(await settlement(watching)).toMatchObject({ state: "kept" });
  expect([seen.at(-1), seen]).toStrictEqual(["runtime.completed", await desk.events(handle.runId)]);
});

test("a process that another one succeeded in the outage writes nothing and begins nothing", async () => {
  const { desk, handle, back } = await awayWhileToolRuns();
  const { inner } = desk.store;
  await inner.release(handle.runId, 1);
  const next = reopenRunDesk(desk, { deck: new Deck() });
  onTestFinished(() => next.runs.close());
  const there = await next.runs.resume(handle.runId);
  back();
  await pass(desk, 5);
  // J2: the other knows only that the tool has begun. Of what may have happened a person says what became.
  expect(await there.wait({ for: "rest" })).toMatchObject({ status: "recovery_needed" });
  expect(await endsOf(desk, handle.runId)).toStrictEqual([
    "call.intended",
    "call.settled unknown recovery_needed",
  ]);
  expect([desk.deck.runs.length, next.deck.runs.length]).toStrictEqual([1, 0]);
});

test("a lease that was lost in the outage is taken again where nobody else has it; the effect is not repeated", async () => {
  const { desk, handle, back } = await awayWhileToolRuns();
  const { inner } = desk.store;
  const lease = await (async () => {
    await inner.release(handle.runId, 1);
    return await inner.lease(handle.runId, "acct_1", genesisOf(handle.runId, "acct_1"));
  })();
  // Whoever had it meanwhile is gone again, and has written nothing.
  await inner.release(handle.runId, lease.type === "leased" ? lease.epoch : 0);
  back();
  await desk.runs.open();
  await pass(desk, 10);
  expect(await settlement(handle.wait({ for: "rest" }))).toMatchObject({
    state: "kept",
    value: { status: "recovery_needed" },
  });
  expect(desk.deck.runs).toHaveLength(1);
});

test("after a long outage whoever waits is told, and the run goes on all the same", async () => {
  const { desk, handle, back } = await awayWhileToolRuns({ runLimits: { outageMs: 20_000 } });
  const ended = settlement(handle.wait());
  expect(await ended).toStrictEqual({ state: "pending" });
  await pass(desk, 30);
  expect(await settlement(handle.wait())).toMatchObject({
    state: "broken",
    error: { code: "recovery_needed" },
  });
  back();
  await pass(desk, 5);
  expect(await settlement(handle.wait())).toMatchObject({ state: "kept", value: { status: "completed" } });
  expect(await endsOf(desk, handle.runId)).toStrictEqual(both);
});

test("where a call's intent was written and nobody was told, the call does not begin, and says so; the run goes on", async () => {
  const desk = openRunDesk({ script: saying([write("a")], [write("b")], "done") });
  let back = () => {};
  let isFirst = true;
  desk.store.fault = (unit) => {
    if (!isFirst || !kindsIn(unit).includes("call.intended")) return undefined;
    isFirst = false;
    // Nothing can be read either, to see whether it was written.
    back = outageOf(desk);
    return { type: "lost" };
  };
  const handle = await desk.start();
  await until(() => !isFirst);
  await pass(desk, 10);
  back();
  await pass(desk, 5);
  expect(await settlement(handle.wait())).toMatchObject({ state: "kept", value: { status: "completed" } });
  expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"text":"b"}']);
  expect(await endsOf(desk, handle.runId)).toStrictEqual([
    "call.intended",
    "call.settled cancelled cancelled",
    "call.intended",
    "call.settled completed",
  ]);
});

test("a process that closes in an outage waits for nothing, and the run goes on when it is resumed", async () => {
  const { desk, handle, back } = await awayWhileToolRuns();
  await desk.runs.close();
  back();
  await desk.store.inner.release(handle.runId, 1);
  const next = reopenRunDesk(desk);
  const again = await next.runs.resume(handle.runId);
  expect(await again.wait({ for: "rest" })).toMatchObject({ status: "recovery_needed" });
});

test("what a model passed to a tool is still known after the outage, also where it is kept hidden", async () => {
  const secret = "sk-proj-9aZ8bY7cX6dW5eV4fU3gT2hS1iR0jQ9kP8lO7mN6";
  const desk = openRunDesk({
    script: saying([{ name: "notes.sign", args: { apiKey: secret } }], "done"),
  });
  let back = () => {};
  let isFirst = true;
  desk.store.fault = (unit) => {
    if (!isFirst || !kindsIn(unit).includes("call.intended")) return undefined;
    isFirst = false;
    back = outageOf(desk);
    return { type: "throw" };
  };
  const handle = await desk.start();
  await until(() => !isFirst);
  await pass(desk, 10);
  back();
  await pass(desk, 5);
  expect(await settlement(handle.wait())).toMatchObject({ state: "kept", value: { status: "completed" } });
  expect(desk.deck.inputsOf("notes.sign")).toStrictEqual([`{"apiKey":"${secret}"}`]);
});
