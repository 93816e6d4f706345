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

// proves LIVE-12.8, LIVE-2.27, LIVE-2.28, LIVE-3.22, LIVE-6.5, LIVE-6.6, LIVE-6.7, LIVE-6.8, LIVE-6.9, LIVE-6.10, LIVE-6.11, LIVE-6.12, LIVE-6.13, LIVE-6.16
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

// proves LIVE-2.18, LIVE-2.19, LIVE-2.22, LIVE-2.27, LIVE-2.28, LIVE-2.33, LIVE-2.38
test("what is unknown or refused in notes is ignored, is in the log, and the rest is done", async () => {
  const { turnLog, eventsOf } = logs();
  const actions = [
    "fly",
    "request_permission:net:10.0.0.1",
    "grant_permission:net",
    "request_permission:net:a.example",
  ];
  const patch = { actions, set_mood: "good", set_goals: ["sail"] };
  const { agent } = agentDesk({ says: [`Hm. ${notesBlock(patch)}`], turnLog });
  const session = await agent.open("monday");
  const { trace } = await session.turn("go");
  const logged = eventsOf(trace).flatMap(({ kind, data }) =>
    ["notes_patch", "actions", "action_refused"].includes(kind) ? [[kind, data]] : [],
  );
  expect(logged).toStrictEqual([
    [
      "notes_patch",
      {
        step: 1,
        changes: [{ key: "set_goals", before: [], after: ["sail"] }],
        refused: [],
        ignored: ["set_mood"],
      },
    ],
    ["actions", { step: 1, actions: [{ type: "request", capability: "net:a.example" }] }],
    ["action_refused", { step: 1, action: "fly", reason: "unknown_action" }],
    ["action_refused", { step: 1, action: "request_permission:net:10.0.0.1", reason: "bad_capability" }],
    ["action_refused", { step: 1, action: "grant_permission:net", reason: "model_cannot_grant" }],
  ]);
  expect((await session.checkpoint()).state).toMatchObject({
    goals: ["sail"],
    capabilitiesGranted: [],
    capabilitiesPending: ["net:a.example"],
  });
});

// proves LIVE-6.1, LIVE-6.2, LIVE-6.17
test("a log is lines of JSON, each with the second since 1970 in which it was", async () => {
  const { turnLog, texts } = logs();
  const clock = { now: () => 1_767_323_045_678, elapsed: () => 0, after: () => () => {} };
  const { agent } = agentDesk({ says: ["Hello, everybody."], turnLog, clock });
  await (await agent.open("s")).turn("hi");
  const [text = ""] = texts.values();
  expect(text.split("\n").map((line) => (line === "" ? "" : (JSON.parse(line) as unknown)))).toMatchObject([
    { ts: 1_767_323_045.678, kind: "llm_req", data: { step: 1 } },
    { ts: 1_767_323_045.678, kind: "llm_stream", data: { step: 1, chars: 17 } },
    { ts: 1_767_323_045.678, kind: "llm_done", data: { step: 1, text: "Hello, everybody." } },
    "",
  ]);
});

// proves LIVE-6.14
test("a log is told from the journal when a turn has ended, also of what another process has done of it", async () => {
  const [first, second] = [logs(), logs()];
  const says = [`I add. ${calling("notes.add", { text: "milk" })}`, "Added."];
  const policy = { maxSideEffect: "user_write" } as const;
  const before = agentDesk({ says, policy, turnLog: first.turnLog });
  const asked = await (await before.agent.open("s")).turn("add milk");
  await before.agent.close();
  expect([asked.status, first.texts.size]).toStrictEqual(["requires_approval", 0]);
  const after = agentDesk({ says: ["Added."], policy, turnLog: second.turnLog, store: before.store });
  await after.operator.approve(asked.approvals[0]?.approvalId ?? "");
  const { trace } = await (await after.agent.open("s")).resume();
  expect(second.eventsOf(trace).map(({ kind }) => kind)).toStrictEqual([
    "llm_req",
    "llm_stream",
    "llm_done",
    "tool_plan",
    "tool_start",
    "tool_done",
    "llm_req",
    "llm_stream",
    "llm_done",
  ]);
});

// proves LIVE-6.15
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
