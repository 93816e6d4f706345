// Children that ask their parents, and what comes of that.
import { atFirst } from "./call-store.ts";
import { childSpec, type FamilyOptions, openFamily, type Parts, start, untilChild } from "./family.ts";
import { type FamilyStory, reopenFamily, untilState } from "./family-story.ts";
import type { RunDesk } from "./run-desk.ts";
import { hookAt, no, yes } from "./run-hooks.ts";
import { heldBack, untilKind } from "./run-levers.ts";

const asker = childSpec("asker", { mayAsk: true });
const question = '{"ask":"which year?"}';

const askedBy = (gate: Promise<void>): Parts => ({
  parent: async (_input, step) => (step === 1 ? [start("asker")] : (await gate, "never mind")),
  asker: [question, "in that year"],
});

type Asked = {
  readonly desk: RunDesk;
  readonly runId: string;
  readonly child: string;
  readonly go: () => void;
};

/** A child has asked; its parent goes on, without a word to that, when it is let. */
async function asked(options: FamilyOptions = {}): Promise<Asked> {
  const gate = heldBack<void>();
  const desk = openFamily(askedBy(gate.held()), [asker], options);
  const { runId } = await desk.start();
  const child = await untilChild(desk, runId);
  await untilKind(desk, runId, "subagent.message");
  return { desk, runId, child, go: gate.let };
}

export const askingFamilies: readonly FamilyStory[] = [
  {
    story: "a child asks its parent, and the host answers",
    takes: [
      "assembling run.asked waiting",
      "waiting run.told assembling",
      "subagent.message running",
      "subagent.message asking",
    ],
    play: async () => {
      const { desk, runId, child, go } = await asked();
      await desk.runs.tell(child, "1999");
      await untilKind(desk, runId, "subagent.ended");
      go();
      await (await desk.runs.get(runId)).wait();
      return desk;
    },
  },
  {
    story: "a child asks its parent, which ends without a word to that",
    takes: ["waiting run.ended cancelled", "subagent.cancelling asking", "subagent.ended asking"],
    play: async () => {
      const { desk, runId, go } = await asked();
      go();
      await (await desk.runs.get(runId)).wait();
      return desk;
    },
  },
  {
    story: "a child is answered when its parent is about to end, and has told it to stop",
    takes: ["assembling subagent.* calling", "calling subagent.* assembling"],
    play: async () => {
      const { desk, runId, child, go } = await asked();
      const stopping = heldBack<void>();
      desk.store.fault = atFirst("run.cancelling", { type: "wait", for: stopping.held() });
      go();
      await untilKind(desk, runId, "subagent.cancelling");
      const telling = desk.runs.tell(child, "1999");
      await untilState(desk, runId, "calling");
      stopping.let();
      await telling;
      await (await desk.runs.get(runId)).wait();
      return desk;
    },
  },
  {
    story: "a hook objects to a child's question, in another process",
    takes: ["waiting run.ended blocked"],
    play: async () => {
      const { desk, runId } = await asked({ hooks: [hookAt("after_model", yes)] });
      await desk.store.die();
      const hooks = [hookAt("after_model", ({ text }) => (text === question ? no() : yes()))];
      const again = reopenFamily(desk, askedBy(Promise.resolve()), [asker], { hooks });
      await again.runs.open();
      await (await again.runs.get(runId)).wait();
      return again;
    },
  },
  {
    story: "a child that asks is let go before its parent has said so, and goes on without an answer",
    takes: ["waiting run.owned assembling"],
    play: async () => {
      const [gate, began, looking] = [heldBack<void>(), heldBack<void>(), heldBack<void>()];
      const parts = { ...askedBy(gate.held()), asker: async () => (await began.held(), question) };
      const desk = openFamily(parts, [{ ...asker, mode: "background" }]);
      const { runId } = await desk.start();
      const child = await untilChild(desk, runId);
      desk.store.beforeRead = async ({ stream }) => (stream === child ? await looking.held() : undefined);
      began.let();
      await untilKind(desk, child, "run.asked");
      await desk.runs.detach(child, "the night desk looks after it");
      looking.let();
      gate.let();
      await (await desk.runs.get(runId)).wait();
      await (await desk.runs.get(child)).wait();
      return desk;
    },
  },
  {
    story: "a child that asks is woken by a child of its own, and asks again",
    takes: ["subagent.woken asking"],
    play: async () => {
      const gate = heldBack<void>();
      const planner = { ...asker, budget: { maxChildren: 1, maxSteps: 10, maxToolCalls: 5 } };
      const desk = openFamily({ ...askedBy(gate.held()), asker: () => question, quick: ["quick"] }, [
        planner,
        childSpec("quick"),
      ]);
      const { runId } = await desk.start();
      const child = await untilChild(desk, runId);
      await untilKind(desk, runId, "subagent.message");
      await desk.runs.startChild(child, { subagent: "subagent.quick", task: "look", key: "k" });
      await untilKind(desk, runId, "subagent.message", 2);
      gate.let();
      await (await desk.runs.get(runId)).wait();
      return desk;
    },
  },
];
