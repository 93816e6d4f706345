// Whatever is said, called or imported: the turn is kept, and the next one begins.
import { describe, expect, test } from "vitest";
import { agentDesk, callsBlock, notesBlock } from "../../../test-data/spectator/agent-desk.ts";

const emptyState = {
  goals: [],
  open_loops: [],
  decisions: [],
  constraints: [],
  episode_summary: "",
  memory_tags: [],
  memory_refs: [],
  capabilities_granted: [],
  capabilities_pending: [],
};
const importOf = (messages: readonly { role: string; content: string }[]) =>
  JSON.stringify({
    session_id: "old",
    revision: 1,
    updated_ts: 1,
    state: emptyState,
    recent_messages: messages,
  });

describe("a turn that is more than a checkpoint may have", () => {
  test("is kept with its messages cut, which is told, and the next one goes on", async () => {
    const calls = Array.from({ length: 32 }, (_, n) => ({
      id: `c${n}`,
      tool: "notes.look",
      args: { text: "it" },
    }));
    const says = [`I look. ${notesBlock({ add_open_loops: ["who pays"] })}${callsBlock(...calls)}`, "Seen."];
    const { agent, troubles } = agentDesk({
      says,
      found: "y".repeat(3000),
      limits: { checkpointBytes: 16_384 },
    });
    const session = await agent.open("s");
    expect(await session.turn("look")).toMatchObject({ status: "completed", text: "I look.\n\nSeen." });
    expect(troubles).toMatchObject([{ what: expect.stringContaining("too large") }]);
    expect(await session.left()).toBeUndefined();
    expect(await session.turn("and now?")).toMatchObject({ status: "completed" });
    expect((await session.checkpoint()).state.openLoops).toStrictEqual(["who pays"]);
    expect((await session.verify()).isWhole).toBe(true);
  });

  test("is kept without its messages, and without its notes where not even those fit", async () => {
    const says = [`Noted. ${notesBlock({ add_decisions: ["d".repeat(900), "e".repeat(900)] })}`];
    const { agent } = agentDesk({ says, limits: { checkpointBytes: 1536 } });
    const session = await agent.open("s");
    expect(await session.turn("x".repeat(5000))).toMatchObject({ status: "completed", revision: 2 });
    expect((await session.checkpoint()).state.decisions).toStrictEqual([]);
    expect(await session.turn("and now?")).toMatchObject({ status: "completed" });
  });
});

test("an import of more than a model is shown is condensed before the first turn, is told, and can be undone", async () => {
  const { agent, model } = agentDesk();
  const messages = Array.from({ length: 200 }, (_, n) => ({
    role: n % 2 === 0 ? "user" : "assistant",
    content: `${n} ${"x".repeat(5000)}`,
  }));
  const session = await agent.import(importOf(messages), "s");
  const told: string[] = [];
  const turn = await session.turn("go on", { onEvent: ({ type }) => void told.push(type) });
  expect(turn).toMatchObject({ status: "completed", revision: 3 });
  expect(told).toContain("condensed");
  const shown = model.asked[0]?.messages ?? [];
  expect(shown.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(60_000);
  expect((await session.undo(1)).recentMessages).toStrictEqual(messages);
});

test("whatever whoever listens does, now or later, the turn and the process go on", async () => {
  const boom = () => {
    throw new Error("the screen is gone");
  };
  const later = async () => boom();
  const says = [`Hm. ${notesBlock({ actions: ["request_permission:net"] })}`];
  const turnLog = { write: later };
  const { agent, troubles } = agentDesk({ says, turnLog, onTrouble: boom });
  const session = await agent.open("s");
  expect(await session.turn("hi", { onEvent: boom })).toMatchObject({ status: "completed", text: "Hm." });
  const other = agentDesk({ says });
  const listening = { onEvent: later } as object;
  expect(await (await other.agent.open("s")).turn("hi", listening)).toMatchObject({ text: "Hm." });
  expect(other.troubles.length).toBeGreaterThan(0);
  expect(troubles).toStrictEqual([]);
});
