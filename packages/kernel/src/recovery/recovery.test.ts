// After a crash every intent gets an end. X1: nothing that does not honour a key is attempted twice, and nothing stays silently
// unknown. B20: what was done before the crash is not done again.
import { journalRecordSchema, parseJsonStrict, RecoveryNeededError } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import {
  codeOf,
  type Desk,
  type DeskOptions,
  kindsOf,
  openDesk,
  principalOf,
  reopenDesk,
  storedIn,
} from "../../test-data/call-desk.ts";
import { countingIds } from "../../test-data/call-ids.ts";
import { atEvery, atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { settlement, turn, until } from "../../test-data/call-waiting.ts";
import type { CallRequest } from "../call/call-host.ts";
import { draftRecord } from "../journal/record-draft.ts";
import { openSegment } from "../journal/segment.ts";
import type { StoredRecord } from "../store/store.ts";
import type { Settled } from "./settled.ts";

const hour = 3_600_000;

/** A process that dies after an effect has begun, and before its result is written. */
async function crashIn(request: CallRequest, options: DeskOptions = {}): Promise<Desk> {
  const desk = openDesk(options);
  desk.store.fault = atFirst("call.settled", { type: "die", written: false });
  void desk.call(request);
  await desk.store.died.promise;
  return desk;
}

/** The next process: what it says of the effect, and what it has run for that. */
async function recover(desk: Desk, options: DeskOptions = {}) {
  const next = reopenDesk(desk, { clock: desk.clock, ...options });
  const report = await next.seat.open();
  expect(report).toMatchObject({ segments: 1, living: 0 });
  const [settled] = report.settled;
  expect(report.settled).toHaveLength(1);
  return { next, settled: settled as Settled, runs: next.deck.runs };
}

describe("an effect whose end nobody saw is run again", () => {
  test.each([
    ["where repeating it is harmless", { tool: "notes.put", input: { n: 1 } }],
    ["where it is a read that was paid for", { tool: "notes.search", input: { n: 1 } }],
    ["where its executor honours the key", { tool: "notes.send", input: { n: 1 } }],
    [
      "where its executor honours the caller's key",
      { tool: "notes.send", input: { n: 1 }, idempotencyKey: "k" },
    ],
  ])("%s: the same input, the same key, the next attempt", async (_, request) => {
    const desk = await crashIn(request);
    const [first] = desk.deck.runs;
    const { next, settled, runs } = await recover(desk, { deck: desk.deck });
    expect(settled).toMatchObject({ tool: request.tool, outcome: "completed", by: "retry" });
    expect(runs).toStrictEqual([first, { ...first, attempt: 2 }]);
    expect((await next.seat.verify()).status).toBe("ok");
    expect(await next.seat.unknown()).toStrictEqual([]);
  });

  test("and what then becomes of a read is what is kept: a failure, too", async () => {
    const desk = await crashIn({ tool: "notes.search" });
    const { settled, next } = await recover(desk, { deed: closed });
    expect(settled).toMatchObject({ outcome: "failed", by: "retry" });
    expect((await next.records()).at(-1)).toMatchObject({
      status: "failed",
      error: { code: "upstream_error" },
    });
  });

  test("and a read that has no answer in time has timed out", async () => {
    const desk = await crashIn({ tool: "notes.search" });
    const next = reopenDesk(desk, { clock: desk.clock, deed: async () => await new Promise(() => {}) });
    const opening = next.seat.open();
    await until(() => next.deck.runs.length === 1);
    desk.clock.advance(60_000);
    expect((await opening).settled).toMatchObject([{ outcome: "timed_out", by: "retry" }]);
  });

  test("and where that fails, nothing is known of the first attempt: it is unknown (X1)", async () => {
    const desk = await crashIn({ tool: "notes.send" });
    const { settled, next } = await recover(desk, { deed: closed });
    expect(settled).toMatchObject({ outcome: "unknown" });
    expect(await next.seat.unknown()).toHaveLength(1);
  });

  test("and where that has an end, a tool that could be asked is not asked", async () => {
    const asked: unknown[] = [];
    const natural = { sideEffect: "user_write", idempotency: { type: "natural" } } as const;
    const reconcile = (input: unknown) => {
      asked.push(input);
      return { status: "failed" } as const;
    };
    const deck = new Deck(undefined, [{ name: "notes.ask", ...natural, reconcile }]);
    const desk = await crashIn({ tool: "notes.ask" }, { deck });
    const { settled } = await recover(desk, { deck });
    expect(settled).toMatchObject({ outcome: "completed", by: "retry" });
    expect(asked).toStrictEqual([]);
  });

  test.each([
    ["that it happened", { status: "completed", output: { found: 1 } }, "completed", "reconcile", 0],
    ["that it did not", { status: "failed" }, "failed", "reconcile", 0],
    ["nothing", { status: "unknown" }, "unknown", "nobody", 1],
  ] as const)(
    "and where that fails, a tool that can be asked is asked, and may say %s (X1)",
    async (_, answer, outcome, by, unknown) => {
      const asked: number[] = [];
      const reconcile = () => {
        asked.push(deck.runs.length);
        return answer;
      };
      const natural = { sideEffect: "user_write", idempotency: { type: "natural" } } as const;
      const deck = new Deck(undefined, [{ name: "notes.ask", ...natural, reconcile }]);
      const desk = await crashIn({ tool: "notes.ask" }, { deck });
      deck.deed = closed;
      const { settled, next } = await recover(desk, { deck });
      expect(settled).toMatchObject({ outcome, by });
      expect(asked).toStrictEqual([2]);
      expect(await next.seat.unknown()).toHaveLength(unknown);
      expect(settled.reason?.includes("closed") ?? false).toBe(unknown === 1);
      expect((await next.seat.verify()).status).toBe("ok");
    },
  );

  test("and where the tool does not know even then, it is unknown", async () => {
    const desk = await crashIn({ tool: "notes.put" });
    const { settled, next } = await recover(desk, {
      deed: () => {
        throw new RecoveryNeededError("the venue hung up");
      },
    });
    expect(settled).toMatchObject({ outcome: "unknown" });
    expect(await next.seat.unknown()).toHaveLength(1);
  });

  test("no later than half the time for which its key is remembered", async () => {
    const desk = await crashIn({ tool: "notes.send" });
    desk.clock.advance(12 * hour);
    expect((await recover(desk)).settled).toMatchObject({ outcome: "completed", by: "retry" });
  });

  test("however late, where repeating it is harmless", async () => {
    const desk = await crashIn({ tool: "notes.put" });
    desk.clock.advance(10_000 * hour);
    expect((await recover(desk)).settled).toMatchObject({ outcome: "completed", by: "retry" });
  });

  test("and its key is answered with what came out of it", async () => {
    const request = { tool: "notes.send", input: { n: 1 }, idempotencyKey: "k" };
    const desk = await crashIn(request);
    const { next } = await recover(desk, { deed: () => ({ second: true }) });
    expect(await next.call(request)).toMatchObject({ result: { output: { second: true }, replayed: true } });
    expect(next.deck.runs).toHaveLength(1);
  });
});

function closed(): never {
  throw new Error("closed");
}

const put = { tool: "notes.put", input: { n: 1 } };
const doubts: readonly (readonly [
  string,
  CallRequest,
  RegExp,
  { options?: DeskOptions; before?: (desk: Desk) => unknown },
])[] = [
  ["repeating it could do it twice", { tool: "notes.write" }, /could do it twice/, {}],
  [
    "its input held a secret",
    { tool: "notes.sign", input: { apiKey: "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH" } },
    /held a secret/,
    {},
  ],
  [
    "its tool is another one today",
    put,
    /no longer/,
    { options: { packs: [new Deck().tool({ name: "notes.put", sideEffect: "user_write" })] } },
  ],
  [
    "its key is too old to be remembered",
    { tool: "notes.send" },
    /too old/,
    { before: ({ clock }) => clock.advance(12 * hour + 1) },
  ],
  [
    "the clock says that it has not begun yet",
    { tool: "notes.send" },
    /too old/,
    { before: ({ clock }) => clock.jump(-1) },
  ],
];

// proves PORT-21.7
describe("an effect whose end nobody saw stays unknown, and nothing runs, where", () => {
  test.each(doubts)("%s", async (_, request, why, { options = {}, before }) => {
    const desk = await crashIn(request);
    await before?.(desk);
    const { next, settled, runs } = await recover(desk, options);
    expect(settled).toMatchObject({ tool: request.tool, outcome: "unknown", by: "nobody" });
    expect(settled.reason).toMatch(why);
    expect(settled.reason).toContain(`resolve("${settled.effectId}"`);
    expect(runs).toStrictEqual([]);
    expect(await next.seat.unknown()).toMatchObject([
      { effectId: settled.effectId, tool: request.tool, reason: expect.stringMatching(why) },
    ]);
    expect(await kindsOf(next)).toStrictEqual(["segment.opened", "call.intended", "call.settled"]);
    expect((await next.seat.verify()).status).toBe("ok");
  });
});

test("an effect whose input was erased while it ran stays unknown, and nothing runs", async () => {
  const desk: Desk = openDesk({ deed: async (_, { callId }) => await desk.seat.erase(callId) });
  desk.store.fault = atFirst("call.settled", { type: "die", written: false });
  void desk.call(put);
  await desk.store.died.promise;
  const { next, settled, runs } = await recover(desk, { deed: () => null });
  expect(settled).toMatchObject({
    outcome: "unknown",
    by: "nobody",
    reason: expect.stringMatching(/erased/),
  });
  expect(runs).toStrictEqual([]);
  expect((await next.seat.verify()).status).toBe("ok");
});

const leavings: typeof doubts = [
  ["its tool is not here", put, /tool is not here/, { options: { packs: [new Deck().tools.slice(0, 2)] } }],
  [
    "the policy of today denies it",
    put,
    /not allowed now/,
    {
      options: {
        levels: [{ level: "agent", policy: { maxSideEffect: "user_write", denyTools: ["notes.put"] } }],
      },
    },
  ],
  [
    "a person would have to approve it today",
    put,
    /not allowed now/,
    {
      options: {
        levels: [
          {
            level: "agent",
            policy: {
              maxSideEffect: "user_write",
              approvals: { requireForSideEffectAtOrAbove: "user_write" },
            },
          },
        ],
      },
    },
  ],
  [
    "whoever opens the store may not do it",
    put,
    /not allowed now/,
    { options: { principal: principalOf("acct_1", { scopes: ["read"] }) } },
  ],
];

describe("an effect that could be repeated is left as it is, and nothing runs, where", () => {
  test.each(leavings)("%s; whoever can settles it", async (_, request, why, { options = {} }) => {
    const desk = await crashIn(request);
    const { next, settled, runs } = await recover(desk, options);
    expect(settled).toMatchObject({ tool: request.tool, outcome: "left", by: "nobody" });
    expect(settled.reason).toMatch(why);
    expect(runs).toStrictEqual([]);
    expect(await next.seat.unknown()).toStrictEqual([]);
    expect(await kindsOf(next)).toStrictEqual(["segment.opened", "call.intended"]);
    expect((await next.seat.verify()).status).toBe("open");
    await next.seat.close();
    const third = reopenDesk(desk, { life: 3 });
    expect(await third.seat.open()).toMatchObject({ settled: [{ outcome: "completed", by: "retry" }] });
    expect((await third.seat.verify()).status).toBe("ok");
  });
});

/** Takes the input's text and salt away, as a person may at any time. */
/** What a tool may say when it is asked, and what that makes of the effect. */
const answers: readonly (readonly [string, () => unknown, Settled["outcome"]])[] = [
  ["that it happened", () => ({ status: "completed", output: { id: 7 } }), "completed"],
  ["that it did not", () => ({ status: "failed" }), "failed"],
  ["that it does not know", () => ({ status: "unknown" }), "unknown"],
  ["nothing", () => undefined, "unknown"],
  ["garbage", () => ({ status: "done" }), "unknown"],
  ["something that is no answer", () => 7, "unknown"],
  [
    "an error instead of an answer",
    () => {
      throw new Error("the venue does not answer");
    },
    "unknown",
  ],
  [
    "an error of ours instead of an answer",
    () => {
      throw new RecoveryNeededError("the venue does not answer");
    },
    "unknown",
  ],
  ["a broken promise", async () => await Promise.reject(new Error("offline")), "unknown"],
];

// proves PORT-13.14
describe("a tool that can be asked what became of its effect says", () => {
  test.each(answers)("%s", async (_, reconcile, outcome) => {
    const desk = await crashIn({ tool: "notes.check", input: { n: 1 } });
    desk.deck.runs.length = 0;
    desk.deck.reconcile = reconcile;
    const { next, settled } = await recover(desk, { deck: desk.deck });
    expect(settled).toMatchObject({ tool: "notes.check", outcome });
    expect(desk.deck.asked).toMatchObject([{ text: '{"n":1}', attempt: 2 }]);
    expect(desk.deck.runs).toStrictEqual([]);
    expect(await next.seat.unknown()).toHaveLength(outcome === "unknown" ? 1 : 0);
  });

  test("nothing at all, for too long: then it is unknown", async () => {
    const desk = await crashIn({ tool: "notes.check" });
    desk.deck.reconcile = async () => await new Promise(() => {});
    const next = reopenDesk(desk, { clock: desk.clock, deck: desk.deck });
    const opening = next.seat.open();
    await until(() => desk.deck.asked.length === 1);
    desk.clock.advance(60_000);
    expect((await opening).settled).toMatchObject([{ outcome: "unknown" }]);
    expect(await next.seat.unknown()).toHaveLength(1);
  });

  test("what came out of it, which is then the answer to its key", async () => {
    const request = { tool: "notes.check", input: { n: 1 }, idempotencyKey: "k" };
    const desk = await crashIn(request);
    desk.deck.reconcile = () => ({ status: "completed", output: { id: 7 } });
    const { next } = await recover(desk, { deck: desk.deck });
    expect(await next.call(request)).toMatchObject({ result: { output: { id: 7 }, replayed: true } });
  });

  test("nothing, where it may be run again: then it is not asked", async () => {
    const desk = await crashIn({ tool: "notes.put" });
    const { settled } = await recover(desk, { deck: desk.deck });
    expect(settled.by).toBe("retry");
    expect(desk.deck.asked).toStrictEqual([]);
  });

  test("nothing in time for a policy that has to see it: it is held first", async () => {
    const desk = await crashIn({ tool: "notes.check" });
    desk.deck.reconcile = () => ({ status: "completed", output: { id: 7 } });
    const { next, settled } = await recover(desk, {
      deck: desk.deck,
      evaluatePostTool: () => ({ outcome: "deny" }),
    });
    expect(settled).toMatchObject({ outcome: "withheld", by: "policy" });
    expect(await kindsOf(next)).toStrictEqual([
      "segment.opened",
      "call.intended",
      "call.settled",
      "call.withheld",
    ]);
  });
});

describe("recovery", () => {
  test("twice is harmless", async () => {
    const desk = await crashIn({ tool: "notes.put" });
    await recover(desk);
    const third = reopenDesk(desk, { life: 3 });
    expect(await third.seat.open()).toStrictEqual({ segments: 0, settled: [], living: 0 });
    expect(third.deck.runs).toStrictEqual([]);
  });

  test("by two at once settles each effect once", async () => {
    const desk = await crashIn({ tool: "notes.put" });
    desk.deck.runs.length = 0;
    const two = [2, 3].map((life) =>
      openDesk({ store: new FaultyStore(desk.store.inner), life, deck: desk.deck }),
    );
    await Promise.all(two.map(async ({ seat }) => await seat.open()));
    expect(desk.deck.runs).toHaveLength(1);
    expect((await two[0]?.seat.verify())?.status).toBe("ok");
  });

  test("leaves a living process alone", async () => {
    const living = openDesk({ deed: async () => await new Promise(() => {}) });
    const call = living.call({ tool: "notes.put" });
    await until(() => living.deck.runs.length === 1);
    const beside = openDesk({ store: new FaultyStore(living.store.inner), life: 2, deck: living.deck });
    expect(await beside.seat.open()).toStrictEqual({ segments: 0, settled: [], living: 1 });
    living.clock.advance(60_000);
    expect(codeOf(await call)).toBe("timeout");
  });

  test("settles what several lives have left, in the order in which it was begun", async () => {
    const desk = openDesk({ deed: async () => await new Promise(() => {}) });
    for (const n of [1, 2, 3]) void desk.call({ tool: n === 2 ? "notes.write" : "notes.put", input: { n } });
    await until(() => desk.deck.runs.length === 3);
    await desk.store.die();
    const next = reopenDesk(desk);
    const report = await next.seat.open();
    expect(report.settled.map(({ tool, outcome }) => [tool, outcome])).toStrictEqual([
      ["notes.put", "completed"],
      ["notes.write", "unknown"],
      ["notes.put", "completed"],
    ]);
    expect(next.deck.inputsOf("notes.put")).toStrictEqual(['{"n":1}', '{"n":3}']);
  });

  test("runs nothing that was only ever replayed (R1)", async () => {
    const desk = openDesk();
    await desk.call({ tool: "notes.put", input: { n: 1 } });
    const [, intent] = await storedIn(desk.store.inner);
    await desk.seat.close();
    await intend(desk, intent, { replayed: true });
    const next = reopenDesk(desk, { deck: desk.deck });
    desk.deck.runs.length = 0;
    const report = await next.seat.open();
    expect(report.settled).toMatchObject([
      { tool: "notes.put", outcome: "unknown", reason: expect.stringMatching(/only replayed/) },
    ]);
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("settles what it can of a segment, leaves the rest, and each effect ends once", async () => {
    const desk = openDesk({ deed: async () => await new Promise(() => {}) });
    for (const tool of ["notes.put", "notes.write", "notes.search"])
      void desk.call({ tool, input: { tool } });
    await until(() => desk.deck.runs.length === 3);
    await desk.store.die();
    const poor = reopenDesk(desk, {
      clock: desk.clock,
      packs: [desk.deck.tools.filter(({ contract }) => contract.name !== "notes.put")],
    });
    const first = await poor.seat.open();
    expect(first.settled.map(({ tool, outcome }) => [tool, outcome])).toStrictEqual([
      ["notes.put", "left"],
      ["notes.write", "unknown"],
      ["notes.search", "completed"],
    ]);
    await poor.seat.close();
    const rich = reopenDesk(desk, { clock: desk.clock, life: 3 });
    const second = await rich.seat.open();
    expect(second.settled.map(({ tool, outcome }) => [tool, outcome])).toStrictEqual([
      ["notes.put", "completed"],
    ]);
    expect((await kindsOf(rich)).filter((kind) => kind === "call.settled")).toHaveLength(3);
    expect((await rich.seat.verify()).status).toBe("ok");
  });

  test("is done by the first call where nobody asked for it", async () => {
    const desk = await crashIn({ tool: "notes.write" });
    const next = reopenDesk(desk);
    await next.call({ tool: "notes.read" });
    expect(await next.seat.unknown()).toHaveLength(1);
  });

  test("that the store has stopped goes on when it is asked again (X1)", async () => {
    const desk = await crashIn({ tool: "notes.put" });
    const next = reopenDesk(desk);
    next.store.fault = atEvery("call.settled", { type: "throw" });
    expect((await settlement(next.seat.open())).state).toBe("broken");
    next.store.fault = () => undefined;
    expect(await settlement(next.seat.open())).toMatchObject({
      value: { segments: 1, living: 0, settled: [{ tool: "notes.put", outcome: "completed", by: "retry" }] },
    });
    expect((await next.seat.verify()).status).toBe("ok");
  });

  test("touches nothing of another account (I1)", async () => {
    const desk = await crashIn({ tool: "notes.put" });
    const stranger = reopenDesk(desk, { principal: principalOf("acct_2") });
    expect(await stranger.seat.open()).toStrictEqual({ segments: 0, settled: [], living: 0 });
    expect(await stranger.seat.unknown()).toStrictEqual([]);
    expect(stranger.deck.runs).toStrictEqual([]);
  });
});

/** Another segment, left open, in which somebody intends once more what a record says. */
async function intend(desk: Desk, like: StoredRecord | undefined, changes: object): Promise<void> {
  const { store, clock } = desk;
  const record = journalRecordSchema.parse(parseJsonStrict(like?.text ?? ""));
  if (record.kind !== "call.intended") throw new Error("no intent");
  const host = { store: store.inner, clock, ids: countingIds(7) };
  const writer = await openSegment(host, record.principal.accountId, record.toolDigest);
  const callId = "call_00000007-0000";
  const draft = draftRecord("call.intended", { ...record, callId: callId as never, ...changes }, like);
  await writer.write({ durability: "process", records: [draft] });
  await store.inner.release(writer.stream, writer.epoch);
}

/** Lives that die one after the other, each at the commit that a script says, until one is left in peace. */
const anyDeath = fc.record({ at: fc.nat(7), written: fc.boolean() });
const anyTool = fc.constantFrom(
  "notes.put",
  "notes.send",
  "notes.write",
  "notes.check",
  "notes.search",
  "notes.read",
);

test("X1, B20: however often processes die, and wherever, each effect ends once and none that could be doubled is", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyTool, { minLength: 1, maxLength: 3 }),
      fc.array(anyDeath, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (tools, deaths, isHeld) => {
        const policy: DeskOptions = isHeld ? { evaluatePostTool: () => ({ outcome: "allow" }) } : {};
        let desk = openDesk(policy);
        const { deck } = desk;
        deck.reconcile = () => ({ status: "completed", output: null });
        for (const [life, { at, written }] of deaths.entries()) {
          const { store, seat, call } = desk;
          store.fault = (_unit, index) => (index === at ? { type: "die", written } : undefined);
          const work = (async () => {
            await seat.open();
            if (life > 0) return;
            await Promise.all(tools.map(async (tool, n) => await call({ tool, input: { n } })));
          })();
          await Promise.race([work, store.died.promise]);
          await turn();
          await store.die();
          desk = openDesk({ ...policy, store: new FaultyStore(store.inner), life: life + 2, deck });
        }
        await desk.seat.open();
        await expectSettled(desk, tools);
        await desk.seat.close();
        expect((await desk.seat.verify()).status).toBe("ok");
      },
    ),
    { numRuns: 120 },
  );
});

async function expectSettled(desk: Desk, tools: readonly string[]): Promise<void> {
  const records = await desk.records();
  const intents = records.filter((record) => record.kind === "call.intended");
  const ends = records.flatMap((record) => (record.kind === "call.settled" ? [record.callId] : []));
  expect(ends.toSorted()).toStrictEqual(intents.map(({ callId }) => callId).toSorted());
  const held = records.filter((record) => "held" in record && record.held === true);
  const decided = records.filter(({ kind }) => kind === "call.released" || kind === "call.withheld");
  expect(decided).toHaveLength(held.length);
  for (const once of ["notes.write", "notes.check"]) {
    const asked = tools.filter((tool) => tool === once).length;
    expect(desk.deck.inputsOf(once).length).toBeLessThanOrEqual(asked);
    expect(new Set(desk.deck.inputsOf(once)).size).toBe(desk.deck.inputsOf(once).length);
  }
  const keys = new Map<string, Set<string>>();
  for (const { tool, text, idempotencyKey } of desk.deck.runs) {
    if (tool === "notes.read") continue;
    const seen = keys.get(`${tool} ${text}`) ?? new Set();
    keys.set(`${tool} ${text}`, seen.add(idempotencyKey));
  }
  expect([...keys.values()].filter(({ size }) => size > 1)).toStrictEqual([]);
}
