// Runs from their beginning to their end, each told once: what they leave behind is on the page docs/run-records.md, and which rows of the
// tables they take is counted.
import { type HookPoint, ProviderFailedError, RecoveryNeededError } from "@spfunctions/contracts";
import type { RunHook } from "../src/hook/run-hook.ts";
import type { RunHandle } from "../src/run/run-handle.ts";
import { until } from "./call-waiting.ts";
import { atFirst } from "./call-store.ts";
import {
  asking,
  atOnce,
  generous,
  inOrder,
  inTurn,
  levelOf,
  openRunDesk,
  put,
  read,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  type Saying,
  saying,
  write,
} from "./run-desk.ts";
import { condensing, revising } from "./run-levers.ts";

export type RunStory = {
  readonly story: string;
  /** Made anew each time it is played. */
  readonly open?: () => RunDeskOptions;
  /** Gives back which run it was. */
  readonly play: (desk: RunDesk) => Promise<string>;
  /** Of which sort a row is on the page. */
  readonly isCrash?: true;
};

export const toEnd = async (desk: RunDesk): Promise<string> => {
  const handle = await desk.start();
  await handle.wait();
  return handle.runId;
};

/** Starts a run and answers what it asks, until it ends. */
const answering =
  (answer: (desk: RunDesk, approvalId: string, handle: RunHandle) => unknown) =>
  async (desk: RunDesk): Promise<string> => {
    const handle = await desk.start();
    const { approvals } = await handle.wait({ for: "rest" });
    for (const { approvalId } of approvals) {
      await answer(desk, approvalId, handle);
    }
    await handle.wait();
    return handle.runId;
  };

const approve = async (desk: RunDesk, approvalId: string) => await desk.operator.approve(approvalId);
const deny = async (desk: RunDesk, approvalId: string) =>
  await desk.operator.deny(approvalId, { note: "not today" });

/** Cancels a run once something has happened. */
const cancelledWhen =
  (hasHappened: (desk: RunDesk) => boolean) =>
  async (desk: RunDesk): Promise<string> => {
    const handle = await desk.start();
    await until(() => hasHappened(desk));
    await handle.cancel();
    await handle.wait();
    return handle.runId;
  };

/** Lets time pass once something has happened. */
const late =
  (ms: number, hasHappened: (desk: RunDesk) => boolean) =>
  async (desk: RunDesk): Promise<string> => {
    const handle = await desk.start();
    await until(() => hasHappened(desk));
    desk.clock.advance(ms);
    await handle.wait();
    return handle.runId;
  };

const hang = async (): Promise<never> => await new Promise<never>(() => {});
const doubt = (): never => {
  throw new RecoveryNeededError("the venue hung up");
};

const isAsked = (desk: RunDesk) => desk.model.asked.length === 1;
const hasBegun = (desk: RunDesk) => desk.deck.runs.length === 1;
const one = saying([write("a")], "written");
const two = saying([write("a"), read], "written");

/** The next process of a run that died: what it does until the run ends. */
const after =
  (next: (desk: RunDesk, handle: RunHandle) => Promise<unknown> = async () => undefined) =>
  (options: RunDeskOptions, at: string, isWritten: boolean) =>
  async (desk: RunDesk): Promise<string> => {
    desk.store.fault = atFirst(at, { type: "die", written: isWritten });
    void desk.start().catch(() => undefined);
    await desk.store.died.promise;
    const again = reopenRunDesk(desk, options);
    const [handle] = await again.runs.open();
    if (handle === undefined) throw new Error("nothing goes on");
    await next(again, handle);
    await handle.wait();
    return handle.runId;
  };
const goesOn = after();

function crash(story: string, open: RunDeskOptions, at: string, isWritten: boolean, next = goesOn): RunStory {
  return { story, open: () => open, isCrash: true, play: next(open, at, isWritten) };
}

const resolving = after(async (desk, handle) => {
  const { unknown } = await handle.wait({ for: "rest" });
  await desk.runs.resolve(handle.runId, unknown[0] ?? "", { status: "completed", note: "seen at the venue" });
});
const approving = after(async (desk, handle) => {
  const { approvals } = await handle.wait({ for: "rest" });
  for (const { approvalId } of approvals) {
    await desk.operator.approve(approvalId);
  }
});

const forEver: Saying = [write("more")];

export const runStories: readonly RunStory[] = [
  { story: "the model answers at once", play: toEnd },
  { story: "one call", open: () => ({ script: one }), play: toEnd },
  { story: "two calls, one after the other", open: () => ({ script: two }), play: toEnd },
  {
    story: "two calls at once: each is delivered when it ends",
    open: () => ({
      script: saying([write("a"), put("b")], "written"),
      strategy: atOnce(2),
      deed: secondFirst(),
    }),
    play: toEnd,
  },
  {
    story: "two calls at once, delivered in order",
    open: () => ({
      script: saying([write("a"), put("b")], "written"),
      strategy: inOrder(2),
      deed: secondFirst(),
    }),
    play: toEnd,
  },
  {
    story: "a refused call, and the model goes on",
    open: () => ({ script: one, levels: levelOf({ maxSideEffect: "none" }) }),
    play: toEnd,
  },
  {
    story: "no such tool",
    open: () => ({ script: saying([{ name: "notes.wirte" }], "sorry") }),
    play: toEnd,
  },
  { story: "the tool fails", open: () => ({ script: one, deed: fail }), play: toEnd },
  {
    story: "a person must approve, and does",
    open: () => ({ script: one, levels: levelOf(asking) }),
    play: answering(approve),
  },
  {
    story: "a person denies it",
    open: () => ({ script: one, levels: levelOf(asking) }),
    play: answering(deny),
  },
  {
    story: "a person denies it, and the policy says to stop then",
    open: () => ({
      script: saying([write("a"), write("b")], "written"),
      levels: levelOf({ ...asking, approvals: { ...asking.approvals, onDenied: "fail" } }),
    }),
    play: answering(deny),
  },
  {
    story: "nobody answers in time",
    open: () => ({ script: one, levels: levelOf(asking) }),
    play: answering((desk) => desk.clock.advance(3_600_000)),
  },
  {
    story: "cancelled while it waits for a person",
    open: () => ({ script: one, levels: levelOf(asking) }),
    play: answering((_desk, _approvalId, handle) => handle.cancel()),
  },
  {
    story: "cancelled while the model is asked",
    open: () => ({ script: hang }),
    play: cancelledWhen(isAsked),
  },
  {
    story: "cancelled while a tool runs",
    open: () => ({ script: two, deed: hang }),
    play: cancelledWhen(hasBegun),
  },
  {
    story: "no steps left",
    open: () => ({ script: () => forEver, levels: levelOf({ ...generous, budget: { maxSteps: 2 } }) }),
    play: toEnd,
  },
  {
    story: "no calls left",
    open: () => ({ script: () => forEver, levels: levelOf({ ...generous, budget: { maxToolCalls: 1 } }) }),
    play: toEnd,
  },
  {
    story: "no tokens left",
    open: () => ({
      script: () => forEver,
      levels: levelOf({ ...generous, budget: { maxTokens: 6000 } }),
      model: { countTokens: () => 1000 },
    }),
    play: async (desk) => {
      desk.model.usage = { inputTokens: 1000, outputTokens: 1000 };
      return await toEnd(desk);
    },
  },
  {
    story: "no money left",
    open: () => ({
      script: () => forEver,
      levels: levelOf({ ...generous, budget: { budgetUsd: 0.01 } }),
      model: {
        maxOutputTokens: 100,
        countTokens: () => 100,
        price: { inputPerMillion: 10, outputPerMillion: 50 },
      },
    }),
    play: async (desk) => {
      desk.model.usage = { inputTokens: 100, outputTokens: 100 };
      return await toEnd(desk);
    },
  },
  {
    story: "no time left",
    open: () => ({ script: two, deed: hang, levels: levelOf({ ...generous, budget: { maxWallMs: 5000 } }) }),
    play: late(5001, hasBegun),
  },
  {
    story: "the provider bills more than it could",
    open: () => ({ script: one, model: { maxOutputTokens: 100 } }),
    play: async (desk) => {
      desk.model.usage = { inputTokens: 10, outputTokens: 101 };
      return await toEnd(desk);
    },
  },
  {
    story: "the model fails once",
    open: () => ({ script: inTurn(new ProviderFailedError("overloaded"), "done") }),
    play: late(500, (desk) => desk.clock.waits.includes(500)),
  },
  {
    story: "the model fails for good",
    open: () => ({ script: inTurn(new ProviderFailedError("no such model", { retry: "never" })) }),
    play: toEnd,
  },
  {
    story: "the model hangs",
    open: () => ({ script: hang, runLimits: { modelAttempts: 1 } }),
    play: late(120_000, isAsked),
  },
  {
    story: "the model answers what is no answer",
    open: () => ({ script: inTurn({ raw: { text: 1 } }), runLimits: { modelAttempts: 1 } }),
    play: toEnd,
  },
  {
    story: "the key of whoever started it is withdrawn",
    open: () => ({ script: one, isStarterValid: validFor(3) }),
    play: toEnd,
  },
  {
    story: "the same call is refused a third time",
    open: () => ({ script: () => forEver, levels: levelOf({ maxSideEffect: "none" }) }),
    play: toEnd,
  },
  {
    story: "an output that was held, and released",
    open: () => ({ script: one, evaluatePostTool: () => ({ outcome: "allow" }) }),
    play: toEnd,
  },
  {
    story: "an output that was held, and is withheld",
    open: () => ({ script: one, evaluatePostTool: () => ({ outcome: "deny" }) }),
    play: toEnd,
  },
  {
    story: "a hook changes what a call is made with",
    open: () => ({ script: one, hooks: [revising({ text: "b" })] }),
    play: toEnd,
  },
  {
    story: "a hook objects to a call, and the model goes on",
    open: () => ({ script: one, hooks: [objecting("before_tool_call")] }),
    play: toEnd,
  },
  {
    story: "a hook objects to what the model has said",
    open: () => ({ script: one, hooks: [objecting("after_model")] }),
    play: toEnd,
  },
  {
    story: "more was said than the model may be shown",
    open: condensing,
    play: toEnd,
  },
  {
    story: "more was said in its session than the model may be shown",
    open: condensing,
    play: async (desk) => {
      for (const turn of ["first", "second"]) {
        const handle = await desk.runs.start({ objective: turn, sessionId: "sess_monday00" });
        await handle.wait();
        if (turn === "second") return handle.runId;
      }
      throw new Error("there is no second run");
    },
  },
  {
    story: "the tool does not know, and a person does",
    open: () => ({ script: one, deed: doubt }),
    play: async (desk) => {
      const handle = await desk.start();
      const { unknown } = await handle.wait({ for: "rest" });
      await desk.runs.resolve(handle.runId, unknown[0] ?? "", { status: "completed", note: "seen" });
      await handle.wait();
      return handle.runId;
    },
  },
  {
    story: "the tool does not know, and the run is cancelled",
    open: () => ({ script: one, deed: doubt }),
    play: async (desk) => {
      const handle = await desk.start();
      await handle.wait({ for: "rest" });
      await handle.cancel();
      await handle.wait();
      return handle.runId;
    },
  },
  {
    story: "a tool answers after its run was cancelled",
    open: () => ({ script: one }),
    play: async (desk) => {
      const answer = Promise.withResolvers<unknown>();
      desk.deck.deed = () => answer.promise;
      const runId = await cancelledWhen(hasBegun)(desk);
      const before = desk.store.units.length;
      answer.resolve({ done: "after all" });
      await until(() => desk.store.units.length > before, "the note");
      return runId;
    },
  },
  crash("while the model was asked: asked again", { script: one }, "model.settled", false),
  crash("before the model was asked", { script: one }, "model.intended", false),
  crash(
    "before what it proposed began",
    { script: one, hooks: [letting("after_model")] },
    "model.settled",
    true,
  ),
  crash(
    "while a tool ran that repeating does no harm to: run again",
    { script: saying([put("a")], "written") },
    "call.settled",
    false,
  ),
  crash("while a tool ran that nobody may repeat", { script: one }, "call.settled", false, resolving),
  crash("after a call had ended", { script: two }, "call.settled", true),
  crash(
    "while it waited for a person, who approves it later",
    { script: one, levels: levelOf(asking) },
    "call.waiting",
    true,
    approving,
  ),
  crash(
    "while an output was held",
    { script: one, evaluatePostTool: () => ({ outcome: "allow" }) },
    "call.released",
    false,
  ),
  crash("after what the model is shown was condensed", condensing(), "context.condensed", true),
  crash(
    "after a hook has changed what a call is made with: asked again",
    { script: one, hooks: [revising({ text: "b" })] },
    "call.revised",
    true,
  ),
  crash("before its end was written", { script: one }, "run.ended", false),
];

/** What it is asked about is on record by itself. */
function letting(point: HookPoint): RunHook {
  const run = () => ({ outcome: "allow" }) as const;
  return { id: "guard", version: "1", point, run } as RunHook;
}

function objecting(point: HookPoint): RunHook {
  const run = () => ({ outcome: "deny", reason: "not today" }) as const;
  return { id: "guard", version: "1", point, run } as RunHook;
}

/** The first call ends after the second. */
function secondFirst(): RunDeskOptions["deed"] {
  const second = Promise.withResolvers<void>();
  return async (_input, _context, tool) => {
    if (tool === "notes.put") second.resolve();
    else await second.promise;
    return { done: true };
  };
}

function validFor(times: number): () => boolean {
  let left = times;
  return () => left-- > 0;
}

function fail(): never {
  throw new Error("the venue is closed");
}

/** Opens what a story begins with, and plays it. */
export async function playStory({ open, play }: RunStory): Promise<{ desk: RunDesk; runId: string }> {
  const desk = openRunDesk(open?.());
  const runId = await play(desk);
  return { desk, runId };
}
