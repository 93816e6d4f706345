import { expect, test } from "vitest";
import { budget, childSpec, openFamily, start } from "../../test-data/family.ts";
import { read, write } from "../../test-data/run-desk.ts";

// proves CHILD-16.17, CHILD-16.18
test("a child runs on its own stream, and what it comes to is what the call comes to", async () => {
  const desk = openFamily(
    { parent: [[start("reader", "what is in it?")], "the notes say milk"], reader: [[read], "milk"] },
    [childSpec("reader")],
  );
  const handle = await desk.start();
  const result = await handle.wait();
  expect(result).toMatchObject({ status: "completed", output: "the notes say milk" });
  expect(await desk.kinds(handle.runId)).toStrictEqual([
    "run.opened",
    "model.intended",
    "model.settled",
    "call.intended",
    "subagent.started",
    "subagent.ended",
    "call.settled",
    "model.intended",
    "model.settled",
    "run.ended",
  ]);
  const [child] = result.children;
  expect(await desk.kinds(child?.runId ?? "")).toStrictEqual([
    "run.opened",
    "model.intended",
    "model.settled",
    "call.read",
    "model.intended",
    "model.settled",
    "run.ended",
  ]);
  expect(desk.model.asked.at(-1)?.messages.at(-1)?.text).toBe(
    JSON.stringify({ output: "milk", run: child?.runId, status: "completed" }),
  );
  await desk.runs.close();
});

// proves CHILD-9.8
test("what a child is not given it does not have", async () => {
  const desk = openFamily({ parent: [[start("reader")], "done"], reader: [[write("a")], "milk"] }, [
    childSpec("reader"),
  ]);
  const handle = await desk.start();
  await handle.wait();
  expect(desk.deck.runs).toStrictEqual([]);
  await desk.runs.close();
});

// proves CHILD-16.3
test("that a child is about to begin, and what it is told, is on its parent's record before there is a child", async () => {
  const desk = openFamily({ parent: [[start("reader")], "done"], reader: ["milk"] }, [childSpec("reader")]);
  const handle = await desk.start();
  const { children } = await handle.wait();
  const written = desk.store.units.flatMap(({ appends = [] }) =>
    appends.flatMap(({ stream, records }) =>
      records.map(({ text }) => `${stream} ${(JSON.parse(text) as { kind: string }).kind}`),
    ),
  );
  const child = children[0]?.runId ?? "";
  expect(written.indexOf(`${handle.runId} call.intended`)).toBeLessThan(
    written.indexOf(`${handle.runId} subagent.started`),
  );
  expect(written.indexOf(`${handle.runId} subagent.started`)).toBeLessThan(
    written.indexOf(`${child} run.opened`),
  );
  await desk.runs.close();
});

test("whoever may start no other child, and was told so twice, may still do anything else", async () => {
  const parent = [
    [start("reader", "one")],
    [start("reader", "two")],
    [start("reader", "three")],
    [read],
    "done",
  ];
  const desk = openFamily({ parent, reader: ["milk"] }, [childSpec("reader")], {
    policy: { budget: { ...budget, maxChildren: 1 } },
  });
  const handle = await desk.start();
  expect(await handle.wait()).toMatchObject({ status: "completed", output: "done" });
  expect((await desk.kinds(handle.runId)).filter((kind) => kind.startsWith("call."))).toStrictEqual([
    "call.intended",
    "call.settled",
    "call.refused",
    "call.refused",
    "call.read",
  ]);
  await desk.runs.close();
});
