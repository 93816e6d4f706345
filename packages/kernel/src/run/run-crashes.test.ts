// X1, B4, B20, B21: a run whose process dies at any of its commits goes on in the next as if it had not. Nothing but the store is
// taken along.
import type { JsonValue } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import { FaultyStore } from "../../test-data/call-store.ts";
import { turn, until } from "../../test-data/call-waiting.ts";
import { messagesOf } from "../../test-data/messages-of.ts";
import {
  atOnce,
  foldsOf,
  inOrder,
  openRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
  storedRun,
} from "../../test-data/run-desk.ts";
import { call, heldBack } from "../../test-data/run-levers.ts";
import { verifyAccount } from "../journal/verify-account.ts";
import type { RunHandle } from "./run-handle.ts";

type Planned = {
  readonly tool: "notes.read" | "notes.put" | "notes.send" | "notes.write" | "notes.search";
  /** Who is asked, and what they answer. */
  readonly asked?: "approve" | "deny";
  readonly fails?: true;
};
type Plan = {
  readonly steps: readonly (readonly Planned[])[];
  readonly strategy: NonNullable<RunDeskOptions["strategy"]>;
};

/** When a life ends: at which of its commits, and whether that was kept. */
type Death = { readonly at: number; readonly isKept: boolean };

const deck = new Deck();

/** What came of a plan, told so that two ways to the same end are the same. */
type Told = {
  readonly status: string;
  readonly output: JsonValue | undefined;
  /** What each call came to, as the model was told, by the call's place. */
  readonly results: readonly (readonly [string, string])[];
  /** What was done: by call, with which input. */
  readonly done: readonly string[];
};

type Life = { readonly desk: RunDesk; readonly commits: number };

const nameOf = (step: number, index: number) => `${step}.${index}`;

/** Plays a plan, dying as told, until it has ended. */
async function play(
  { steps, strategy }: Plan,
  deaths: readonly Death[],
): Promise<{ told: Told; lives: Life[] }> {
  const planned = new Map(
    steps.flatMap((calls, step) => calls.map((one, index) => [nameOf(step, index), one] as const)),
  );
  const of = (input: unknown) => planned.get((input as { text?: string }).text ?? "");
  deck.runs.length = 0;
  deck.deed = (input) => {
    if (of(input)?.fails === true) throw new Error("the venue is closed");
    return { did: (input as { text: string }).text };
  };
  const options: RunDeskOptions = {
    deck,
    script: saying(
      ...steps.map((calls, step) => calls.map(({ tool }, index) => call(nameOf(step, index), tool))),
      "done",
    ),
    strategy,
    evaluatePreTool: ({ input }) => ({ outcome: of(input)?.asked === undefined ? "allow" : "ask" }),
  };
  const first = openRunDesk(options);
  const lives: Life[] = [];
  for (let life = 1; ; life++) {
    const store = life === 1 ? first.store : new FaultyStore(first.store.inner);
    const desk = life === 1 ? first : openRunDesk({ ...options, life, clock: first.clock, store });
    const death = deaths[life - 1];
    if (death !== undefined) store.failNext({ type: "die", written: death.isKept }, death.at);
    const ended = await Promise.race([live(desk, of, life === 1), store.died.promise]);
    lives.push({ desk, commits: store.units.length });
    if (ended === undefined) continue;
    return { told: await tell(desk, ended), lives };
  }
}

/** One life of the program: it takes on what there is, and a person answers what is asked. */
async function live(
  desk: RunDesk,
  of: (input: unknown) => Planned | undefined,
  isFirst: boolean,
): Promise<RunHandle> {
  const [left] = isFirst ? [] : await desk.runs.open();
  const [listed] = await desk.runs.list();
  // One that died before its first record was written is started again.
  const handle = left ?? (listed ? await desk.runs.get(listed.runId) : await desk.start());
  if (!isFirst && listed === undefined) deck.runs.length = 0;
  for (;;) {
    const { status, unknown } = await handle.wait({ for: "rest" });
    if (status !== "requires_approval" && status !== "recovery_needed") return handle;
    for (const effectId of unknown) {
      await desk.runs.resolve(handle.runId, effectId, { status: "completed", note: "seen at the venue" });
    }
    for (const { approvalId, input } of await desk.operator.list()) {
      await desk.operator[of(input)?.asked ?? "deny"](approvalId);
    }
  }
}

async function tell(desk: RunDesk, handle: RunHandle): Promise<Told> {
  const { status, output } = await handle.wait();
  const folded = foldsOf(await storedRun(desk.store.inner, handle.runId)).at(-1);
  const results = (folded ? messagesOf(folded.run) : []).flatMap((one) =>
    one.role === "tool" ? [[one.toolCallId, one.text] as const] : [],
  );
  const done = deck.runs.map(
    ({ tool, text, idempotencyKey }) => `${withoutRun(handle, idempotencyKey)} ${tool} ${text}`,
  );
  return { status, output, results, done: [...new Set(done)].toSorted() };
}

/** A run that died before its first record was written has another name when it is started again. */
function withoutRun({ runId }: RunHandle, key: string): string {
  return key.replace(runId.slice("run_".length), "");
}

const plans: readonly Plan[] = [
  {
    strategy: { type: "sequential" },
    steps: [
      [{ tool: "notes.put" }, { tool: "notes.read" }],
      [
        { tool: "notes.send", asked: "approve" },
        { tool: "notes.put", asked: "deny" },
      ],
      [{ tool: "notes.read", fails: true }],
    ],
  },
  {
    strategy: inOrder(3),
    steps: [
      [{ tool: "notes.put" }, { tool: "notes.send", asked: "approve" }, { tool: "notes.search" }],
      [{ tool: "notes.send" }],
    ],
  },
  {
    strategy: atOnce(2),
    steps: [
      [
        { tool: "notes.send", asked: "approve" },
        { tool: "notes.put", asked: "approve" },
        { tool: "notes.read" },
        { tool: "notes.put", asked: "deny" },
      ],
    ],
  },
];

/** The same, whatever the order in which calls beside each other ended. */
function unordered({ results, ...told }: Told): unknown {
  return { ...told, results: results.toSorted(([one], [other]) => (one < other ? -1 : 1)) };
}

async function requireWhole({ desk }: Life): Promise<void> {
  const { status, segments, missing } = await verifyAccount(desk.store.inner, "acct_1");
  const runs = segments.filter(({ stream }) => stream.startsWith("run_"));
  expect(runs.map(({ verification }) => verification.status)).toStrictEqual(["ok"]);
  // The operator's own segments end with the processes that died.
  expect([status === "broken", missing]).toStrictEqual([false, []]);
}

function requireOnce(): void {
  const attempts = deck.runs.map(({ idempotencyKey, attempt }) => `${idempotencyKey} ${attempt}`);
  const reads = new Set(deck.runs.flatMap((one) => (one.tool === "notes.read" ? one.idempotencyKey : [])));
  const repeated = attempts.filter((one, index) => attempts.indexOf(one) !== index);
  // What changes nothing may be read again: a read that was not recorded was given to nobody.
  expect(repeated.filter((one) => !reads.has(one.split(" ")[0] ?? ""))).toStrictEqual([]);
}

describe.each(plans)("a process that dies at each of its commits, under $strategy", (plan) => {
  test.each([true, false])(
    "the commit kept: %o: the same calls, the same results, the same end, and nothing twice for one key",
    async (isKept) => {
      const { told, lives } = await play(plan, []);
      expect(told.status).toBe("completed");
      const commits = lives[0]?.commits ?? 0;
      expect(commits).toBeGreaterThan(8);
      const isOrdered = plan.strategy.type !== "bounded_concurrent";
      for (let at = 0; at < commits; at++) {
        const again = await play(plan, [{ at, isKept }]);
        const same = isOrdered ? again.told : unordered(again.told);
        expect(same, `at ${at}`).toStrictEqual(isOrdered ? told : unordered(told));
        requireOnce();
        await requireWhole(again.lives.at(-1) as Life);
      }
    },
    60_000,
  );
});

test("however often processes die, and wherever, the run comes to the same end", async () => {
  const anyCall = fc.record({
    tool: fc.constantFrom("notes.read", "notes.put", "notes.send", "notes.search"),
    asked: fc.constantFrom("approve", "deny", undefined),
  }) as fc.Arbitrary<Planned>;
  const anyPlan = fc.record({
    strategy: fc.constantFrom({ type: "sequential" as const }, inOrder(2), atOnce(2)),
    steps: fc.array(fc.array(anyCall, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  });
  const anyDeaths = fc.array(fc.record({ at: fc.integer({ min: 2, max: 12 }), isKept: fc.boolean() }), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(anyPlan, anyDeaths, async (plan, deaths) => {
      const { told } = await play(plan, []);
      const again = await play(plan, deaths);
      expect(unordered(again.told)).toStrictEqual(unordered(told));
      requireOnce();
      await requireWhole(again.lives.at(-1) as Life);
    }),
    { numRuns: 40 },
  );
}, 60_000);

test("what nobody may repeat is attempted once, wherever a process dies: a person says what became of it, and the run goes on", async () => {
  const plan: Plan = {
    strategy: atOnce(2),
    steps: [[{ tool: "notes.write" }, { tool: "notes.write", asked: "approve" }], [{ tool: "notes.write" }]],
  };
  const commits = (await play(plan, [])).lives[0]?.commits ?? 0;
  let unknown = 0;
  for (let at = 2; at < commits; at++) {
    for (const isKept of [true, false]) {
      const { told, lives } = await play(plan, [{ at, isKept }]);
      expect(told).toMatchObject({ status: "completed", output: "done" });
      // Of one that was about to begin nobody knows that it did not.
      expect([2, 3]).toContain(deck.runs.length);
      expect(new Set(deck.runs.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(deck.runs.length);
      await requireWhole(lives.at(-1) as Life);
      const [run] = (await lives.at(-1)?.desk.runs.list()) ?? [];
      const labels = (await lives.at(-1)?.desk.labels(run?.runId ?? "")) ?? [];
      unknown += labels.filter((label) => label === "call.resolved completed").length;
    }
  }
  expect(unknown).toBeGreaterThan(0);
}, 60_000);

test("B20: what had ended before it waited does not happen again when it goes on", async () => {
  const plan: Plan = {
    strategy: { type: "sequential" },
    steps: [[{ tool: "notes.write" }, { tool: "notes.put", asked: "approve" }]],
  };
  // After the call that waits is on record.
  const { lives } = await play(plan, [{ at: 7, isKept: true }]);
  expect(deck.runs.map(({ tool }) => tool)).toStrictEqual(["notes.write", "notes.put"]);
  expect(lives).toHaveLength(2);
});

describe("two processes that take on one run at once", () => {
  const options: RunDeskOptions = {
    script: saying([call("a", "notes.put"), call("b", "notes.put")], "done"),
    deck,
  };
  const dead = async (deed: Deck["deed"]) => {
    deck.runs.length = 0;
    deck.deed = deed;
    const desk = openRunDesk(options);
    const handle = await desk.start();
    await until(() => deck.runs.length === 1);
    return { desk, handle };
  };
  const beside = (desk: RunDesk, life: number) =>
    openRunDesk({ ...options, life, clock: desk.clock, store: new FaultyStore(desk.store.inner) });

  test("never both act: one has it, and the other watches", async () => {
    const { desk, handle } = await dead(async () => await new Promise<never>(() => {}));
    await desk.store.die();
    deck.runs.length = 0;
    deck.deed = async () => {
      await turn();
      return {};
    };
    const others = [beside(desk, 2), beside(desk, 3), beside(desk, 4)];
    const handles = await Promise.all(others.map(async (one) => await one.runs.resume(handle.runId)));
    const results = await Promise.all(handles.map(async (one) => await one.wait()));
    expect(new Set(results.map(({ status }) => status))).toStrictEqual(new Set(["completed"]));
    expect(deck.runs.map(({ text, attempt }) => `${text} ${attempt}`)).toStrictEqual([
      '{"text":"a"} 2',
      '{"text":"b"} 1',
    ]);
    const kinds = await desk.kinds(handle.runId);
    expect(kinds.filter((kind) => kind === "run.resumed")).toHaveLength(1);
    expect(others.map(({ model }) => model.asked.length).toSorted((one, other) => one - other)).toStrictEqual(
      [0, 0, 1],
    );
  });

  test("J3: one that hung, and was succeeded, stops before its next effect", async () => {
    const acts = heldBack<object>();
    const { desk, handle } = await dead(acts.held);
    const first = handle.wait();
    await desk.store.inner.release(handle.runId, 1);
    deck.deed = () => ({});
    const next = beside(desk, 2);
    const again = await next.runs.resume(handle.runId);
    const result = await again.wait();
    acts.let({});
    expect(await first).toStrictEqual(result);
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(deck.runs.map(({ text, attempt }) => `${text} ${attempt}`)).toStrictEqual([
      '{"text":"a"} 1',
      '{"text":"a"} 2',
      '{"text":"b"} 1',
    ]);
    expect(await verifyAccount(desk.store.inner, "acct_1")).toMatchObject({ missing: [] });
  });
});
