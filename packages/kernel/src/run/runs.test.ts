import { describe, expect, test } from "vitest";
import { principalOf } from "../../test-data/call-desk.ts";
import { atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { until } from "../../test-data/call-waiting.ts";
import {
  asking,
  generous,
  levelOf,
  openRunDesk,
  put,
  read,
  reopenRunDesk,
  type RunDesk,
  saying,
  write,
} from "../../test-data/run-desk.ts";
import { hang } from "../../test-data/run-levers.ts";
import { toEnd } from "../../test-data/run-stories.ts";

// proves RUN-2.10, RUN-8.2
// proves PORT-9.1
test("a run asks its model, makes its calls, tells it what came of them, and ends with its last word", async () => {
  const desk = openRunDesk({ script: saying([write("a"), read], "written") });
  const handle = await desk.runs.start({ objective: "write a" });
  expect(await handle.wait()).toMatchObject({ status: "completed", output: "written" });
  expect(desk.model.asked.map(({ messages }) => messages)).toStrictEqual([
    [{ role: "user", text: "write a" }],
    [
      { role: "user", text: "write a" },
      {
        role: "assistant",
        text: "",
        toolCalls: [
          { id: "t1-0", name: "notes.write", args: { text: "a" } },
          { id: "t1-1", name: "notes.read", args: {} },
        ],
      },
      { role: "tool", toolCallId: "t1-0", text: '{"done":true}' },
      { role: "tool", toolCallId: "t1-1", text: '{"done":true}' },
    ],
  ]);
  const offered = desk.model.asked.map(({ tools }) => tools.map(({ name }) => name));
  expect(offered[1]).toStrictEqual(offered[0]);
  expect(offered[0]).toContain("notes.write");
});

test("a model is offered only what the judge would not refuse out of hand", async () => {
  const desk = openRunDesk({ levels: levelOf({ ...generous, maxSideEffect: "none" }) });
  await toEnd(desk);
  expect(desk.model.asked[0]?.tools.map(({ name }) => name)).toStrictEqual([
    "notes.once",
    "notes.read",
    "notes.search",
  ]);
});

test.each([
  ["a text", "a", [{ role: "user", text: "a" }]],
  [
    "messages",
    [
      { role: "system", text: "be brief" },
      { role: "user", text: "a" },
    ],
    [
      { role: "system", text: "be brief" },
      { role: "user", text: "a" },
    ],
  ],
  ["anything else", { a: 1 }, [{ role: "user", text: '{"a":1}' }]],
  [
    "a list that is no messages",
    [{ role: "root", text: "a" }],
    [{ role: "user", text: '[{"role":"root","text":"a"}]' }],
  ],
])("an objective is %s", async (_what, objective, messages) => {
  const desk = openRunDesk();
  await (await desk.runs.start({ objective })).wait();
  expect(desk.model.asked[0]?.messages).toStrictEqual(messages);
});

describe("before there is a run everything is checked:", () => {
  /** Why it did not start, and what there is of it all the same. */
  const refused = async (desk: RunDesk, start: () => Promise<unknown>) => {
    const { code } = (await start().catch((error: unknown) => error)) as { code?: string };
    return [code, await desk.runs.list(), desk.model.asked];
  };

  test("an objective that is no JSON, a session or a trace that is none", async () => {
    const desk = openRunDesk();
    for (const given of [
      { objective: 1n as never },
      { objective: "a", sessionId: "" },
      { objective: "a", traceId: "zz" },
    ]) {
      const found = await refused(desk, async () => await desk.runs.start(given));
      expect(found).toStrictEqual(["invalid_input", [], []]);
    }
  });

  test.each([false, undefined, null, "yes", 1])(
    "a key that the host does not clearly call valid: %j",
    async (said) => {
      const desk = openRunDesk({ isStarterValid: () => said as never });
      const found = await refused(desk, async () => await desk.start());
      expect(found).toStrictEqual(["forbidden", [], []]);
    },
  );

  test("a model, its policies and its package", () => {
    expect(() => openRunDesk({ model: { adapter: undefined as never } })).toThrow("a run needs a model");
    expect(() => openRunDesk({ agentId: "" })).toThrow("agentId");
    expect(() => openRunDesk({ strategy: { type: "ordered_batch", maxInFlight: 0 } })).toThrow("maxInFlight");
    expect(() => openRunDesk({ levels: levelOf({ maxSideEfect: "none" }) })).toThrow("maxSideEffect");
  });
});

test("A2: a run acts with a credential of its own, that can neither trade nor approve", async () => {
  const desk = openRunDesk({ script: saying([write("a")], "done") });
  const runId = await toEnd(desk);
  const [opened, , , intended] = await desk.records(runId);
  const principal = { accountId: "acct_1", keyId: "key_1", scopes: ["read", "write"], kind: "run", runId };
  expect(opened).toMatchObject({ kind: "run.opened", starter: principalOf(), principal, origin: "model" });
  expect(intended).toMatchObject({ kind: "call.intended", principal, origin: "model" });
});

// proves PORT-2.2
test("every record names the package it was made under", async () => {
  const desk = openRunDesk({ script: saying([write("a")], "done") });
  const runId = await toEnd(desk);
  const named = (await desk.records(runId)).flatMap((one) =>
    "packageFingerprint" in one ? one.packageFingerprint : [],
  );
  expect(new Set(named)).toStrictEqual(new Set([desk.runs.package.fingerprint]));
});

describe("a run whose starter's key is withdrawn begins nothing more", () => {
  const scene = () => {
    const key = { isValid: true };
    const options = {
      script: saying([write("a"), write("b")], "done"),
      levels: levelOf(asking),
      isStarterValid: () => key.isValid,
    };
    return { key, options };
  };
  const withdrawn = { status: "blocked", error: { code: "invalid_api_key" } };

  test.each(["approve", "deny"] as const)("when a person has answered: %s", async (answer) => {
    const { key, options } = scene();
    const desk = openRunDesk(options);
    const handle = await desk.start();
    const { approvals } = await handle.wait({ for: "rest" });
    key.isValid = false;
    await desk.operator[answer](approvals[0]?.approvalId ?? "");
    expect(await handle.wait()).toMatchObject(withdrawn);
    expect(desk.deck.runs).toStrictEqual([]);
    expect(desk.model.asked).toHaveLength(1);
  });

  test("after a restart, also where it was approved meanwhile", async () => {
    const { key, options } = scene();
    const desk = openRunDesk(options);
    const handle = await desk.start();
    const { approvals } = await handle.wait({ for: "rest" });
    await desk.store.die();
    key.isValid = false;
    const next = reopenRunDesk(desk, options);
    await next.operator.approve(approvals[0]?.approvalId ?? "");
    const [again] = await next.runs.open();
    expect(await again?.wait()).toMatchObject(withdrawn);
    expect(next.deck.runs).toStrictEqual([]);
    expect(next.model.asked).toStrictEqual([]);
  });

  test("after a restart, not even what had begun and may be repeated: a person says what became of it", async () => {
    const key = { isValid: true };
    const options = { script: saying([put("a")], "done"), isStarterValid: () => key.isValid };
    const desk = openRunDesk(options);
    desk.store.fault = atFirst("call.settled", { type: "die", written: false });
    const handle = await desk.start();
    await desk.store.died.promise;
    key.isValid = false;
    const next = reopenRunDesk(desk, options);
    next.deck.runs.length = 0;
    const again = await next.runs.resume(handle.runId);
    const { status, unknown } = await again.wait({ for: "rest" });
    expect([status, unknown.length]).toStrictEqual(["recovery_needed", 1]);
    await next.runs.resolve(handle.runId, unknown[0] ?? "", { status: "completed", note: "seen" });
    expect(await again.wait()).toMatchObject(withdrawn);
    expect(next.deck.runs).toStrictEqual([]);
  });

  test.each([undefined, null, "yes", 1])(
    "G1: where the host does not clearly call it valid: %j",
    async (said) => {
      let isStarted = false;
      const desk = openRunDesk({
        script: saying([write("a")], "done"),
        isStarterValid: () => (isStarted ? (said as never) : true),
      });
      const handle = await desk.start();
      isStarted = true;
      expect(await handle.wait()).toMatchObject(withdrawn);
      expect(desk.deck.runs).toStrictEqual([]);
    },
  );

  test("between a model's answer and the calls that it proposes", async () => {
    const key = { isValid: true };
    const desk = openRunDesk({
      script: () => {
        key.isValid = false;
        return [write("a")];
      },
      isStarterValid: () => key.isValid,
    });
    expect(await (await desk.start()).wait()).toMatchObject(withdrawn);
    expect(desk.deck.runs).toStrictEqual([]);
  });
});

test("I1: a run of another account is as one that is not there", async () => {
  const desk = openRunDesk({ script: hang });
  const { runId } = await desk.start();
  const stranger = openRunDesk({
    principal: principalOf("acct_2"),
    life: 4,
    clock: desk.clock,
    store: new FaultyStore(desk.store.inner),
  });
  for (const act of [
    () => stranger.runs.get(runId),
    () => stranger.runs.resume(runId),
    () => stranger.runs.cancel(runId),
    () => stranger.runs.resolve(runId, "eff_00000001", { status: "failed", note: "no" }),
  ]) {
    await expect(act()).rejects.toMatchObject({ code: "not_found" });
  }
  expect(await stranger.runs.list()).toStrictEqual([]);
  expect(await stranger.runs.open()).toStrictEqual([]);
  await expect(desk.runs.cancel(runId, principalOf("acct_2") as never)).rejects.toMatchObject({
    code: "forbidden",
  });
  expect(await desk.kinds(runId)).toStrictEqual(["run.opened", "model.intended"]);
});

test("runs are listed with their state, which changes as they do", async () => {
  const desk = openRunDesk({ script: saying([write("a")], "done"), levels: levelOf(asking) });
  const handle = await desk.runs.start({ objective: "a", sessionId: "session-1" });
  await handle.wait({ for: "rest" });
  expect(await desk.runs.list({ state: "waiting" })).toMatchObject([
    {
      runId: handle.runId,
      agentId: "scribe",
      sessionId: "session-1",
      state: "waiting",
      starter: principalOf(),
    },
  ]);
  await handle.cancel();
  await handle.wait();
  expect(await desk.runs.list({ state: "waiting" })).toStrictEqual([]);
  expect(await desk.runs.list({ state: "cancelled" })).toMatchObject([{ seal: { count: 7 } }]);
});

test("a closed process starts, resumes and cancels nothing, and what was under way has ended", async () => {
  const desk = openRunDesk({ script: saying([write("a")], "done"), levels: levelOf(asking) });
  const handle = await desk.start();
  await handle.wait({ for: "rest" });
  await desk.runs.close();
  for (const act of [
    () => desk.start(),
    () => desk.runs.resume(handle.runId),
    () => desk.runs.cancel(handle.runId),
    () => desk.runs.open(),
  ]) {
    await expect(act()).rejects.toMatchObject({ code: "invalid_transition" });
  }
  expect(await desk.kinds(handle.runId)).not.toContain("run.ended");
});

test("closing begins nothing more: what was proposed is left to the next process", async () => {
  const acts = Promise.withResolvers<object>();
  const options = { script: saying([write("a"), write("b")], "done"), deed: () => acts.promise };
  const desk = openRunDesk(options);
  const handle = await desk.start();
  await until(() => desk.deck.runs.length === 1);
  const closing = desk.runs.close();
  acts.resolve({});
  await closing;
  expect(desk.deck.runs).toHaveLength(1);
  const next = reopenRunDesk(desk, { ...options, deed: () => ({}) });
  const [again] = await next.runs.open();
  expect((await again?.wait())?.status).toBe("completed");
  expect(next.deck.inputsOf("notes.write")).toStrictEqual(['{"text":"b"}']);
  expect(again?.runId).toBe(handle.runId);
});

test("what a watcher of a run is given besides its events is live only", async () => {
  const desk = openRunDesk({
    script: saying([write("a")], "done"),
    deed: (_input, context) => {
      context.progress("halfway");
      return {};
    },
  });
  const seen: string[] = [];
  const handle = await desk.runs.start({ objective: "a" }, ({ type }) => seen.push(type));
  await handle.wait();
  expect(seen).toStrictEqual(["tool.progress"]);
});
