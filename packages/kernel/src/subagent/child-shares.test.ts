// S2: a child never has all that its parent has left: whatever it does, its parent can answer it, go on, and have the last word.
import { expect, test } from "vitest";
import { childSpec, openFamily, type Parts, start, untilChild } from "../../test-data/family.ts";
import { read } from "../../test-data/run-desk.ts";
import { heldBack } from "../../test-data/run-levers.ts";

const usual = { maxSteps: 20, maxToolCalls: 20 };
const runIn = (value: unknown) => /run_[0-9a-f]{32}/.exec(JSON.stringify(value))?.[0] ?? "";
const reply = (run: string) => ({ name: "subagent.reply_to_clarification", args: { run, text: "2026" } });

test.each([usual, { ...usual, maxChildren: 3 }, { maxSteps: 6, maxToolCalls: 4 }])(
  "under %j the only child asks, is answered, and its parent has the last word",
  async (budget) => {
    const parts: Parts = {
      parent: ({ messages }, step) => [[start("asker")], [reply(runIn(messages))], "done"][step - 1] ?? "?",
      asker: ['{"ask":"which year?"}', "in that year"],
    };
    const desk = openFamily(parts, [childSpec("asker", { mayAsk: true })], { policy: { budget } });
    expect(await (await desk.start()).wait()).toMatchObject({
      status: "completed",
      output: "done",
      children: [{ status: "completed" }],
    });
    await desk.runs.close();
  },
);

test("beside its only child, in the background, a parent goes on with its own work", async () => {
  const digging = heldBack<void>();
  const parts: Parts = {
    parent: ({ messages }, step) => {
      if (step === 1) return [start("digger")];
      if (step === 5) digging.let();
      return step < 5 ? [read] : messages.at(-1)?.role === "user" ? "done" : "I wait";
    },
    digger: async () => (await digging.held(), "gold"),
  };
  const desk = openFamily(parts, [childSpec("digger", { mode: "background" })], {
    policy: { budget: usual },
  });
  expect(await (await desk.start()).wait()).toMatchObject({
    status: "completed",
    children: [{ status: "completed" }],
  });
  await desk.runs.close();
});

test("however often a child asks, its parent can answer and has the last word", async () => {
  const parts: Parts = {
    parent: ({ messages }, step) =>
      step === 1 ? [start("asker")] : step < 8 ? [reply(runIn(messages))] : "enough",
    asker: () => '{"ask":"which year?"}',
  };
  const desk = openFamily(parts, [childSpec("asker", { mayAsk: true })], { policy: { budget: usual } });
  expect(await (await desk.start()).wait()).toMatchObject({ status: "completed", output: "enough" });
  await desk.runs.close();
});

const more = { maxSideEffect: "user_write", maxCostEffect: "llm_cost" } as const;

test.each([
  ["its plan's depth", { budget: { maxChildren: 2, maxSteps: 9, maxDepth: 1 } }, "maxDepth"],
  [
    "its policy's depth",
    { budget: { maxChildren: 2, maxSteps: 9 }, policy: { ...more, budget: { maxDepth: 1 } } },
    "maxDepth",
  ],
  [
    "its policy's children",
    { budget: { maxChildren: 2, maxSteps: 9 }, policy: { ...more, budget: { maxChildren: 0 } } },
    "maxChildren",
  ],
])("what is said for a child alone counts for its own children: %s", async (_what, spec, limit) => {
  const ending = heldBack<void>();
  const parts: Parts = {
    parent: [[start("middle")], "done"],
    middle: async () => (await ending.held(), "ok"),
    digger: ["gold"],
  };
  const desk = openFamily(parts, [childSpec("middle", spec), childSpec("digger")]);
  const handle = await desk.start();
  const child = await untilChild(desk, handle.runId);
  await expect(
    desk.runs.startChild(child, { subagent: "subagent.digger", task: "look", key: "k" }),
  ).rejects.toMatchObject({ code: "budget_exceeded", details: { limit } });
  ending.let();
  expect((await handle.wait()).status).toBe("completed");
  await desk.runs.close();
});

test("a model that may start no other child is told which limit it was, each time, and goes on", async () => {
  const parts: Parts = {
    parent: (_input, step) => (step <= 4 ? [start("digger", `${step}`)] : step === 5 ? [read] : "done"),
    digger: ["gold"],
  };
  const desk = openFamily(parts, [childSpec("digger")], { policy: { budget: { ...usual, maxChildren: 1 } } });
  const handle = await desk.start();
  expect(await handle.wait()).toMatchObject({ status: "completed", output: "done", children: [{}] });
  const told = desk.model.asked.at(-1)?.messages.filter(({ text }) => text.includes("budget_exceeded"));
  expect(told?.map(({ text }) => text.includes("maxChildren is 1, and all of it is used"))).toStrictEqual([
    true,
    true,
    true,
  ]);
  await desk.runs.close();
});
