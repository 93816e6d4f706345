// Children that wait for a person, and what their parents do meanwhile.
import { atFirst } from "./call-store.ts";
import { childSpec, openFamily, type Parts, start, untilChild } from "./family.ts";
import { approveAll, type FamilyStory, reopenFamily, untilState } from "./family-story.ts";
import { atOnce, type RunDesk } from "./run-desk.ts";
import { ask, call, doubt, hang, heldBack, pulledBy, untilKind } from "./run-levers.ts";

const waiting = childSpec("digger", { tools: "inherit_allowlist" });
const background = childSpec("digger", { tools: "inherit_allowlist", mode: "background" });
const asking = pulledBy({ asked: { judged: ask } });
const asks: Parts = { parent: [[start("digger")], "done"], digger: [[call("asked")], "gold"] };

/** Its child rests before its last word, and it has another once it is told what came of that. */
const lastWord = (rested: Promise<unknown>): Parts => ({
  ...asks,
  parent: async ({ messages }, step) => {
    if (step === 1) return [start("digger")];
    await rested;
    return messages.some(({ text }) => text.includes("has completed")) ? "done" : "I wait";
  },
});

async function restAfterLastWord(): Promise<{ desk: RunDesk; runId: string; child: string }> {
  const rested = heldBack<void>();
  const desk = openFamily(lastWord(rested.held()), [background], asking);
  const { runId } = await desk.start();
  const child = await untilChild(desk, runId);
  await untilKind(desk, runId, "subagent.rested");
  rested.let();
  await untilState(desk, runId, "waiting");
  return { desk, runId, child };
}

const doubted: Parts = { ...asks, parent: [[call("doubted"), start("digger")], "done"] };
const doubting = { ...pulledBy({ asked: { judged: ask }, doubted: { acts: doubt } }), strategy: atOnce(2) };

/** Of one effect nobody knows what became, and a child waits for a person. */
async function restInDoubt(): Promise<{ desk: RunDesk; runId: string }> {
  const desk = openFamily(doubted, [waiting], doubting);
  const { runId } = await desk.start();
  await untilState(desk, runId, "recovery_needed");
  return { desk, runId };
}

export const restingFamilies: readonly FamilyStory[] = [
  {
    story: "a child whose call waits for a person, and its parent's call for the child",
    takes: [
      "calling subagent.* waiting",
      "waiting subagent.* calling",
      "subagent.rested running",
      "subagent.woken resting",
    ],
    play: async () => {
      const desk = openFamily(asks, [waiting], asking);
      const handle = await desk.start();
      await handle.wait({ for: "rest" });
      await approveAll(desk);
      await handle.wait();
      return desk;
    },
  },
  {
    story: "another process takes on a call that waits for a child, which waits for a person",
    takes: ["waiting call.retried waiting"],
    play: async () => {
      const desk = openFamily(asks, [waiting], asking);
      const { runId } = await desk.start();
      await untilState(desk, runId, "waiting");
      await desk.store.die();
      const again = reopenFamily(desk, asks, [waiting], asking);
      const [handle] = await again.runs.open();
      await untilKind(again, runId, "call.retried");
      await approveAll(again);
      await handle?.wait();
      return again;
    },
  },
  {
    story: "a parent is cancelled while its child waits for a person",
    takes: ["waiting subagent.* waiting", "subagent.cancelling resting"],
    play: async () => {
      const desk = openFamily(asks, [waiting], asking);
      const handle = await desk.start();
      await handle.wait({ for: "rest" });
      await handle.cancel();
      await handle.wait();
      return desk;
    },
  },
  {
    story: "a parent says its last word while its child waits for a person",
    takes: ["modelling model.settled waiting", "calling subagent.* assembling"],
    play: async () => {
      const { desk, runId } = await restAfterLastWord();
      await approveAll(desk);
      await (await desk.runs.get(runId)).wait();
      return desk;
    },
  },
  {
    story: "a process dies after a child has gone on and ended, and before its parent has said so",
    takes: ["waiting subagent.* assembling", "subagent.ended resting"],
    play: async () => {
      const { desk, runId, child } = await restAfterLastWord();
      desk.store.fault = atFirst("subagent.woken", { type: "wait", for: hang() });
      await approveAll(desk);
      await untilKind(desk, child, "run.ended");
      await desk.store.die();
      const again = reopenFamily(desk, lastWord(Promise.resolve()), [background], asking);
      await again.runs.open();
      await (await again.runs.get(runId)).wait();
      return again;
    },
  },
  {
    story: "a child rests, and goes on, while nobody knows what became of an effect of its parent's",
    takes: ["calling subagent.* recovery_needed", "recovery_needed subagent.* calling"],
    play: async () => {
      const { desk, runId } = await restInDoubt();
      await approveAll(desk);
      await untilKind(desk, runId, "subagent.ended");
      const handle = await desk.runs.get(runId);
      const { unknown } = await handle.wait({ for: "rest" });
      await desk.runs.resolve(runId, unknown[0] ?? "", { status: "completed", note: "seen" });
      await handle.wait();
      return desk;
    },
  },
  {
    story: "another process cancels a call that waits for a child, while nobody knows what became of another",
    takes: ["recovery_needed call.retried recovery_needed"],
    play: async () => {
      const { desk, runId } = await restInDoubt();
      await desk.store.die();
      const again = reopenFamily(desk, doubted, [waiting], doubting);
      await again.runs.cancel(runId);
      await (await again.runs.get(runId)).wait();
      return again;
    },
  },
];
