// B31: what is to be reached, finished and obeyed is the same after condensing, word for word, and everybody is told what was left out.
import type { AgentRevision } from "@spfunctions/contracts";
import type { ModelAdapter } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { agentDesk, notesBlock } from "../../../test-data/spectator/agent-desk.ts";

const kept = { goals: ["ship it"], openLoops: ["who pays"], constraints: ["spend nothing", "be kind"] };
const noting = `Noted.\n${notesBlock({ set_goals: kept.goals, add_open_loops: kept.openLoops, add_constraints: ["be kind"] })}`;
const constraints = ["spend nothing"];

// proves LIVE-12.7
test("B31: above its limit a session is condensed by itself, as a revision that can be compared and undone", async () => {
  const limits = { recentMessages: 6 };
  const { agent, model } = agentDesk({ says: [noting], constraints, limits });
  const session = await agent.open("monday");
  const turns = [];
  for (let n = 1; n <= 4; n++) turns.push(await session.turn(`question ${n}`));
  const condensed = turns.find((turn) => turn.condensed !== undefined)?.condensed;
  expect(condensed).toMatchObject({ how: "now", before: { messages: 8 }, after: { messages: 2 } });
  expect(condensed?.diff).toMatchObject({ lists: {}, messages: { dropped: 6 } });
  const { state, recentMessages } = await session.checkpoint();
  expect(state).toMatchObject(kept);
  expect(recentMessages).toHaveLength(2);
  expect(state.episodeSummary).toContain("question 1");
  await session.turn("and now?");
  expect(model.asked.at(-1)?.messages[0]?.text).toContain("question 1");
  await session.undo();
  const undone = await session.undo();
  expect(undone.recentMessages).toHaveLength(8);
  expect(undone.state).toMatchObject(kept);
});

// proves LIVE-2.13, LIVE-2.26
test("what a model notes counts before what it asks for in the same answer", async () => {
  const both = notesBlock({ actions: ["condense_now"], set_goals: kept.goals });
  const { agent } = agentDesk({ says: ["One.", "Two.", `Three.\n${both}`], limits: { recentMessages: 8 } });
  const session = await agent.open("monday");
  for (const text of ["one", "two"]) await session.turn(text);
  const { condensed } = await session.turn("three");
  expect(condensed).toMatchObject({ how: "now", before: { messages: 6 }, after: { messages: 4 } });
  const { revisions } = JSON.parse(await session.export({ all: true })) as { revisions: AgentRevision[] };
  expect(
    revisions.slice(-2).map(({ cause, checkpoint: { state } }) => [cause.type, state.goals]),
  ).toStrictEqual([
    ["turn", kept.goals],
    ["condensed", kept.goals],
  ]);
});

// proves LIVE-2.14
test("where the model asks for it, it is condensed in its own words, after everything is remembered", async () => {
  const says = [
    noting,
    "Two.",
    `Three.\n${notesBlock({ actions: ["condense_smart"] })}`,
    "We talked about rain.",
  ];
  const { agent, model } = agentDesk({ says, constraints, limits: { recentMessages: 4 } });
  const session = await agent.open("monday");
  await session.turn("one: it rained");
  await session.turn("two");
  const { condensed } = await session.turn("three");
  expect(condensed).toMatchObject({ how: "smart" });
  expect((await session.checkpoint()).state).toMatchObject({
    ...kept,
    episodeSummary: "We talked about rain.",
  });
  // Asked without tools, and shown what it is to condense as data.
  expect(model.asked.at(-1)?.messages[0]?.text).not.toContain("notes.look");
  expect(model.asked.at(-1)?.messages[1]?.text).toContain('user: "one: it rained"');
});

test("a model that gives no summary that fits is not asked for another: it is condensed without one, and said so", async () => {
  const bad = "x".repeat(10_000);
  const says = [noting, "Two.", `Three.\n${notesBlock({ actions: ["condense_smart"] })}`, bad];
  const { agent } = agentDesk({ says, constraints, limits: { recentMessages: 4 } });
  const session = await agent.open("monday");
  for (const text of ["one", "two"]) await session.turn(text);
  const { condensed } = await session.turn("three");
  expect(condensed).toMatchObject({ how: "now", fellBack: expect.any(String) });
  expect((await session.checkpoint()).state).toMatchObject(kept);
});

test("a model that never ends its summary is not waited for by whoever has cancelled", async () => {
  const cancelling = new AbortController();
  const answers = ["One.", "Two.", `Three.\n${notesBlock({ actions: ["condense_smart"] })}`];
  const model: ModelAdapter = {
    name: "slow",
    offline: true,
    complete: async () => {
      const text = answers.shift();
      if (text !== undefined)
        return { text, toolCalls: [], finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } };
      cancelling.abort();
      return await new Promise<never>(() => {});
    },
  };
  const { agent } = agentDesk({ model, limits: { recentMessages: 4 } });
  const session = await agent.open("monday");
  for (const text of ["one", "two"]) await session.turn(text);
  const turn = await session.turn("three", { signal: cancelling.signal });
  expect(turn).toMatchObject({
    status: "completed",
    text: "Three.",
    condensed: { how: "now", fellBack: expect.any(String) },
  });
});

// proves LIVE-11.17
test("B31: the operator's constraints stand first whatever a model adds, sets or fills up", async () => {
  const flood = Array.from({ length: 200 }, (_, n) => `rule ${n}`);
  const says = [`Ok.\n${notesBlock({ add_constraints: ["spend nothing", ...flood] })}`];
  const { agent } = agentDesk({ says, constraints });
  const session = await agent.open("monday");
  const { notes } = await session.turn("go");
  const { state } = await session.checkpoint();
  expect(state.constraints[0]).toBe("spend nothing");
  expect(state.constraints.filter((one) => one === "spend nothing")).toHaveLength(1);
  expect(notes[0]?.refused.length).toBeGreaterThan(0);
});
