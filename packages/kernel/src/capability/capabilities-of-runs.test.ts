// S2, G3: what is granted in a tree of runs is granted to the run at its top, and holds in its children as far as they have the tool.
import { expect, test } from "vitest";
import { webDeck, page } from "../../test-data/call-network.ts";
import { childSpec, openFamily, type Parts, start, untilChild } from "../../test-data/family.ts";
import { openRunDesk, type RunDesk, saying } from "../../test-data/run-desk.ts";
import { hang, untilKind } from "../../test-data/run-levers.ts";
import type { Reach } from "../call/executors.ts";

const fetch = (url = page) => ({ name: "web.fetch", args: { url } });

/** What calls of a run came to. */
async function ends(desk: RunDesk, runId: string): Promise<string[]> {
  const records = await desk.records(runId);
  return records.flatMap((record) => {
    if (record.kind === "call.refused") return [record.error.code];
    return record.kind === "call.read" || record.kind === "call.settled" ? [record.status] : [];
  });
}

// proves LIVE-4.38
test("what a model is refused for want of is asked for its run; granted for the turn, it ends with the run", async () => {
  const reached: Reach[] = [];
  const desk = openRunDesk({ deck: webDeck(reached), script: saying([fetch()], [fetch()], "done") });
  const first = await desk.start();
  await first.wait();
  expect(await ends(desk, first.runId)).toStrictEqual(["capability_denied", "capability_denied"]);
  const [wish] = await desk.operator.capabilities.list();
  expect(wish).toMatchObject({
    capability: "net:example.com",
    holder: { keyId: "key_1", runId: first.runId },
    asker: { kind: "run", runId: first.runId },
  });
  await desk.operator.capabilities.grant(wish?.grantId ?? "", { scope: "turn" });
  const second = await desk.start();
  await second.wait();
  expect(await ends(desk, second.runId)).toStrictEqual(["capability_denied", "capability_denied"]);
  expect(reached).toStrictEqual([]);
});

test("granted while its model goes on, the next call reaches it", async () => {
  const reached: Reach[] = [];
  const desk: RunDesk = openRunDesk({
    deck: webDeck(reached),
    script: async (_input, step) => {
      if (step === 2) {
        const [wish] = await desk.operator.capabilities.list();
        await desk.operator.capabilities.grant(wish?.grantId ?? "", { scope: "turn" });
      }
      return step < 4 ? [fetch()] : "done";
    },
  });
  const handle = await desk.start();
  await handle.wait();
  expect(await ends(desk, handle.runId)).toStrictEqual(["capability_denied", "completed", "completed"]);
  expect(reached.length).toBe(2);
});

// proves LIVE-4.38
test("of a session, in all runs of it and in no other", async () => {
  const desk = openRunDesk({ deck: webDeck(), script: saying([fetch()], "done") });
  await desk.operator.capabilities.grant("net", { scope: "session", sessionId: "monday" });
  const codes: string[] = [];
  for (const sessionId of ["monday", "tuesday", undefined]) {
    const handle = await desk.runs.start({ objective: "look", sessionId });
    await handle.wait();
    codes.push(...(await ends(desk, handle.runId)));
  }
  expect(codes).toStrictEqual(["completed", "capability_denied", "capability_denied"]);
});

const looker = childSpec("looker", { tools: ["web.fetch"] });

test("a child asks for the tree, and has what the run at the top was granted: no more and no less", async () => {
  const reached: Reach[] = [];
  const parts: Parts = {
    parent: [[start("looker")], [fetch()], "done"],
    looker: async (_input, step) => {
      if (step === 2) {
        const [wish] = await desk.operator.capabilities.list();
        await desk.operator.capabilities.grant(wish?.grantId ?? "", { scope: "turn" });
      }
      return step < 3 ? [fetch()] : "done";
    },
  };
  const desk: RunDesk = openFamily(parts, [looker], { deck: webDeck(reached) });
  const handle = await desk.start();
  const { children } = await handle.wait();
  const [wish] = await desk.operator.capabilities.list({ status: "any" });
  expect(wish).toMatchObject({ holder: { runId: handle.runId }, asker: { runId: children[0]?.runId } });
  expect(await ends(desk, children[0]?.runId ?? "")).toStrictEqual(["capability_denied", "completed"]);
  expect(await ends(desk, handle.runId)).toStrictEqual(["completed", "completed"]);
});

test("a child that reads only has no tool that reaches anything, unless it is named", async () => {
  const parts: Parts = { parent: [[start("reader")], "done"], reader: [[fetch()], "done"] };
  const desk = openFamily(parts, [childSpec("reader", { tools: "read_only" })], { deck: webDeck() });
  await desk.operator.capabilities.grant("net", { scope: "until", forMs: 60_000 });
  const { children } = await (await desk.start()).wait();
  expect(await ends(desk, children[0]?.runId ?? "")).toStrictEqual(["unknown_tool"]);
});

test("one that is let go has nothing of what was granted for its parent's turn", async () => {
  const gate = Promise.withResolvers<void>();
  const parts: Parts = {
    parent: async (_input, step) => (step === 1 ? [start("looker")] : await hang()),
    looker: async (_input, step) => {
      if (step === 2) await gate.promise;
      return step < 3 ? [fetch()] : "done";
    },
  };
  const background = childSpec("looker", { tools: ["web.fetch"], mode: "background" });
  const desk = openFamily(parts, [background], { deck: webDeck() });
  const handle = await desk.start();
  await desk.operator.capabilities.grant("net", { scope: "turn", runId: handle.runId });
  const child = await untilChild(desk, handle.runId);
  await untilKind(desk, child, "model.intended", 2);
  await desk.runs.detach(child, "the night desk looks after it");
  gate.resolve();
  await (await desk.runs.get(child)).wait();
  expect((await ends(desk, child)).at(-1)).toBe("capability_denied");
  await handle.cancel();
  await handle.wait();
});
