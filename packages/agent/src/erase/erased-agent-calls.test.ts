// What a long-lived agent keeps of a call, in whatever place and form, goes with it; its chain and its journal stay whole.
import { expect, test } from "vitest";
import { agentDesk, calling, notesBlock, type Says } from "../../test-data/spectator/agent-desk.ts";
import { callOf, keptIn, openSeat } from "../../test-data/spectator/erasing.ts";

const words = "the heron of quarry seven counts forty silver keys at dawn";

test("what was said, noted, condensed and remembered of a call is gone with it, and no model is shown it again", async () => {
  const says: Says[] = [
    `Before. ${notesBlock({ set_goals: ["stay calm"] })}`,
    calling("notes.look", { text: "q" }),
    `It says: ${words}. ${notesBlock({ set_goals: ["stay calm", "find the bird"], add_decisions: [words], set_episode_summary: "a bird has keys" })}`,
    "I said that the bird has them.",
    "A new day.",
  ];
  const desk = agentDesk({ says, found: words, limits: { recentMessages: 4 } });
  const session = await desk.agent.open("s");
  await session.turn("hello");
  const { runId } = await session.turn("look it up");
  await session.turn("who has the keys?");
  await desk.agent.memory.remember({ text: `Note: ${words}`, source: { type: "model" } });
  expect(await keptIn(desk)).toContain("forty silver keys");
  const seat = openSeat(desk);
  expect(await seat.erase(await callOf(desk, runId))).toBeGreaterThan(3);
  await seat.close();
  const kept = await keptIn(desk);
  for (const text of ["forty silver", "heron", "find the bird", "has keys", "the bird has them"])
    expect([text, kept.includes(text)]).toStrictEqual([text, false]);
  const { state, recentMessages } = await session.checkpoint();
  expect([state.goals, state.decisions]).toStrictEqual([["stay calm"], []]);
  expect(JSON.stringify(recentMessages)).toContain("(erased)");
  expect(await session.verify()).toMatchObject({ isWhole: true });
  expect((await seat.verify()).status).toBe("ok");
  const asked = desk.model.asked.length;
  await session.turn("what did you find of the silver keys?");
  const shown = JSON.stringify(desk.model.asked.slice(asked));
  const found = ["stay calm", "forty silver", "the bird"].map((text) => shown.includes(text));
  expect(found).toStrictEqual([true, false, false]);
});
