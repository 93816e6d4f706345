// B17: a model may ask, and only ask. Whatever it says, reads or remembers, grants are as operators have left them.
import { expect, test } from "vitest";
import { agentDesk, calling, notesBlock } from "../../../test-data/spectator/agent-desk.ts";

const asking = (...actions: readonly string[]) => `Hm.\n${notesBlock({ actions })}`;

// proves LIVE-11.10, LIVE-2.20
test("a wish stands before an operator, with what was read just before", async () => {
  const page = "everything is at example.com, ask for it";
  const says = [calling("notes.look", { text: page }), asking("request_permission:net:example.com")];
  const { agent, operator } = agentDesk({ says });
  const session = await agent.open("monday");
  const wishes: unknown[] = [];
  await session.turn("look", { onEvent: (event) => event.type === "wish" && wishes.push(event.wish) });
  const [question] = await operator.capabilities.list({ status: "pending" });
  expect(question).toMatchObject({
    capability: "net:example.com",
    holder: { sessionId: "monday" },
    asker: { kind: "run" },
    reason: "Hm.",
    readBefore: [expect.stringContaining(page)],
  });
  expect(wishes).toStrictEqual([
    { capability: "net:example.com", type: "asked", grantId: question?.grantId },
  ]);
  expect((await session.checkpoint()).state).toMatchObject({
    capabilitiesGranted: [],
    capabilitiesPending: ["net:example.com"],
  });
});

// proves LIVE-11.9, LIVE-11.16, LIVE-2.23
test("what an operator grants is in the next checkpoint, and an older one brings nothing back", async () => {
  const { agent, operator } = agentDesk({ says: [asking("request_permission:net:example.com")] });
  const session = await agent.open("monday");
  await session.turn("ask");
  const [question] = await operator.capabilities.list({ status: "pending" });
  const { grantId } = await operator.capabilities.grant(question?.grantId ?? "", { scope: "session" });
  await session.turn("and now?");
  expect((await session.checkpoint()).state).toMatchObject({
    capabilitiesGranted: ["net:example.com"],
    capabilitiesPending: [],
  });
  const granted = (await session.checkpoint()).revision;
  await operator.capabilities.revoke(grantId);
  await session.turn("still?");
  expect((await session.checkpoint()).state.capabilitiesGranted).toStrictEqual([]);
  const undone = await session.undo(granted);
  expect(undone.state.capabilitiesGranted).toStrictEqual([]);
  expect((await session.fork("tuesday", granted)).id).toBe("tuesday");
  expect((await (await agent.open("tuesday")).checkpoint()).state.capabilitiesGranted).toStrictEqual([]);
  const imported = await agent.import(await session.export({ revision: granted }), "wednesday");
  expect((await imported.checkpoint()).state.capabilitiesGranted).toStrictEqual([]);
  expect(await operator.capabilities.list({ status: "granted" })).toStrictEqual([]);
});

// proves LIVE-11.14, LIVE-2.15, LIVE-2.21, LIVE-2.39
test("what is granted already is asked of nobody: it is not pending again", async () => {
  const wish = asking("request_permission:net:huggingface.co");
  const { agent, operator } = agentDesk({ says: [wish, wish] });
  const session = await agent.open("monday");
  await session.turn("ask");
  const [question] = await operator.capabilities.list({ status: "pending" });
  await operator.capabilities.grant(question?.grantId ?? "", { scope: "session" });
  await session.turn("ask again");
  expect(await operator.capabilities.list({ status: "pending" })).toStrictEqual([]);
  expect((await session.checkpoint()).state).toMatchObject({
    capabilitiesGranted: ["net:huggingface.co"],
    capabilitiesPending: [],
  });
});

// proves LIVE-11.14
test("what is granted while the question still stands is granted, and not pending any more", async () => {
  const { agent, operator } = agentDesk({ says: [asking("request_permission:net:example.com")] });
  const session = await agent.open("monday");
  await session.turn("ask");
  await operator.capabilities.grant("net:example.com", { scope: "session", sessionId: "monday" });
  await session.turn("and now?");
  expect(await operator.capabilities.list({ status: "pending" })).toHaveLength(1);
  expect((await session.checkpoint()).state).toMatchObject({
    capabilitiesGranted: ["net:example.com"],
    capabilitiesPending: [],
  });
});

test("a model is told what operators have granted and revoked since, and not what its last checkpoint says", async () => {
  const { agent, operator, model } = agentDesk({ says: [asking("request_permission:net:example.com")] });
  const session = await agent.open("monday");
  await session.turn("ask");
  const [question] = await operator.capabilities.list({ status: "pending" });
  const { grantId } = await operator.capabilities.grant(question?.grantId ?? "", { scope: "session" });
  await session.turn("and now?");
  await operator.capabilities.revoke(grantId);
  await session.turn("still?");
  const [, granted, revoked] = model.asked.map(({ messages }) => messages[0]?.text ?? "");
  expect(granted).toContain("Granted by operators:\n- net:example.com");
  expect(granted).not.toContain("not granted yet");
  expect(revoked).not.toContain("net:example.com\n");
});

// proves LIVE-2.22
test("B17: a grant by the model's own words is refused, and said so", async () => {
  const says = [
    asking(
      "grant_permission:net",
      "grant_permission:net:example.com",
      "fly",
      "request_permission:net:10.0.0.1",
    ),
  ];
  const { agent, operator } = agentDesk({ says });
  const session = await agent.open("monday");
  const { refusedActions } = await session.turn("go");
  expect(refusedActions).toStrictEqual([
    { action: "grant_permission:net", reason: "model_cannot_grant" },
    { action: "grant_permission:net:example.com", reason: "model_cannot_grant" },
    { action: "fly", reason: "unknown_action" },
    { action: "request_permission:net:10.0.0.1", reason: "bad_capability" },
  ]);
  expect(await operator.capabilities.list({ status: "any" })).toStrictEqual([]);
});

// proves LIVE-2.39
test("the same wish again, in another turn, is the same question; what was denied is not asked again", async () => {
  const wish = asking("request_permission:net:example.com", "request_permission:net:example.com");
  const { agent, operator } = agentDesk({ says: [wish, wish, wish] });
  const session = await agent.open("monday");
  await session.turn("one");
  await session.turn("two");
  const questions = await operator.capabilities.list({ status: "pending" });
  expect(questions).toHaveLength(1);
  await operator.capabilities.deny(questions[0]?.grantId ?? "");
  const wishes: unknown[] = [];
  await session.turn("three", { onEvent: (event) => event.type === "wish" && wishes.push(event.wish.type) });
  expect(wishes).toStrictEqual(["denied"]);
  expect(await operator.capabilities.list({ status: "pending" })).toStrictEqual([]);
});
