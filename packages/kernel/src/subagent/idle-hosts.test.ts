// What a child's package is run on is closed once nobody runs on it: in a process that lives for long, nothing is left of what is over.
import { expect, onTestFinished, test, vi } from "vitest";
import { atFirst } from "../../test-data/call-store.ts";
import { turn } from "../../test-data/call-waiting.ts";
import { childSpec, openFamily, start } from "../../test-data/family.ts";
import { type RunDesk } from "../../test-data/run-desk.ts";
import { heldBack } from "../../test-data/run-levers.ts";
import { Runs } from "../run/runs.ts";

/** How many are still open when a desk closes, besides its own. */
async function openIn(desk: RunDesk): Promise<number> {
  await turn();
  const closing = vi.spyOn(Runs.prototype, "close");
  onTestFinished(() => closing.mockRestore());
  await desk.runs.close();
  return closing.mock.instances.filter((one) => one !== desk.runs).length;
}

test("where the child could not be started", async () => {
  const desk = openFamily({ parent: [[start("digger")], "done"] }, [childSpec("digger")]);
  desk.store.fault = atFirst("subagent.started", { type: "throw" });
  const handle = await desk.start();
  await handle.wait().catch(() => undefined);
  expect(await desk.kinds(handle.runId)).not.toContain("subagent.started");
  expect(await openIn(desk)).toBe(0);
});

test("where whoever started a child asks for it again after its end", async () => {
  const ending = heldBack<void>();
  const desk = openFamily({ parent: async () => (await ending.held(), "done"), digger: ["gold"] }, [
    childSpec("digger"),
  ]);
  const { runId } = await desk.start();
  const child = { subagent: "subagent.digger", key: "one", task: "dig" };
  const first = await desk.runs.startChild(runId, child);
  await first.wait();
  await vi.waitFor(async () => expect(await desk.kinds(runId)).toContain("subagent.ended"));
  const again = await desk.runs.startChild(runId, child);
  expect(await again.wait()).toMatchObject({ runId: first.runId, status: "completed", output: "gold" });
  ending.let();
  await (await desk.runs.get(runId)).wait();
  expect(await openIn(desk)).toBe(0);
});
