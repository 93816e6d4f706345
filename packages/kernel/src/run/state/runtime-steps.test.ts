import { runtimeStepSchema } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { until } from "../../../test-data/call-waiting.ts";
import {
  asking,
  openRunDesk,
  read,
  type RunDesk,
  saying,
  levelOf,
  write,
  inTurn,
} from "../../../test-data/run-desk.ts";
import { call, doubt, pulledBy } from "../../../test-data/run-levers.ts";
import type { RunHandle } from "../run-handle.ts";

/** What a run has done, as far as a person follows it; every step is one, and each has a name of its own. */
async function movesOf(handle: RunHandle): Promise<string[]> {
  const { steps } = await handle.result();
  for (const step of steps) runtimeStepSchema.parse(step);
  expect(new Set(steps.map(({ stepId }) => stepId)).size).toBe(steps.length);
  return steps.map(({ type, tool, status, completedAt }) =>
    [type, tool, status, completedAt === undefined ? "open" : undefined]
      .filter((one) => one !== undefined)
      .join(" "),
  );
}

/** Why some have not completed. */
async function whys(handle: RunHandle): Promise<string[]> {
  const { steps } = await handle.result();
  return steps.flatMap(({ code, reason }) => (code === undefined ? [] : [`${code}: ${reason}`]));
}

const resting = async (desk: RunDesk) => {
  const handle = await desk.start();
  await handle.wait({ for: "rest" });
  return handle;
};

// proves RUN-10.10, RUN-10.11, RUN-10.16, RUN-10.19, RUN-10.20
test("every turn of the model and every call is a step, in the order in which the model proposed them", async () => {
  const desk = openRunDesk({ script: saying([read, write("a")], "done") });
  const handle = await desk.start();
  await handle.wait();
  expect(await movesOf(handle)).toStrictEqual([
    "model completed",
    "tool notes.read completed",
    "tool notes.write completed",
    "model completed",
  ]);
  const { steps } = await handle.result();
  expect(steps[2]?.traceId).toMatch(/^[0-9a-f]{32}$/);
});

// proves RUN-10.17, RUN-10.18
test("a call that is refused, and one that fails, say so", async () => {
  const fail = () => {
    throw new Error("no");
  };
  const desk = openRunDesk({ script: saying([{ name: "no.such_tool" }, write("a")], "done"), deed: fail });
  const handle = await desk.start();
  await handle.wait();
  expect(await movesOf(handle)).toStrictEqual([
    "model completed",
    "tool no.such_tool blocked",
    "tool notes.write failed",
    "model completed",
  ]);
  expect(await whys(handle)).toStrictEqual([
    "unknown_tool: there is no tool of this name",
    "upstream_error: notes.write failed: no",
  ]);
});

// proves RUN-10.12, RUN-10.15, RUN-10.21, RUN-10.22
test("a question is a step of its own: open while a person is asked, then answered", async () => {
  const desk = openRunDesk({ script: saying([write("a")], [write("b")], "done"), levels: levelOf(asking) });
  const handle = await resting(desk);
  expect(await movesOf(handle)).toStrictEqual(["model completed", "approval notes.write started open"]);
  const [first] = await desk.operator.list();
  desk.clock.advance(1000);
  await desk.operator.approve(first?.approvalId ?? "");
  await until(() => desk.model.asked.length === 2);
  await handle.wait({ for: "rest" });
  const [second] = await desk.operator.list();
  await desk.operator.deny(second?.approvalId ?? "", { note: "not today" });
  await handle.wait();
  expect(await movesOf(handle)).toStrictEqual([
    "model completed",
    "approval notes.write completed",
    "tool notes.write completed",
    "model completed",
    "approval notes.write blocked",
    "model completed",
  ]);
  expect(await whys(handle)).toStrictEqual([
    expect.stringMatching(/^approval_denied: notes\.write: boss has denied it, and says: not today\./),
  ]);
  const { steps } = await handle.result();
  const { startedAt = "", completedAt = "" } = steps[1] ?? {};
  expect(Date.parse(completedAt) - Date.parse(startedAt)).toBe(1000);
});

test("a call of which nobody knows what became says why its run waits", async () => {
  const desk = openRunDesk({ script: saying([call("a")], "done"), ...pulledBy({ a: { acts: doubt } }) });
  const handle = await resting(desk);
  expect(await handle.result()).toMatchObject({ status: "recovery_needed" });
  expect(await movesOf(handle)).toStrictEqual(["model completed", "tool notes.write blocked open"]);
  expect(await whys(handle)).toStrictEqual([
    expect.stringMatching(/^recovery_needed: nobody knows what became of notes\.write \(.+\); find it out/),
  ]);
});

test("a turn that came to nothing is one that failed", async () => {
  const desk = openRunDesk({
    script: inTurn(new Error("no"), new Error("no"), new Error("no")),
    runLimits: { backoffMs: 1 },
  });
  const handle = await desk.start();
  const ended = handle.wait();
  for (let tried = 0; tried < 2; tried += 1) {
    await until(() => desk.clock.waits.includes(2 ** tried));
    desk.clock.advance(2 ** tried);
  }
  expect(await ended).toMatchObject({ status: "failed" });
  expect(await movesOf(handle)).toStrictEqual(["model failed"]);
  expect(await whys(handle)).toStrictEqual([expect.stringMatching(/^provider_failed: .*no/)]);
});
