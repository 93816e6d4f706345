import { describe, expect, test } from "vitest";
import {
  agentDesk,
  calling,
  callsBlock,
  notesBlock,
  writing,
} from "../../../test-data/spectator/agent-desk.ts";

describe("a turn", () => {
  // proves LIVE-11.1, LIVE-2.1, LIVE-2.2, LIVE-2.3, LIVE-2.25
  test("answers, and what its model noted is the next revision", async () => {
    const notes = { set_goals: ["be brief"], add_open_loops: ["who pays"], set_episode_summary: "We met." };
    const { agent, model } = agentDesk({ says: [`Hello.\n${notesBlock(notes)}`] });
    const session = await agent.open("monday");
    const turn = await session.turn("hi");
    expect(turn).toMatchObject({ status: "completed", text: "Hello.", revision: 2, problems: [] });
    expect(await session.checkpoint()).toMatchObject({
      sessionId: "monday",
      revision: 2,
      state: { goals: ["be brief"], openLoops: ["who pays"], episodeSummary: "We met." },
      recentMessages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: "Hello." },
      ],
    });
    await session.turn("and now?");
    const shown = model.asked[1]?.messages ?? [];
    expect(shown.map(({ role }) => role)).toStrictEqual(["system", "user", "assistant", "user"]);
    expect(shown[0]?.text).toContain("- be brief");
    expect(await session.verify()).toMatchObject({ revisions: 3 });
  });

  // proves LIVE-3.1, LIVE-3.2, LIVE-3.3, LIVE-3.12, LIVE-3.15, LIVE-3.17, LIVE-3.18, LIVE-3.19, LIVE-3.20, LIVE-3.21, LIVE-3.24, LIVE-7.4
  test("calls tools in their order, and tells their results as tool messages of JSON, for some rounds", async () => {
    const says = [
      `I look.\n${callsBlock({ id: "a", tool: "notes.look", args: { text: "one" } }, { id: "b", tool: "notes.fail", args: {} })}`,
      `Again.\n${calling("notes.add", { text: "two" }, "a")}`,
      "Done.",
    ];
    const { agent, model, done } = agentDesk({ says, policy: writing });
    const turn = await (await agent.open("monday")).turn("do it");
    expect(turn).toMatchObject({ status: "completed", text: "I look.\n\nAgain.\n\nDone." });
    expect(done).toStrictEqual(["look one", "add two"]);
    const [, second = [], third = []] = model.asked.map(({ messages }) => messages);
    const told = second.filter(({ text }) => text.includes('"tool"') && text.startsWith("Result of a tool"));
    expect(told.map(({ text }) => JSON.parse(text.split("\n")[1] ?? "") as unknown)).toStrictEqual([
      { id: "a", tool: "notes.look", ok: true, output: { text: "one" }, error: null },
      {
        id: "b",
        tool: "notes.fail",
        ok: false,
        output: null,
        error: { code: "upstream_error", message: expect.stringContaining("it broke") },
      },
    ]);
    expect(third.at(-1)?.text).toContain('"added":true');
  });

  // proves LIVE-2.37, LIVE-3.11
  test("shows nothing of a block, however it comes", async () => {
    const says = [
      `Hello ${notesBlock({ set_goals: ["x"] })}there ${calling("notes.look", { text: "a" })}`,
      "Bye.",
    ];
    const { agent } = agentDesk({ says });
    const told: string[] = [];
    const session = await agent.open("monday");
    const turn = await session.turn("hi", {
      onEvent: (event) => event.type === "text" && told.push(event.text),
    });
    expect(told.join("")).not.toMatch(/[<>{}]|JSON|set_goals/);
    expect(turn.text.replaceAll("\n\n", "")).toBe(told.join(""));
  });

  test("shows no secret that is one once the block or the reasoning within it is gone, however it comes", async () => {
    const key = "9f3aQ7zL2mN4vR8xKpQw";
    for (const within of [notesBlock({ set_goals: ["x"] }), "<think>hm</think>"]) {
      const { agent } = agentDesk({ says: [`It is api_key:${within} ${key} today.`] });
      const told: string[] = [];
      const session = await agent.open("monday");
      const turn = await session.turn("hi", {
        onEvent: (event) => event.type === "text" && told.push(event.text),
      });
      expect(turn.text).toMatch(/^It is api_key: \[redacted:\S+\] today\.$/);
      expect(told.join("")).toBe(turn.text);
      expect(JSON.stringify(await session.checkpoint())).not.toContain(key);
      await agent.close();
    }
  });

  // proves LIVE-2.32
  test("with a block that cannot be read is asked again, told why, and nothing of that block counts", async () => {
    const bad = '<<<TOOL_CALLS_JSON>>>[{"id":"a","tool":"notes.add"}]<<<END_TOOL_CALLS_JSON>>>';
    const { agent, model, done } = agentDesk({ says: [bad, "Sorry."], policy: writing });
    const turn = await (await agent.open("monday")).turn("do it");
    expect(turn).toMatchObject({ status: "completed", text: "Sorry.", problems: [expect.any(String)] });
    expect(model.asked[1]?.messages.at(-1)?.text).toContain("TOOL_CALLS block could not be read");
    expect(done).toStrictEqual([]);
  });

  test("whose block is none any more without its secrets does not tell its model that its calls were not made", async () => {
    const key =
      "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    const says = [`I add. ${calling("notes.add", { text: "a key", key })}`, "Done."];
    const { agent, model, done } = agentDesk({ says, policy: writing });
    const turn = await (await agent.open("monday")).turn("do it");
    expect([turn.status, turn.problems, done.length]).toStrictEqual(["completed", [], 1]);
    expect(JSON.stringify(model.asked[1]?.messages)).not.toMatch(/none of its calls|MIIEvQ/);
  });

  test("whose model says nothing but what cannot be read ends all the same", async () => {
    const bad = "<<<NOTES_JSON>>>{<<<END_NOTES_JSON>>> hm";
    const { agent, model } = agentDesk({ says: [bad, bad, bad, bad] });
    const session = await agent.open("monday");
    expect(await session.turn("do it")).toMatchObject({ status: "completed", revision: 2 });
    expect(model.asked).toHaveLength(3);
    expect(await session.turn("and now?")).toMatchObject({ status: "completed", revision: 3 });
  });

  test("whose model fails is a failed turn, and the next one goes on", async () => {
    const boom = () => {
      throw new Error("no connection");
    };
    const { agent } = agentDesk({ says: [boom, boom, boom], runLimits: { backoffMs: 1 } });
    const session = await agent.open("monday");
    expect(await session.turn("hi")).toMatchObject({ status: "failed", error: { code: "provider_failed" } });
    expect(await session.turn("hi")).toMatchObject({ status: "completed", text: "that is all" });
  });

  // proves LIVE-3.13
  test("that changes something waits for a person's yes, and goes on by it", async () => {
    const says = [calling("notes.add", { text: "milk" }), "Added."];
    const { agent, operator, done } = agentDesk({ says, policy: { maxSideEffect: "user_write" } });
    const session = await agent.open("monday");
    const asked = await session.turn("add milk");
    expect(asked).toMatchObject({ status: "requires_approval", approvals: [{ status: "pending" }] });
    await expect(session.turn("hello?")).rejects.toMatchObject({ details: { reason: "turn_under_way" } });
    await operator.approve(asked.approvals[0]?.approvalId ?? "");
    expect(await session.resume()).toMatchObject({ status: "completed", text: "Added.", revision: 2 });
    expect(done).toStrictEqual(["add milk"]);
  });

  test("can be given up while it waits", async () => {
    const says = [calling("notes.add", { text: "milk" }), "Added."];
    const { agent, done } = agentDesk({ says, policy: { maxSideEffect: "user_write" } });
    const session = await agent.open("monday");
    await session.turn("add milk");
    expect(await session.cancel()).toMatchObject({ status: "cancelled", revision: 2 });
    expect(await session.left()).toBeUndefined();
    expect(done).toStrictEqual([]);
  });
});

describe("a turn that cannot go on as it was", () => {
  test("is given up where the agent has other tools, policies or another model by now", async () => {
    const says = [calling("notes.add", { text: "milk" })];
    const first = agentDesk({ says, policy: { maxSideEffect: "user_write" } });
    await (await first.agent.open("monday")).turn("add milk");
    await first.agent.close();
    const second = agentDesk({ store: first.store, policy: { maxSideEffect: "none" } });
    const session = await second.agent.open("monday");
    await expect(session.resume()).rejects.toMatchObject({ details: { reason: "other_package" } });
    expect(await session.cancel()).toMatchObject({ status: "cancelled", revision: 2 });
    expect(await session.turn("hello?")).toMatchObject({ status: "completed", revision: 3 });
  });

  test("is cancelled by its signal, and what was said by then is kept", async () => {
    const cancelling = new AbortController();
    const stop = () => {
      cancelling.abort();
      return "too late";
    };
    const says = [`I look. ${calling("notes.look", { text: "a" })}`, stop];
    const { agent } = agentDesk({ says });
    const session = await agent.open("monday");
    const turn = await session.turn("look", { signal: cancelling.signal });
    expect(turn).toMatchObject({ status: "cancelled", text: "I look.", revision: 2 });
    expect((await session.checkpoint()).recentMessages.map(({ role }) => role)).toStrictEqual([
      "user",
      "assistant",
      "tool",
    ]);
  });

  // proves LIVE-3.25, LIVE-3.26
  test("stops after 8 rounds and calls nothing after 32 calls, where nothing else was said", async () => {
    const looks = (count: number, from = 0) =>
      Array.from({ length: count }, (_, n) => ({
        id: `c${n}`,
        tool: "notes.look",
        args: { text: `${from + n}` },
      }));
    const rounds = agentDesk({ says: Array.from({ length: 9 }, (_, n) => callsBlock(...looks(1, n))) });
    const long = await (await rounds.agent.open("monday")).turn("look");
    expect(long).toMatchObject({ status: "blocked", error: { code: "budget_exceeded" } });
    expect([rounds.model.asked.length, rounds.done.length]).toStrictEqual([8, 8]);
    const calls = agentDesk({ says: [callsBlock(...looks(20)), callsBlock(...looks(20, 20))] });
    await (await calls.agent.open("monday")).turn("look");
    expect(calls.done).toHaveLength(32);
    expect(calls.model.asked[2]?.messages.at(-1)?.text).toContain('"ok":false');
    expect(calls.model.asked[2]?.messages.at(-1)?.text).toContain("budget_exceeded");
  });

  test("stops after so many rounds, and says so", async () => {
    const says = Array.from({ length: 9 }, (_, n) => calling("notes.look", { text: `${n}` }));
    const { agent, done } = agentDesk({ says, policy: { budget: { maxSteps: 3, maxToolCalls: 9 } } });
    const turn = await (await agent.open("monday")).turn("look");
    expect(turn).toMatchObject({ status: "blocked", error: { code: "budget_exceeded" } });
    expect(done).toHaveLength(3);
  });
});

test("whoever listens and fails has no say in a turn", async () => {
  const { agent, troubles } = agentDesk({
    says: [`Hm. ${notesBlock({ actions: ["request_permission:net"] })}`],
  });
  const boom = () => {
    throw new Error("the screen is gone");
  };
  const turn = await (await agent.open("monday")).turn("hi", { onEvent: boom });
  expect(turn).toMatchObject({ status: "completed", text: "Hm." });
  expect(troubles.length).toBeGreaterThan(0);
});
