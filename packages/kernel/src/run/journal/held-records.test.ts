// What changes nothing outside is written with what comes next: fewer commits, and nothing is acted on that is not on record.
import { expect, test } from "vitest";
import { atFirst, kindsIn } from "../../../test-data/call-store.ts";
import { turn, until } from "../../../test-data/call-waiting.ts";
import { openRunDesk, read, type RunDesk, saying, write } from "../../../test-data/run-desk.ts";

const commitsOf = (desk: RunDesk) => desk.store.units.map(kindsIn).filter((kinds) => kinds.length > 0);

test("a step of a read is one commit: what its model wants, what that came to, and its next question", async () => {
  const desk = openRunDesk({ script: saying([read], [read], "done") });
  const handle = await desk.start();
  await handle.wait();
  const step = ["model.settled", "call.read", "model.intended"];
  expect(commitsOf(desk)).toStrictEqual([
    ["run.opened"],
    ["model.intended"],
    step,
    step,
    ["model.settled"],
    ["run.ended"],
  ]);
});

test("J1: an effect begins once what its model wants and its intent are committed, together", async () => {
  const seen: string[][] = [];
  const desk = openRunDesk({
    script: saying([write("a")], "done"),
    deed: () => {
      seen.push(...commitsOf(desk));
      return {};
    },
  });
  await (await desk.start()).wait();
  expect(seen.at(-1)).toStrictEqual(["model.settled", "call.intended"]);
});

test("J1: a model is shown what a read came to once that is on record", async () => {
  const seen: string[][] = [];
  const desk = openRunDesk({
    script: (_input, step) => {
      seen.push(commitsOf(desk).at(-1) ?? []);
      return step === 1 ? [read] : "done";
    },
  });
  await (await desk.start()).wait();
  expect(seen).toStrictEqual([["model.intended"], ["model.settled", "call.read", "model.intended"]]);
});

test("however long a read takes, what its model has said is on record by the end of that turn", async () => {
  const reading = Promise.withResolvers<object>();
  const desk = openRunDesk({ script: saying([read], "done"), deed: () => reading.promise });
  const handle = await desk.start();
  await until(() => desk.deck.runs.length === 1);
  await turn();
  await turn();
  expect(commitsOf(desk).at(-1)).toStrictEqual(["model.settled"]);
  reading.resolve({});
  expect(await handle.wait()).toMatchObject({ status: "completed" });
  expect(commitsOf(desk)).toContainEqual(["call.read", "model.intended"]);
});

test("where it cannot be written by then, it is written with what comes next", async () => {
  const reading = Promise.withResolvers<object>();
  const desk = openRunDesk({ script: saying([read], "done"), deed: () => reading.promise });
  desk.store.fault = atFirst("model.settled", { type: "throw" });
  const handle = await desk.start();
  await until(() => desk.deck.runs.length === 1);
  await turn();
  await turn();
  expect(await desk.kinds(handle.runId)).toStrictEqual(["run.opened", "model.intended"]);
  reading.resolve({});
  expect(await handle.wait()).toMatchObject({ status: "completed" });
  expect(commitsOf(desk)).toContainEqual(["model.settled", "call.read", "model.intended"]);
});

test("where it cannot be written with that either, it is written once the store answers, and the run goes on from there", async () => {
  const desk = openRunDesk({ script: saying([read], "done") });
  desk.store.fault = atFirst("call.read", { type: "throw" });
  const handle = await desk.start();
  expect(await handle.wait()).toMatchObject({ status: "completed", output: "done" });
  const kept = ["run.opened", "model.intended", "model.settled", "call.read", "run.resumed"];
  expect((await desk.kinds(handle.runId)).slice(0, 5)).toStrictEqual(kept);
  expect([desk.deck.runs.length, desk.model.asked.length]).toStrictEqual([1, 2]);
});
