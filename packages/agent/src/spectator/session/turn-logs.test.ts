import { type TurnEvent, turnEventKinds, turnEventSchema } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { agentDesk, calling, notesBlock } from "../../../test-data/spectator/agent-desk.ts";

/** Where the logs of turns are kept. */
function logs() {
  const texts = new Map<string, string>();
  return {
    texts,
    turnLog: { write: async (_: string, name: string, text: string) => void texts.set(name, text) },
    eventsOf: (name = ""): TurnEvent[] =>
      (texts.get(name) ?? "")
        .trimEnd()
        .split("\n")
        .map((line) => turnEventSchema.parse(JSON.parse(line))),
  };
}

test("a turn has a log of its own, with every kind of line there is, in the order in which it happened", async () => {
  const { turnLog, eventsOf, texts } = logs();
  const patch = {
    add_decisions: ["wait"],
    actions: ["condense_now", "grant_permission:net", "request_permission:net:example.com"],
    nonsense: 1,
  };
  const says = [
    "Hello.",
    "Yes.",
    `I look. ${notesBlock(patch)} ${calling("notes.look", { text: "rain" })}`,
    "Done.",
  ];
  const { agent } = agentDesk({ says, turnLog, limits: { recentMessages: 4 } });
  await agent.memory.remember({ text: "it rains on Mondays", source: { type: "user" } });
  const session = await agent.open("monday");
  await session.turn("one");
  await session.turn("two");
  const { trace } = await session.turn("when does it rain?");
  const events = eventsOf(trace);
  expect(events.map(({ kind }) => kind)).toStrictEqual([
    "retrieval",
    "llm_req",
    "llm_stream",
    "llm_done",
    "notes_patch",
    "actions",
    "action_refused",
    "tool_plan",
    "tool_start",
    "tool_done",
    "llm_req",
    "llm_stream",
    "llm_done",
    "grant",
    "condense",
  ]);
  expect(new Set(events.map(({ kind }) => kind))).toStrictEqual(new Set(turnEventKinds));
  const times = events.map(({ ts }) => ts);
  expect(times).toStrictEqual(times.toSorted((a, b) => a - b));
  expect(texts.size).toBe(3);
  expect((await session.checkpoint()).traceTail).toStrictEqual([...texts.keys()]);
  expect(events.find(({ kind }) => kind === "notes_patch")?.data).toMatchObject({ ignored: ["nonsense"] });
});

test("a log is lines of JSON, each with the second since 1970 in which it was", async () => {
  const { turnLog, texts } = logs();
  const clock = { now: () => 1_767_323_045_678, elapsed: () => 0, after: () => () => {} };
  const { agent } = agentDesk({ says: ["Hello."], turnLog, clock });
  await (await agent.open("s")).turn("hi");
  const [text = ""] = texts.values();
  expect(text.split("\n").map((line) => (line === "" ? "" : (JSON.parse(line) as unknown)))).toMatchObject([
    { ts: 1_767_323_045.678, kind: "llm_req", data: { step: 1 } },
    { ts: 1_767_323_045.678, kind: "llm_stream", data: { step: 1 } },
    { ts: 1_767_323_045.678, kind: "llm_done", data: { step: 1, text: "Hello." } },
    "",
  ]);
});

test("a log that cannot be written is told, and nothing else comes of it", async () => {
  const turnLog = { write: () => Promise.reject(new Error("the disk is full")) };
  const { agent, troubles } = agentDesk({ says: ["Hello."], turnLog });
  expect(await (await agent.open("s")).turn("hi")).toMatchObject({ status: "completed", text: "Hello." });
  expect(troubles).toMatchObject([{ what: expect.stringContaining("could not be written") }]);
});

test("no secret that was said is in a log", async () => {
  const secret = `sk-proj-${"a1B2c3D4e5F6g7H8".repeat(3)}`;
  const { turnLog, texts } = logs();
  const { agent } = agentDesk({
    says: [calling("notes.look", { text: secret }), `It is ${secret}.`],
    turnLog,
  });
  await (await agent.open("s")).turn(`my key is ${secret}`);
  expect([...texts.values()].join("")).not.toContain(secret);
});
