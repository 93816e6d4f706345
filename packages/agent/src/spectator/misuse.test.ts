// G1: what is not known is refused, and nothing begins.
import { createMemoryStore, openInstallation } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { agentDesk } from "../../test-data/spectator/agent-desk.ts";

const wrongOptions = [
  { toolCalling: "nativ" },
  { autoCondense: "never" },
  { instructions: 5 },
  { limits: { itemChar: 5 } },
  { memoryLimits: { memoryChar: 5 } },
  { tools: [] },
];

test.each(wrongOptions)("an agent with %j is refused", (options) => {
  expect(() => agentDesk(options as object)).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

const wrongTerms = [{ untill: "end" }, { until: "ever" }, { signal: {} }, { onEvent: "console" }, null];

test.each(wrongTerms)("a turn with %j is refused, and nothing was said", async (terms) => {
  const { agent, model } = agentDesk();
  const session = await agent.open("s");
  const refused = { code: "invalid_input" };
  await expect(session.turn("hi", terms as object)).rejects.toMatchObject(refused);
  await expect(session.resume(terms as object)).rejects.toMatchObject(refused);
  await expect(session.condense("soon" as "now")).rejects.toMatchObject(refused);
  expect(model.asked).toStrictEqual([]);
  expect(await session.left()).toBeUndefined();
});

test.each(["", " ", 5, null, "x".repeat(64_001)])("a turn that begins with %j is refused", async (text) => {
  const { agent } = agentDesk();
  const turn = (await agent.open("s")).turn(text as string);
  await expect(turn).rejects.toMatchObject({ code: "invalid_input" });
});

test.each(["", "__proto__", "a/b", "..", 5, undefined])("no session is called %j", async (id) => {
  const { agent } = agentDesk();
  await expect(agent.open(id as string)).rejects.toMatchObject({ code: "invalid_input" });
});

test("a turn that was cancelled before it began never begins, whatever the reason", async () => {
  const { agent, model } = agentDesk();
  const session = await agent.open("s");
  for (const signal of [AbortSignal.abort(), AbortSignal.abort("because")])
    await expect(session.turn("hi", { signal })).rejects.toMatchObject({ code: "cancelled" });
  expect(model.asked).toStrictEqual([]);
  expect(await session.turn("hi")).toMatchObject({ status: "completed", revision: 2 });
});

test("what is closed is closed, also twice, and says so", async () => {
  const { agent } = agentDesk();
  const session = await agent.open("s");
  await agent.close();
  await agent.close();
  await expect(session.turn("hi")).rejects.toMatchObject({ code: "invalid_transition" });
});

test("a store of another installation is named as that, and not called broken", async () => {
  const store = createMemoryStore();
  const first = agentDesk({ store });
  await first.agent.open("s");
  const other = agentDesk({ store, installation: openInstallation(new Uint8Array(32).fill(9)) }).agent;
  const none = agentDesk({ store, installation: undefined as never }).agent;
  const message = /^this store belongs to an installation/;
  for (const agent of [other, none]) {
    await expect(agent.open("s")).rejects.toThrow(message);
    await expect(agent.sessions()).rejects.toThrow(message);
    await expect(agent.import("{}", "t")).rejects.toThrow(message);
  }
  expect((await first.agent.sessions()).map(({ sessionId }) => sessionId)).toStrictEqual(["s"]);
});
