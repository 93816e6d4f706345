// What a long-lived agent keeps of a call, in whatever place and form, goes with it; its chain and its journal stay whole.
import { type Store, subagent } from "@spfunctions/kernel";
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
  expect((await seat.verify()).status).not.toBe("broken");
  const asked = desk.model.asked.length;
  await session.turn("what did you find of the silver keys?");
  const shown = JSON.stringify(desk.model.asked.slice(asked));
  const found = ["stay calm", "forty silver", "the bird"].map((text) => shown.includes(text));
  expect(found).toStrictEqual([true, false, false]);
});

const looks = calling("notes.look", { text: "q" });
const telling: Says[] = [looks, `It says: ${words}. ${notesBlock({ add_decisions: ["the bird has them"] })}`];
const isShown = (asked: readonly unknown[]) =>
  ["forty silver", "the bird has them"].some((text) => JSON.stringify(asked).includes(text));

/** One turn that had the call, and what the session was like before and after. */
async function toldDesk(more: Parameters<typeof agentDesk>[0] = {}) {
  const desk = agentDesk({
    says: [`Hi. ${notesBlock({ set_goals: ["stay calm"] })}`, ...telling],
    found: words,
    ...more,
  });
  const session = await desk.agent.open("s");
  await session.turn("hello");
  const { runId } = await session.turn("look it up");
  const exported = [await session.export(), await session.export({ all: true })];
  return { desk, session, runId, callId: await callOf(desk, runId), exported };
}

test("erasing tells what has gone with the call, by ids, and what nobody can know; said again, there is nothing more", async () => {
  const { desk, session, runId, callId } = await toldDesk();
  const kept = await desk.agent.memory.remember({ text: `Quote: ${words}`, source: { type: "tool" } });
  const other = await desk.agent.memory.remember({ text: "tea on Sundays", source: { type: "user" } });
  const erased = await desk.agent.erase(callId);
  expect(erased).toMatchObject({
    callId,
    revisions: [{ sessionId: "s", revision: 3 }],
    memories: [kept.memoryId],
    runs: [runId],
    underWay: [],
    calls: [],
    wishes: [],
  });
  expect(erased.payloads).toBeGreaterThan(3);
  expect(erased.unknown.join()).toContain("exports, backups, traces");
  expect(await desk.agent.memory.get(other.memoryId)).toMatchObject({ text: "tea on Sundays" });
  expect(await desk.agent.erase(callId)).toMatchObject({ payloads: 0, revisions: erased.revisions });
  expect((await session.history()).map(({ revision }) => revision)).toStrictEqual([3, 2, 1]);
  expect(await session.verify()).toMatchObject({ isWhole: true, revisions: 3 });
  // Nobody can try what may have stood there: what its hash was made with is gone, too.
  const { revisions } = JSON.parse(await session.export({ all: true })) as { revisions: { salt?: string }[] };
  expect(revisions.map(({ salt }) => salt === undefined)).toStrictEqual([false, false, true]);
});

test("after an undo, a fork, a diff or an export nothing is shown of it", async () => {
  const { desk, session, callId } = await toldDesk();
  const before = await session.fork("early");
  await session.turn("and?");
  await session.undo(3);
  await desk.agent.erase(callId);
  const asked = desk.model.asked.length;
  for (const one of [session, before, await session.fork("late", 3)]) {
    await one.turn("go on");
    await one.undo(3).catch(() => undefined);
    await one.turn("go on");
    expect((await one.checkpoint()).state.goals).toStrictEqual(["stay calm"]);
    expect(await one.verify()).toMatchObject({ isWhole: true });
  }
  expect(isShown(desk.model.asked.slice(asked))).toBe(false);
  expect(isShown([await session.export({ all: true }), await session.diff(2, 3)])).toBe(false);
});

test("a turn after an undo to before the call has seen nothing of it, and stays whole", async () => {
  const { desk, session, callId } = await toldDesk({
    says: [
      `Hi. ${notesBlock({ set_goals: ["stay calm"] })}`,
      ...telling,
      `New. ${notesBlock({ add_decisions: ["go home"] })}`,
    ],
  });
  await session.undo(2);
  await session.turn("something else");
  expect((await desk.agent.erase(callId)).revisions).toStrictEqual([{ sessionId: "s", revision: 3 }]);
  const { state, recentMessages } = await session.checkpoint();
  expect([state.decisions, recentMessages.at(-1)?.content]).toStrictEqual([["go home"], "New."]);
});

test("an export from before is imported without it, and one that was changed since is refused", async () => {
  const { desk, callId, exported } = await toldDesk();
  const bare = JSON.stringify(
    (JSON.parse(exported[0] ?? "") as { revisions: { checkpoint: object }[] }).revisions[0]?.checkpoint,
  );
  await desk.agent.import(exported[1] ?? "", "earlier");
  await desk.agent.erase(callId);
  const asked = desk.model.asked.length;
  for (const [at, text] of [...exported, bare].entries()) {
    expect(isShown([text])).toBe(true);
    await (await desk.agent.import(text, `import-${at}`)).turn("go on");
  }
  await (await desk.agent.open("earlier")).turn("go on");
  expect(isShown(desk.model.asked.slice(asked))).toBe(false);
  expect(isShown([await keptIn(desk)])).toBe(false);
  const renamed = bare.replace('"session_id":"s"', '"session_id":"other"');
  await expect(desk.agent.import(renamed, "renamed")).rejects.toMatchObject({
    code: "invalid_input",
    details: { reason: "erased", callId },
  });
});

const asking = { maxSideEffect: "user_write" } as const;
const waits: Says[] = [looks, `It says: ${words}. ${calling("notes.add", { text: "milk" })}`, "Added."];

test.each(["in the program that has it open", "in another one"])(
  "a turn that waits for a person is gone on with, and shown nothing of it: %s",
  async (where) => {
    const desk = agentDesk({ says: waits, found: words, policy: asking });
    const session = await desk.agent.open("s");
    const resting = await session.turn("look it up, and add milk");
    expect(resting.status).toBe("requires_approval");
    const isSame = where.startsWith("in the program");
    if (!isSame) await desk.agent.close();
    const seat = openSeat(desk);
    await seat.erase(await callOf(desk, resting.runId));
    await seat.close();
    const next = isSame ? desk : agentDesk({ says: ["Added."], policy: asking, store: desk.store });
    const asked = next.model.asked.length;
    await next.operator.approve(resting.approvals[0]?.approvalId ?? "");
    const done = await (await next.agent.open("s")).resume();
    expect([done.status, done.text.includes("Added.")]).toStrictEqual(["completed", true]);
    expect(next.model.asked.length).toBeGreaterThan(asked);
    expect(isShown(next.model.asked.slice(asked))).toBe(false);
    expect(isShown([await keptIn(desk)])).toBe(false);
    expect((await seat.verify()).status).not.toBe("broken");
  },
);

test("what a model says that was asked before is erased when its turn is over", async () => {
  const asked = Promise.withResolvers<void>();
  const erased = Promise.withResolvers<void>();
  const desk = agentDesk({ found: words });
  const model = desk.model;
  const complete = model.complete.bind(model);
  model.complete = async (input) => {
    const result = await complete(input);
    if (model.asked.length === 1) return { ...result, text: looks };
    if (model.asked.length > 2) return result;
    asked.resolve();
    await erased.promise;
    return { ...result, text: `${words} ${notesBlock({ set_goals: ["the bird has them"] })}` };
  };
  const session = await desk.agent.open("s");
  const turn = session.turn("look it up");
  await asked.promise;
  const runId = (await session.left())?.runId ?? "";
  const seat = openSeat(desk);
  await seat.erase(await callOf(desk, runId));
  await seat.close();
  erased.resolve();
  expect((await turn).text).not.toContain("silver");
  expect(isShown([await keptIn(desk)])).toBe(false);
  await session.turn("go on");
  expect(isShown(model.asked.slice(2))).toBe(false);
  expect(await session.verify()).toMatchObject({ isWhole: true });
});

test("what a child has read is erased with what its parent was told of it", async () => {
  const helper = subagent({ name: "helper", objective: "help", tools: "inherit_allowlist" });
  const says: Says[] = [
    calling("subagent.helper", { task: "look for it" }),
    looks,
    `In short: the bird has them.`,
    `I know: the bird has them.`,
  ];
  const { tools } = agentDesk({ found: words });
  const desk = agentDesk({ says, packs: [tools, helper], policy: { maxCostEffect: "llm_cost" } });
  const session = await desk.agent.open("s");
  const { runId } = await session.turn("what is there?");
  const runs = await desk.store.documents({ kind: "run", accountId: "acct_1", limit: 10 });
  const child = runs.find(({ id }) => id !== runId)?.id ?? "";
  expect(isShown([await keptIn(desk)])).toBe(true);
  const erased = await desk.agent.erase(await callOf(desk, child));
  expect(erased.runs.toSorted()).toStrictEqual([child, runId].toSorted());
  expect(isShown([await keptIn(desk)])).toBe(false);
  expect(isShown([await session.checkpoint()])).toBe(false);
  expect((await openSeat(desk).verify()).status).not.toBe("broken");
});

test("a summary by the model goes with what it was made of, and so do the messages that were remembered", async () => {
  const says: Says[] = [...telling, "Sure.", "In short, the bird has them.", "Fine."];
  const desk = agentDesk({ says, found: words, limits: { recentMessages: 2 }, autoCondense: "smart" });
  const session = await desk.agent.open("s");
  const { runId } = await session.turn("look it up");
  await session.turn("sure?");
  expect((await desk.agent.memory.list()).items.length).toBeGreaterThan(1);
  await desk.agent.erase(await callOf(desk, runId));
  expect(isShown([await keptIn(desk)])).toBe(false);
  const { items } = await desk.agent.memory.list();
  expect(items.map(({ source }) => source.type)).not.toContain("model");
});

/** A store that dies at one of its commits. */
function dyingAt(store: Store, commit: number): Store {
  let count = 0;
  return new Proxy(store, {
    get: (_, name) => {
      if (name === "commit")
        return async (unit: Parameters<Store["commit"]>[0]) => {
          count += 1;
          if (count >= commit) throw new Error("killed");
          return await store.commit(unit);
        };
      const member: unknown = Reflect.get(store, name);
      return typeof member === "function" ? (member.bind(store) as unknown) : member;
    },
  });
}

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  "whoever is killed at the commit %i of it leaves it to the next that opens the agent, or erases it again",
  async (commit) => {
    const { desk, callId } = await toldDesk();
    await desk.agent.memory.remember({ text: `Note: ${words}`, source: { type: "model" } });
    const dying = openSeat({ store: dyingAt(desk.store, commit) });
    const isKilled = await dying.erase(callId).then(
      () => false,
      () => true,
    );
    const next = agentDesk({ store: desk.store });
    const session = await next.agent.open("s");
    await session.turn("what of the silver keys?");
    // Before the first commit of it nobody knows that it was wanted.
    const isBegun =
      (await desk.store.documents({ kind: "agent_erasure", accountId: "acct_1", limit: 1 })).length > 0;
    expect(isShown([next.model.asked])).toBe(!isBegun && isKilled);
    await next.agent.erase(callId);
    expect(isShown([await keptIn(desk)])).toBe(false);
    expect(await session.verify()).toMatchObject({ isWhole: true });
    expect((await openSeat(desk).verify()).status).not.toBe("broken");
  },
);

test("two that erase at once, and a turn beside them, leave nothing of it", async () => {
  const { desk, session, callId } = await toldDesk();
  const second = agentDesk({ store: desk.store });
  await Promise.all([
    desk.agent.erase(callId),
    second.agent.erase(callId),
    session.turn("go on"),
    desk.agent.memory.remember({ text: "tea", source: { type: "user" } }),
  ]);
  expect(isShown([await keptIn(desk)])).toBe(false);
  expect(await session.verify()).toMatchObject({ isWhole: true });
  expect((await openSeat(desk).verify()).status).not.toBe("broken");
});

test("a wish that quotes it loses its reason, and stays", async () => {
  const says: Says[] = [
    looks,
    `The bird has them: ${words}. ${notesBlock({ actions: ["request_permission:net:a.example"] })}`,
  ];
  const desk = agentDesk({ says, found: words });
  const session = await desk.agent.open("s");
  const { runId } = await session.turn("look it up");
  const erased = await desk.agent.erase(await callOf(desk, runId));
  expect(erased.wishes).toHaveLength(1);
  const [wish] = await desk.operator.capabilities.list({ status: "pending" });
  expect([wish?.capability, wish?.reason, wish?.readBefore]).toStrictEqual([
    "net:a.example",
    undefined,
    undefined,
  ]);
  expect(isShown([await keptIn(desk)])).toBe(false);
  expect((await openSeat(desk).verify()).status).not.toBe("broken");
});

test("where a session keeps what was asked last, a user's copy of it goes, too", async () => {
  const { desk, session, callId } = await toldDesk();
  const other = await desk.agent.open("other");
  await other.turn(`Is it so that ${words}?`);
  await session.turn(`${"And so on. ".repeat(16)}${words}`);
  expect(isShown([await keptIn(desk)])).toBe(true);
  await desk.agent.erase(callId);
  expect(await keptIn(desk)).not.toContain("heron");
  expect((await other.turn("and?")).status).toBe("completed");
  expect((await session.turn("and?")).status).toBe("completed");
});
