// A session is one run after another, in whichever runtime: what was said before comes first, and what a host lists of it widens nothing.
import type { RuntimeSession } from "@spfunctions/contracts";
import { describe, expect, onTestFinished, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { Deck } from "../../../kernel/test-data/call-deck.ts";
import { principalOf } from "../../../kernel/test-data/call-desk.ts";
import { read, saying, ScriptedModel, write } from "../../../kernel/test-data/run-desk.ts";
import { hang } from "../../../kernel/test-data/run-levers.ts";
import { anotherRuntime, asking, bounds, runtimeDesk, writing } from "../../test-data/runtime-desk.ts";
import { type SessionStore, SimpleFunctionsRuntime } from "./index.ts";

const rolesAndTexts = (asked: { messages: readonly { role: string; text: string }[] } | undefined) =>
  asked?.messages.map(({ role, text }) => `${role}: ${text}`);

// proves RUN-1.3, RUN-6.4
test("what was said in the runs before comes first in the next, over runs and runtimes; instructions are each run's own", async () => {
  const first = runtimeDesk({ says: ["hello anna", "you are anna"], instructions: "Be kind." });
  await first.runtime.run({ objective: "I am anna.", sessionId: "s1" });
  await first.runtime.run({ objective: "Who am I?", sessionId: "s1" });
  await first.runtime.close();
  const next = anotherRuntime(first, { script: () => "anna, still", instructions: "Be brief." });
  const { sessionId } = await next.runtime.run({ objective: "And now?", sessionId: "s1" });
  expect(sessionId).toBe("s1");
  expect(rolesAndTexts(next.model.asked[0])).toStrictEqual([
    "system: Be brief.",
    "user: I am anna.",
    "assistant: hello anna",
    "user: Who am I?",
    "assistant: you are anna",
    "user: And now?",
  ]);
});

// proves RUN-10.25
test("without a store sessions are kept in memory, for as long as their runtime is there", async () => {
  const open = () => {
    const model = new ScriptedModel(saying("one", "two"));
    const packs = [new Deck().tools];
    const runtime = new SimpleFunctionsRuntime({ packs, policy: bounds, principal: principalOf(), model });
    onTestFinished(() => runtime.close());
    return { runtime, model };
  };
  const first = open();
  await first.runtime.run({ objective: "a", sessionId: "s1" });
  await first.runtime.run({ objective: "b", sessionId: "s1" });
  expect(rolesAndTexts(first.model.asked[1])).toStrictEqual(["user: a", "assistant: one", "user: b"]);
  expect(await first.runtime.session("s1")).toMatchObject({ sessionId: "s1", objective: "b" });
  expect(await open().runtime.session("s1")).toBeNull();
});

test("a run without a session, or of another one, knows nothing of it", async () => {
  const { runtime, model } = runtimeDesk({ script: () => "done" });
  await runtime.run({ objective: "a", sessionId: "s1" });
  await runtime.run({ objective: "b", sessionId: "s2" });
  await runtime.run({ objective: "c" });
  expect(model.asked.map(({ messages }) => messages.length)).toStrictEqual([1, 1, 1]);
});

test("a session has one run at a time", async () => {
  const desk = runtimeDesk({ policy: asking, says: [[write("a")], "done"] });
  const { runId } = await desk.runtime.run({ objective: "write", sessionId: "s1" });
  const refusal = await rejectionOf(desk.runtime.run({ objective: "and again", sessionId: "s1" }));
  expect(refusal).toMatchObject({ code: "invalid_transition", details: { reason: "run_under_way" } });
  await desk.runtime.cancel(runId);
  await desk.runtime.resume(runId);
  await expect(desk.runtime.run({ objective: "look", sessionId: "s1" })).resolves.toBeDefined();
});

test("a session that its policy does not keep ends with its runtime, and one of another agent is none here", async () => {
  const session = { ...bounds.session, persist: false };
  const first = runtimeDesk({ policy: { ...writing, session }, script: () => "done" });
  await first.runtime.run({ objective: "a", sessionId: "s1" });
  await first.runtime.run({ objective: "b", sessionId: "s1", maxSteps: 3 });
  expect(first.model.asked[1]?.messages).toHaveLength(3);
  const next = anotherRuntime(first, { policy: { ...writing, session } });
  expect(await rejectionOf(next.runtime.run({ objective: "c", sessionId: "s1" }))).toMatchObject({
    details: { reason: "not_persisted" },
  });
  const other = anotherRuntime(first, { agentId: "other" });
  expect(await rejectionOf(other.runtime.run({ objective: "c", sessionId: "s1" }))).toMatchObject({
    details: { reason: "other_agent" },
  });
});

describe("what is known of a session", () => {
  // proves RUN-10.4, RUN-10.6, RUN-10.7
  test("is when it began, what was asked last, and under which policy", async () => {
    const { runtime } = runtimeDesk({ script: () => "done" });
    expect(await runtime.session("s1")).toBeNull();
    await runtime.run({ objective: "first", sessionId: "s1" });
    const before = await runtime.session("s1");
    await runtime.run({ objective: "second", sessionId: "s1" });
    const after = await runtime.session("s1");
    expect([before?.objective, after?.objective]).toStrictEqual(["first", "second"]);
    expect(after?.createdAt).toBe(before?.createdAt);
    expect(after?.policySummary).toMatchObject({ policyDigest: expect.stringMatching(/^sha256:/) });
  });

  test("I1: is known to its own account alone", async () => {
    const first = runtimeDesk();
    await first.runtime.run({ objective: "first", sessionId: "s1" });
    const principal = { accountId: "acct_2", keyId: "k", scopes: ["read"], kind: "key" } as const;
    expect(await anotherRuntime(first, { principal }).runtime.session("s1")).toBeNull();
  });
});

/** A host's own list, which may be told to fail. */
class HostList implements SessionStore {
  readonly kept = new Map<string, RuntimeSession>();
  fails = false;
  async get(sessionId: string): Promise<RuntimeSession | null> {
    return this.kept.get(sessionId) ?? null;
  }
  async put(session: RuntimeSession): Promise<void> {
    if (this.fails) throw new Error("the list is down");
    this.kept.set(session.sessionId, session);
  }
}

describe("a host's own list of sessions", () => {
  // proves RUN-5.7, RUN-10.23, RUN-10.24
  test("is told of every run, and asked for what is known", async () => {
    const sessionStore = new HostList();
    const { runtime, store } = runtimeDesk({ sessionStore, script: () => "done" });
    await runtime.run({ objective: "no session" });
    expect(sessionStore.kept.size).toBe(0);
    await runtime.run({ objective: "first", sessionId: "s1" });
    await runtime.run({ objective: "second", sessionId: "s1" });
    expect([...sessionStore.kept.values()]).toMatchObject([{ sessionId: "s1", objective: "second" }]);
    const kept = await runtimeDesk({ store }).runtime.session("s1");
    expect(await runtime.session("s1")).toStrictEqual(kept);
  });

  test("G3: widens nothing by what it says, and forgets nothing by what it does not", async () => {
    const sessionStore = new HostList();
    const { runtime, model } = runtimeDesk({ sessionStore, script: () => "done" });
    await runtime.run({ objective: "first", sessionId: "s1" });
    sessionStore.kept.clear();
    await runtime.run({ objective: "second", sessionId: "s1" });
    expect(model.asked[1]?.messages).toHaveLength(3);
  });

  test("that cannot be told begins nothing behind its back: the run is cancelled, and the session goes on later", async () => {
    const sessionStore = new HostList();
    sessionStore.fails = true;
    const desk = runtimeDesk({ sessionStore, says: [[read, write("a")], "done"], deed: hang });
    for (const terms of [{}, { maxSteps: 3 }])
      await expect(desk.runtime.run({ objective: "x", sessionId: "s1", ...terms })).rejects.toThrow(
        "the list is down",
      );
    const runs = await desk.store.documents({ kind: "run", accountId: "acct_1", limit: 9 });
    expect(runs.map(({ status }) => status)).toStrictEqual(["cancelled", "cancelled"]);
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual([]);
    sessionStore.fails = false;
    desk.deck.deed = () => ({ done: true });
    expect(await desk.runtime.run({ objective: "y", sessionId: "s1" })).toMatchObject({
      status: "completed",
    });
  });
});
