// The tables of run-states.ts against real runs: every row is taken by some run, and nothing else is ever written.
import { ProviderFailedError } from "@spfunctions/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { until } from "../../../test-data/call-waiting.ts";
import { familyStories } from "../../../test-data/family-stories.ts";
import {
  atOnce,
  foldsOf,
  generous,
  inTurn,
  levelOf,
  openRunDesk,
  read,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  type Saying,
  saying,
  storedRun,
} from "../../../test-data/run-desk.ts";
import {
  ask,
  call,
  condensing,
  doubt,
  hang,
  heldBack,
  type Levers,
  pulledBy,
  refuse,
  untilKind,
} from "../../../test-data/run-levers.ts";
import { playStory, runStories } from "../../../test-data/run-stories.ts";
import { allRows, joined, type TakenRows, takenRows } from "../../../test-data/taken-rows.ts";
import type { HookAnswer } from "../../hook/run-hook.ts";
import { decideRun } from "./decide-run.ts";
import { foldRun } from "./fold-run.ts";
import type { RunHandle } from "../run-handle.ts";
import { defaultRunLimits } from "../run-host.ts";
import { canFollow, hasEnded, runStates } from "./run-states.ts";

type Rare = {
  /** Rows that it takes: from, record, to. */
  readonly takes: readonly string[];
  readonly open: RunDeskOptions;
  readonly play: (desk: RunDesk, handle: RunHandle) => Promise<unknown>;
};

/** A step with these calls, under these levers, so many at once. */
function step(calls: Saying, levers: Levers, maxInFlight = 3): RunDeskOptions {
  return { script: saying(calls, "done"), strategy: atOnce(maxInFlight), ...pulledBy(levers) };
}

const wait = async (_desk: RunDesk, handle: RunHandle) => await handle.wait();
const cancel = async (_desk: RunDesk, handle: RunHandle) => {
  await handle.wait({ for: "rest" });
  await handle.cancel();
  await handle.wait();
};

const resolveAll = async (desk: RunDesk, handle: RunHandle) => {
  const { unknown } = await handle.result();
  for (const effectId of unknown) {
    await desk.runs.resolve(handle.runId, effectId, { status: "failed", note: "it is not there" });
  }
};
const answerAll = async (desk: RunDesk, handle: RunHandle) => {
  const { approvals } = await handle.result();
  for (const { approvalId } of approvals) {
    await desk.operator.deny(approvalId);
  }
};

/** A tool is given up after a minute, and answers once the run has come to a state. */
function lateIn(
  state: string,
  come: (desk: RunDesk, handle: RunHandle) => Promise<unknown>,
  { deed, ...open }: RunDeskOptions,
): Rare {
  const answer = heldBack<unknown>();
  return {
    takes: [`${state} call.late ${state}`],
    open: {
      ...open,
      deed: (input, context, tool) => (isFirst(input) ? answer.held() : deed?.(input, context, tool)),
    },
    play: async (desk, handle) => {
      await until(() => desk.deck.runs.length === 1);
      desk.clock.advance(60_000);
      await come(desk, handle);
      answer.let({ done: "after all" });
      await untilKind(desk, handle.runId, "call.late");
    },
  };
}
/** It stays where it was condensed until it is let go. */
function compacting(): { readonly options: RunDeskOptions; readonly go: () => void } {
  const valid = heldBack<boolean>();
  let times = 0;
  // Asked before it starts, before each of two steps with a call, before it is condensed, and then.
  const isStarterValid = () => (times++ < 6 ? true : valid.held());
  return { options: { ...condensing(), isStarterValid }, go: () => valid.let(true) };
}

const isFirst = (input: unknown) => (input as { text?: string }).text === "first";
const first = call("first");

const rare: readonly Rare[] = [
  (() => {
    const valid = heldBack<boolean>();
    let asked = 0;
    return {
      takes: ["starting run.cancelling starting", "starting run.ended cancelled"],
      open: { isStarterValid: () => (asked++ === 0 ? true : valid.held()) },
      play: async (_desk: RunDesk, handle: RunHandle) => {
        await handle.cancel();
        valid.let(true);
        await handle.wait();
      },
    };
  })(),
  {
    takes: ["starting run.ended blocked"],
    open: { levels: levelOf({ ...generous, budget: { maxTokens: 1 } }) },
    play: wait,
  },
  {
    takes: ["starting run.ended failed"],
    open: {
      assemble: () => {
        throw new Error("no");
      },
    },
    play: wait,
  },
  {
    takes: ["assembling run.cancelling assembling", "assembling run.ended cancelled"],
    open: { script: inTurn(new ProviderFailedError("overloaded")) },
    play: async (desk, handle) => {
      await until(() => desk.clock.waits.includes(500));
      await handle.cancel();
      await handle.wait();
    },
  },
  {
    takes: ["assembling budget.overrun assembling"],
    open: {
      script: inTurn({ raw: { text: "", toolCalls: [], usage: { inputTokens: 1, outputTokens: 4097 } } }),
    },
    play: wait,
  },
  lateIn("assembling", (desk) => until(() => desk.clock.waits.includes(500)), {
    script: inTurn([first], new ProviderFailedError("overloaded")),
  }),
  (() => {
    const { options, go } = compacting();
    return {
      takes: ["compacting run.cancelling compacting", "compacting run.ended cancelled"],
      open: options,
      play: async (desk: RunDesk, handle: RunHandle) => {
        await untilKind(desk, handle.runId, "context.condensed");
        await handle.cancel();
        go();
        await handle.wait();
      },
    };
  })(),
  {
    // The first two steps fit, and what is condensed is four messages.
    takes: ["compacting run.ended blocked"],
    open: condensing({ budget: { maxTokens: 8000 } }),
    play: wait,
  },
  (() => {
    let asked = 0;
    return {
      takes: ["compacting run.ended failed"],
      open: {
        ...condensing(),
        // Asked once more when it is condensed: from then on what it is shown cannot be counted.
        isStarterValid: () => ++asked > 0,
        model: { countTokens: ({ messages }) => (asked > 6 ? -1 : 1000 * messages.length) },
      },
      play: wait,
    } satisfies Rare;
  })(),
  lateIn("compacting", (desk, handle) => untilKind(desk, handle.runId, "context.condensed"), {
    ...compacting().options,
    script: saying([first], [call("second")]),
  }),
  lateIn("modelling", (desk) => until(() => desk.model.asked.length === 2), {
    script: (_input, number) => (number === 1 ? [first] : hang()),
  }),
  lateIn("calling", (desk) => until(() => desk.deck.runs.length === 2), {
    script: saying([first, call("second")], "done"),
    deed: hang,
  }),
  lateIn("waiting", (_desk, handle) => handle.wait({ for: "rest" }), {
    script: saying([first, call("second")], "done"),
    ...pulledBy({ second: { judged: ask } }),
  }),
  lateIn("recovery_needed", (_desk, handle) => handle.wait({ for: "rest" }), {
    script: saying([first, call("second")], "done"),
    deed: doubt,
  }),
  lateIn("completed", wait, { script: saying([first], "done") }),
  lateIn("blocked", wait, {
    script: saying([first], "done"),
    levels: levelOf({ ...generous, budget: { maxSteps: 1 } }),
  }),
  lateIn("failed", wait, { script: inTurn([first], new ProviderFailedError("gone", { retry: "never" })) }),
  {
    takes: ["calling call.refused calling"],
    open: { script: saying([{ name: "notes.no" }, call("b")], "done") },
    play: wait,
  },
  (() => {
    const judged = heldBack<{ outcome: "deny" }>();
    return {
      takes: [
        "calling call.waiting calling",
        "calling call.refused waiting",
        "waiting call.refused assembling",
      ],
      open: step([call("a"), call("b")], { a: { judged: ask }, b: { judged: judged.held } }),
      play: async (desk: RunDesk, handle: RunHandle) => {
        await untilKind(desk, handle.runId, "call.waiting");
        judged.let({ outcome: "deny" });
        await handle.wait({ for: "rest" });
        await answerAll(desk, handle);
        await handle.wait();
      },
    };
  })(),
  {
    takes: ["calling call.read calling"],
    open: { script: saying([read, call("b")], "done") },
    play: wait,
  },
  ...(["call.read waiting", "call.settled waiting"] as const).map((row): Rare => {
    const acts = heldBack<object>();
    return {
      takes: [`calling ${row}`],
      open: step([call("a"), call("b", row.startsWith("call.read") ? "notes.read" : "notes.write")], {
        a: { judged: ask },
        b: { acts: acts.held },
      }),
      play: async (desk, handle) => {
        await untilKind(desk, handle.runId, "call.waiting");
        acts.let({});
        await cancel(desk, handle);
      },
    };
  }),
  ...(["call.released", "call.withheld"] as const).flatMap((kind): Rare[] => {
    const outcome = kind === "call.released" ? ("allow" as const) : ("deny" as const);
    const looked = [heldBack<{ outcome: "allow" | "deny" }>(), heldBack<{ outcome: "allow" | "deny" }>()];
    return [
      {
        takes: [`calling ${kind} calling`, `calling ${kind} assembling`],
        open: {
          script: saying([call("a"), call("b")], "done"),
          ...pulledBy({ a: { looked: () => ({ outcome }) }, b: { looked: () => ({ outcome }) } }),
        },
        play: wait,
      },
      {
        takes: [`calling ${kind} waiting`],
        open: step([call("a"), call("b")], { a: { judged: ask }, b: { looked: looked[0]?.held } as never }),
        play: async (desk, handle) => {
          await untilKind(desk, handle.runId, "call.waiting");
          await untilKind(desk, handle.runId, "call.settled");
          looked[0]?.let({ outcome });
          await cancel(desk, handle);
        },
      },
      {
        takes: [`calling ${kind} recovery_needed`],
        open: step([call("a"), call("b")], { a: { acts: doubt }, b: { looked: looked[1]?.held } as never }),
        play: async (desk, handle) => {
          await untilKind(desk, handle.runId, "call.settled", 2);
          looked[1]?.let({ outcome });
          await cancel(desk, handle);
        },
      },
    ];
  }),
  (() => {
    const acts = heldBack<object>();
    return {
      takes: ["calling call.resolved calling"],
      open: step([call("a"), call("b")], { a: { acts: doubt }, b: { acts: acts.held } }),
      play: async (desk: RunDesk, handle: RunHandle) => {
        await untilKind(desk, handle.runId, "call.settled");
        await resolveAll(desk, handle);
        acts.let({});
        await handle.wait();
      },
    };
  })(),
  {
    takes: ["calling call.waiting waiting", "waiting call.refused waiting"],
    open: step([call("a"), call("b")], { a: { judged: ask }, b: { judged: ask } }),
    play: async (desk, handle) => {
      await handle.wait({ for: "rest" });
      await answerAll(desk, handle);
      await handle.wait();
    },
  },
  {
    takes: ["recovery_needed run.resumed recovery_needed", "recovery_needed call.resolved assembling"],
    open: step([call("a")], { a: { acts: doubt } }),
    play: async (desk, handle) => {
      await handle.wait({ for: "rest" });
      await desk.store.die();
      const next = reopenRunDesk(desk, step([call("a")], { a: { acts: doubt } }));
      const again = await next.runs.resume(handle.runId);
      await resolveAll(next, again);
      await again.wait();
    },
  },
  {
    takes: [
      "recovery_needed call.refused recovery_needed",
      "recovery_needed run.cancelling recovery_needed",
      "recovery_needed run.ended cancelled",
    ],
    open: step([call("a"), call("b")], { a: { acts: doubt }, b: { judged: ask } }),
    play: cancel,
  },
  ...(["call.waiting recovery_needed", "call.intended calling", "call.refused recovery_needed"] as const).map(
    (row): Rare => {
      const judged = heldBack<ReturnType<typeof ask>>();
      const said = { "call.waiting": ask(), "call.intended": { outcome: "allow" }, "call.refused": refuse() };
      return {
        takes: [`recovery_needed ${row}`],
        open: step([call("a"), call("b")], { a: { acts: doubt }, b: { judged: judged.held } }),
        play: async (desk, handle) => {
          await handle.wait({ for: "rest" });
          judged.let(said[row.split(" ")[0] as keyof typeof said] as ReturnType<typeof ask>);
          await untilKind(desk, handle.runId, row.split(" ")[0] ?? "", row.startsWith("call.i") ? 2 : 1);
          await cancel(desk, handle);
        },
      };
    },
  ),
  (() => {
    const judged = heldBack<HookAnswer>();
    return {
      takes: ["recovery_needed call.revised recovery_needed"],
      open: {
        ...step([call("a"), call("b")], { a: { acts: doubt } }),
        hooks: [
          {
            id: "slow",
            version: "1",
            point: "before_tool_call",
            phase: "change",
            run: ({ input }) =>
              (input as { text: string }).text === "b" ? judged.held() : { outcome: "allow" },
          },
        ],
      },
      play: async (desk: RunDesk, handle: RunHandle) => {
        await handle.wait({ for: "rest" });
        judged.let({ outcome: "allow", patch: [{ op: "replace", path: "/text", value: "c" }] });
        await untilKind(desk, handle.runId, "call.revised");
        await cancel(desk, handle);
      },
    } satisfies Rare;
  })(),
  (() => {
    const acts = heldBack<object>();
    return {
      takes: ["recovery_needed call.read recovery_needed"],
      open: step([call("a"), call("b", "notes.read")], { a: { acts: doubt }, b: { acts: acts.held } }),
      play: async (desk: RunDesk, handle: RunHandle) => {
        await handle.wait({ for: "rest" });
        acts.let({});
        await untilKind(desk, handle.runId, "call.read");
        await cancel(desk, handle);
      },
    };
  })(),
  (() => {
    const acts = heldBack<object>();
    return {
      takes: ["recovery_needed call.read calling"],
      open: step([call("a"), call("b", "notes.read")], {
        a: { acts: doubt },
        b: { acts: acts.held, looked: () => ({ outcome: "allow" }) },
      }),
      play: async (desk: RunDesk, handle: RunHandle) => {
        await handle.wait({ for: "rest" });
        acts.let({});
        await untilKind(desk, handle.runId, "call.released");
        await cancel(desk, handle);
      },
    };
  })(),
  {
    takes: ["recovery_needed call.resolved recovery_needed"],
    open: step([call("a"), call("b")], { a: { acts: doubt }, b: { acts: doubt } }),
    play: async (desk, handle) => {
      await handle.wait({ for: "rest" });
      await resolveAll(desk, handle);
      await handle.wait();
    },
  },
  {
    takes: ["recovery_needed call.resolved calling"],
    open: { script: saying([call("a"), call("b")], "done"), ...pulledBy({ a: { acts: doubt } }) },
    play: async (desk, handle) => {
      await handle.wait({ for: "rest" });
      await resolveAll(desk, handle);
      await handle.wait();
    },
  },
  {
    takes: ["recovery_needed call.resolved waiting"],
    open: step([call("a"), call("b")], { a: { acts: doubt }, b: { judged: ask } }),
    play: async (desk, handle) => {
      await handle.wait({ for: "rest" });
      await resolveAll(desk, handle);
      await cancel(desk, handle);
    },
  },
  {
    takes: ["cancelled call.resolved cancelled"],
    open: step([call("a")], { a: { acts: doubt } }),
    play: async (desk, handle) => {
      await cancel(desk, handle);
      await resolveAll(desk, handle);
    },
  },
];

const seen: TakenRows[] = [];

/** The runs of every story, each played once. */
const told: { readonly desk: RunDesk; readonly runId: string }[] = [];
beforeAll(async () => {
  for (const story of runStories) told.push(await playStory(story));
  for (const { play } of familyStories) {
    const desk = await play();
    told.push(...(await desk.runs.list()).map(({ runId }) => ({ desk, runId })));
    await desk.runs.close();
  }
});

describe("a run takes", () => {
  test.each(rare.map((one) => ({ ...one, rows: one.takes.join(", ") })))(
    "$rows",
    async ({ takes, open, play }) => {
      const desk = openRunDesk(open);
      const handle = await desk.start();
      await play(desk, handle);
      const taken = await takenRows(desk.store.inner, handle.runId);
      seen.push(taken);
      expect([...taken.rows]).toEqual(expect.arrayContaining([...takes]));
    },
  );
});

test("every row of the tables is taken by some run, and no run takes another", async () => {
  for (const { desk, runId } of told) seen.push(await takenRows(desk.store.inner, runId));
  const { rows, calls } = joined(seen);
  expect([...rows].toSorted()).toStrictEqual([...allRows.rows].toSorted());
  expect([...calls].toSorted()).toStrictEqual([...allRows.calls].toSorted());
});

test("what is over leads nowhere", () => {
  for (const from of runStates.filter(hasEnded))
    for (const to of runStates) expect(canFollow(from, "run.ended", to)).toBe(false);
});

test("folding, deciding and validating are pure: the same again gives the same, and nothing is changed by it", async () => {
  for (const { desk, runId } of told) {
    const stored = await storedRun(desk.store.inner, runId);
    const folds = foldsOf(stored);
    for (const [index, { run, record }] of folds.entries()) {
      const next = { record, hash: run.head.hash, content: stored[index]?.content ?? [] };
      const before = folds[index - 1]?.run;
      const copy = structuredClone(before);
      expect(foldRun(before, next)).toStrictEqual(run);
      expect(before).toStrictEqual(copy);
      const decided = decideRun(run, defaultRunLimits);
      expect(decideRun(run, defaultRunLimits)).toStrictEqual(decided);
    }
    expect(foldsOf(stored)).toStrictEqual(folds);
  }
});

test("what is refused, expired or cancelled before it began never shows tool.started", async () => {
  for (const { desk, runId } of told) {
    const [records, events] = await Promise.all([desk.records(runId), desk.shown(runId)]);
    const refused = new Set(records.flatMap((one) => (one.kind === "call.refused" ? one.callId : [])));
    const started = events.flatMap((one) => (one.type === "tool.started" ? one.callId : []));
    expect(started.filter((callId) => refused.has(callId))).toStrictEqual([]);
  }
});
