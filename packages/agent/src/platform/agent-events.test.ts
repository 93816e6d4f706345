// The order of a live call: decided and journaled here, then sent, then recorded, then traced, then answered. J1: nothing is sent
// before its intent is committed.
import { agentEventSchema } from "@spfunctions/contracts";
import {
  createMemoryStore,
  memoryTrace,
  readTrace,
  type Store,
  type TraceStore,
  traceEntries,
} from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { gate, settlement, until } from "../../../kernel/test-data/call-waiting.ts";
import { gatedPack } from "../../../server/test-data/gated-pack.ts";
import { watchedStore } from "../../../server/test-data/watched-store.ts";
import { platformAgent, recordsOf } from "../../test-data/platform-agent.ts";
import type { SimpleFunctionsAgent } from "./simple-functions-agent.ts";

/** This platform's takes a text, and the types know another's. */
const reading: string = "world.read";

const writes = { policy: { maxSideEffect: "user_write" } } as const;
const catalog = "GET /api/contracts/tools";

/** The types of a call's events, in their order, each of them what it says it is; and how the call ended. */
async function eventsOf(agent: SimpleFunctionsAgent, tool: string, input?: unknown) {
  const stream = agent.stream(tool, input);
  const types: string[] = [];
  for await (const event of stream) types.push(agentEventSchema.parse(event).type);
  const { state, ...more } = await settlement(stream.result);
  return { types, state, code: "error" in more ? (more.error as { code: string }).code : undefined };
}

const begun = ["run.started", "tool.resolved", "policy.checked"];

describe("the events of a live call", () => {
  // proves KEY-13.2, KEY-13.5, KEY-13.10, KEY-13.14, KEY-13.18
  // proves RUN-2.4
  test.each(["world.read", "notes.add"])("that is answered, of %s", async (tool) => {
    const { agent } = await platformAgent(writes);
    const expected = [...begun, "tool.started", "tool.completed", "run.completed"];
    const answered = { types: expected, state: "kept", code: undefined };
    expect(await eventsOf(agent, tool, { text: "x" })).toStrictEqual(answered);
    expect(await eventsOf(agent, tool, { text: "x" })).toStrictEqual(answered);
  });

  // proves KEY-13.10, KEY-13.13
  test.each([
    ["a tool that its policy does not allow", "notes.add", { text: "x" }, "policy_denied"],
    ["an input that does not fit", "world.read", { text: 5 }, "invalid_input"],
  ])("that is refused here, of %s: policy.checked, then run.failed", async (_, tool, input, code) => {
    const { agent, sent } = await platformAgent();
    const expected = { types: [...begun, "run.failed"], state: "broken", code };
    expect(await eventsOf(agent, tool, input)).toStrictEqual(expected);
    expect(sent.map(({ what }) => what)).toStrictEqual([catalog]);
  });

  test("that is refused because there is no such tool", async () => {
    const { agent } = await platformAgent();
    const expected = {
      types: ["run.started", "policy.checked", "run.failed"],
      state: "broken",
      code: "unknown_tool",
    };
    expect(await eventsOf(agent, "no.such_tool")).toStrictEqual(expected);
  });

  // proves KEY-13.19
  test("that the platform refuses: it had begun here", async () => {
    const { agent } = await platformAgent(writes, { scopes: { scopes: ["read"] } });
    const expected = [...begun, "tool.started", "tool.failed", "run.failed"];
    expect(await eventsOf(agent, "notes.add", { text: "x" })).toStrictEqual({
      types: expected,
      state: "broken",
      code: "policy_denied",
    });
  });

  // proves KEY-13.1
  // proves RUN-4.3
  test("come in the order of what is kept, before the answer", async () => {
    const store = createMemoryStore();
    const { agent } = await platformAgent({ ...writes, store });
    const seen: string[] = [];
    const stream = agent.stream("notes.add", { text: "x" });
    for await (const event of stream) {
      if ("seq" in event) seen.push(`${event.seq}.${event.index} ${event.type}`);
    }
    expect(seen).toStrictEqual([
      "2.0 run.started",
      "2.1 tool.resolved",
      "2.2 policy.checked",
      "2.3 tool.started",
      "3.0 tool.completed",
      "3.1 run.completed",
    ]);
    expect((await recordsOf(store, "local")).map(({ kind }) => kind)).toStrictEqual([
      "segment.opened",
      "call.intended",
      "call.settled",
    ]);
  });
});

/** A store whose commits of one kind of record are waited for. */
function heldStore(kind: string): {
  readonly store: Store;
  readonly asked: () => boolean;
  readonly go: PromiseWithResolvers<void>;
} {
  const go = gate();
  let isAsked = false;
  const store = watchedStore(async ({ appends = [] }) => {
    if (!JSON.stringify(appends).includes(`\\"kind\\":\\"${kind}\\"`)) return;
    isAsked = true;
    await go.promise;
  });
  return { store, asked: () => isAsked, go };
}

describe("J1: nothing is sent", () => {
  test("before its intent is committed", async () => {
    const { store, asked, go } = heldStore("call.intended");
    const { agent, sent, house } = await platformAgent({ ...writes, store });
    const call = agent.call("notes.add", { text: "x" });
    await until(asked);
    expect(await settlement(call)).toStrictEqual({ state: "pending" });
    expect([sent.map(({ what }) => what), house.deeds]).toStrictEqual([[catalog], []]);
    go.resolve();
    await call;
    expect(sent.at(-1)?.what).toBe("POST /api/notes");
    expect(house.deeds).toHaveLength(1);
  });

  test("at all where it cannot be committed", async () => {
    const { store, go } = heldStore("call.intended");
    const { agent, sent, house } = await platformAgent({ ...writes, store });
    go.reject(new Error("the disk is full"));
    const ended = await settlement(agent.call("notes.add", { text: "x" }));
    expect(ended.state).toBe("broken");
    expect([sent.map(({ what }) => what), house.deeds]).toStrictEqual([[catalog], []]);
  });
});

test("no read is answered before it is recorded here", async () => {
  const { store, asked, go } = heldStore("call.read");
  const { agent, house } = await platformAgent({ store });
  const call = agent.call(reading, { text: "x" });
  await until(asked);
  expect(house.deeds).toHaveLength(1);
  expect(await settlement(call)).toStrictEqual({ state: "pending" });
  go.resolve();
  expect((await call).tool).toBe("world.read");
});

/** A trace whose lines are waited for, and what has come. */
function heldTrace(): {
  readonly trace: TraceStore;
  readonly go: PromiseWithResolvers<void>;
  readonly asked: () => boolean;
} {
  const kept = memoryTrace();
  const go = gate();
  let isAsked = false;
  const replace: TraceStore["replace"] = async (lines) => {
    isAsked = true;
    await go.promise;
    await kept.replace(lines);
  };
  return { trace: { ...kept, replace }, go, asked: () => isAsked };
}

// proves KEY-13.17
test.each(["world.read", "notes.add"])(
  "the trace has a call of %s before its answer is given",
  async (tool) => {
    const { trace, go, asked } = heldTrace();
    const { agent, house } = await platformAgent({ ...writes, trace });
    const call = agent.call(tool, { text: "x" });
    await until(asked);
    expect(house.deeds).toHaveLength(1);
    expect(await settlement(call)).toStrictEqual({ state: "pending" });
    go.resolve();
    const { callId, output } = await call;
    const read = await readTrace(await trace.text());
    expect(read.verification.status).toBe("open");
    expect(traceEntries(read)).toMatchObject([{ callId, tool, output, status: "completed" }]);
  },
);

// proves KEY-13.17
test("the events of a call follow its records, and do not wait for its trace", async () => {
  const { trace, go, asked } = heldTrace();
  const { agent } = await platformAgent({ ...writes, trace });
  const stream = agent.stream("notes.add", { text: "x" });
  const types: string[] = [];
  for await (const { type } of stream) {
    types.push(type);
    if (type === "run.completed") break;
  }
  await until(asked);
  expect(types).toStrictEqual([...begun, "tool.started", "tool.completed", "run.completed"]);
  expect(await settlement(stream.result)).toStrictEqual({ state: "pending" });
  go.resolve();
  expect((await stream.result).tool).toBe("notes.add");
});

test("the trace has a refusal, too, before its caller is told", async () => {
  const { trace, go, asked } = heldTrace();
  const { agent } = await platformAgent({ trace });
  const call = rejectionOf(agent.call("notes.add", { text: "x" }));
  await until(asked);
  expect(await settlement(call)).toStrictEqual({ state: "pending" });
  go.resolve();
  expect((await call).code).toBe("policy_denied");
  const entries = traceEntries(await readTrace(await trace.text()));
  expect(entries).toMatchObject([{ tool: "notes.add", status: "denied_before_execution" }]);
});

test("a call that is cancelled while it is under way ends at once, and what changes something goes on there", async () => {
  const gated = gatedPack();
  const { agent, house } = await platformAgent(writes, { platform: { packs: [gated.pack] } });
  const controller = new AbortController();
  const call = rejectionOf(agent.call("gated.write", { text: "x" }, { signal: controller.signal }));
  const visit = await gated.visit(0);
  controller.abort();
  expect((await call).code).toBe("cancelled");
  expect(visit.signal.aborted).toBe(false);
  visit.goOn();
  await house.platform.close();
  const settled = (await recordsOf(house.store, "acct_1")).filter(({ kind }) => kind === "call.settled");
  expect(settled.at(-1)).toMatchObject({ status: "completed" });
});
