// What a long-lived agent needs of runs: each of its turns is one.
import { expect, test } from "vitest";
import { sessions } from "../../test-data/planned-run.ts";
import { openRunDesk, reopenRunDesk, saying, write } from "../../test-data/run-desk.ts";

const sessionId = "chat";
const turns = { levels: sessions(), origin: "spectator", script: saying([write("a")], "done") } as const;

test("whose calls they are is on record, of the run and of every call", async () => {
  const desk = openRunDesk(turns);
  const handle = await desk.runs.start({ objective: "one", sessionId });
  await handle.wait();
  const records = await desk.records(handle.runId);
  const origins = records.flatMap((record) => ("origin" in record ? [record.origin] : []));
  expect([...new Set(origins)]).toStrictEqual(["spectator"]);
  expect(origins.length).toBeGreaterThan(1);
});

test("a last word that is wrong is asked for again, as often as repairs are allowed, and told why", async () => {
  const checkAnswer = (text: string) => (text === "done" ? undefined : `${text} is no end`);
  const good = openRunDesk({ ...turns, checkAnswer, script: saying("half", "half", "done") });
  const first = await (await good.runs.start({ objective: "one" })).wait();
  expect(first).toMatchObject({ status: "completed", output: "done" });
  expect(JSON.stringify(good.model.asked[1]?.messages)).toContain("half is no end");
  const bad = openRunDesk({ ...turns, checkAnswer, script: saying("half", "half", "half", "half") });
  const second = await (await bad.runs.start({ objective: "one" })).wait();
  expect(second).toMatchObject({ status: "failed", error: { code: "invalid_output" } });
  expect(bad.model.asked).toHaveLength(3);
});

test("the last run of a session is known to the next process, and read as its journal has it", async () => {
  const desk = openRunDesk(turns);
  expect(await desk.runs.lastOf(sessionId)).toBeUndefined();
  const { runId } = await desk.runs.start({ objective: "one", sessionId });
  await (await desk.runs.get(runId)).wait();
  await desk.store.die();
  const next = reopenRunDesk(desk, turns);
  expect(await next.runs.lastOf(sessionId)).toBe(runId);
  expect((await next.runs.read(runId)).steps.map(({ text }) => text)).toStrictEqual(["", "done"]);
});

test("a run's wish is a session's, one question whichever run has it, and granted it is the session's", async () => {
  const desk = openRunDesk(turns);
  const wish = "net:example.com";
  const first = await desk.runs.start({ objective: "one", sessionId });
  await first.wait();
  const asked = await desk.runs.askFor(first.runId, wish, { reason: "to read", readBefore: ["a page"] });
  const second = await desk.runs.start({ objective: "two", sessionId });
  await second.wait();
  const again = await desk.runs.askFor(second.runId, wish);
  if (asked.type !== "asked") throw new Error(asked.type);
  expect(again).toMatchObject({ type: "asked", grant: { grantId: asked.grant.grantId } });
  expect(asked.grant).toMatchObject({
    asker: { kind: "run", runId: first.runId },
    holder: { sessionId },
    readBefore: ["a page"],
  });
  expect(await desk.runs.capabilities(sessionId)).toMatchObject({
    granted: [],
    pending: [{ capability: wish }],
  });
  await desk.operator.capabilities.grant(asked.grant.grantId, { scope: "session" });
  expect(await desk.runs.capabilities(sessionId)).toMatchObject({
    granted: [{ capability: wish }],
    pending: [],
  });
  expect(await desk.runs.capabilities("another")).toStrictEqual({ granted: [], pending: [] });
  await expect(desk.runs.askFor(first.runId, "net:10.0.0.1")).rejects.toMatchObject({
    code: "invalid_input",
  });
});
