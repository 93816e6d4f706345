// J3, X1: a process that stood still for a while does not start a tool that its successor may have run.
import { JournalAppendFailedError } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { ManualClock } from "../../test-data/call-clock.ts";
import {
  type Desk,
  type DeskOptions,
  kindsOf,
  openDesk,
  outputOf,
  reopenDesk,
} from "../../test-data/call-desk.ts";
import { atFirst, FaultyStore, kindsIn } from "../../test-data/call-store.ts";
import { settlement } from "../../test-data/call-waiting.ts";
import { openRunDesk, saying, write as proposed } from "../../test-data/run-desk.ts";
import { genesisOf } from "../journal/seal.ts";

const leaseMs = 15_000;
const third = leaseMs / 3;
const write = { tool: "notes.write", input: { text: "a" }, idempotencyKey: "once" };

type Pass = (clock: ManualClock) => void;
const standStill =
  (ms: number): Pass =>
  (clock) =>
    clock.advance(ms);

/** A store whose leases run out, and on which time passes while a record of this kind is written. */
function slowStore(clock: ManualClock, pass: Pass, kind = "call.intended", inner = new FaultyStore().inner) {
  const store = new FaultyStore(inner);
  store.leaseTime = leaseMs;
  const asked: string[] = [];
  let hasPassed = false;
  store.fault = (unit) => {
    if (!hasPassed && kindsIn(unit).includes(kind)) {
      hasPassed = true;
      pass(clock);
    }
    return undefined;
  };
  store.beforeRenewal = (stream) => void asked.push(stream);
  return { store, asked };
}

function openSlow(pass: Pass, options: DeskOptions = {}) {
  const clock = new ManualClock();
  const { store, asked } = slowStore(clock, pass);
  return { desk: openDesk({ clock, store, ...options }), asked };
}

/** Another process takes a stream over, as the store sees it. */
async function takeOver({ store }: Pick<Desk, "store">, stream: string, accountId = "acct_1"): Promise<void> {
  await store.inner.release(stream, 1);
  await store.inner.lease(stream, accountId, genesisOf(stream, accountId));
}

const lost = (reason: string) => ({
  state: "broken",
  error: { code: "lease_lost", details: { reason } },
});

test("a tool starts without a question to the store where no more than a third of the lease has passed", async () => {
  const { desk, asked } = openSlow(standStill(third));
  expect(outputOf(await desk.call(write))).toStrictEqual({ done: true });
  expect(asked).toStrictEqual([]);
});

test.each<[string, Pass]>([
  ["both clocks say so", standStill(third + 1)],
  ["only the time of day says so, as after a suspended machine", (clock) => clock.jump(third + 1)],
  [
    "only the other clock says so, because the time of day was set back",
    (clock) => {
      clock.advance(third + 1);
      clock.jump(-60_000);
    },
  ],
])(
  "where more has passed the store is asked once, and the tool starts if the lease stands: %s",
  async (_, pass) => {
    const { desk, asked } = openSlow(pass);
    expect(outputOf(await desk.call(write))).toStrictEqual({ done: true });
    expect(asked).toHaveLength(1);
    expect(desk.deck.runs).toHaveLength(1);
  },
);

test("an answer that took as long itself is no answer: the store is asked again", async () => {
  const { desk, asked } = openSlow(standStill(third + 1));
  desk.store.beforeRenewal = (stream) => {
    if (asked.push(stream) === 1) desk.clock.advance(third + 1);
  };
  expect(outputOf(await desk.call(write))).toStrictEqual({ done: true });
  expect(asked).toHaveLength(2);
});

test("where another process has taken over, the tool does not start, and nothing is written", async () => {
  const { desk, asked } = openSlow(standStill(third + 1));
  desk.store.beforeRenewal = async (stream) => {
    asked.push(stream);
    await takeOver(desk, stream);
  };
  expect(await settlement(desk.call(write))).toMatchObject(lost("taken_over"));
  expect(desk.deck.runs).toStrictEqual([]);
  expect(await kindsOf(desk)).toStrictEqual(["segment.opened", "call.intended"]);
});

test("where nobody can say, the tool does not start; the call ends once the store answers, and its key is free", async () => {
  const { desk } = openSlow(standStill(third + 1));
  desk.store.beforeRenewal = () => {
    throw new JournalAppendFailedError("the disk does not answer");
  };
  expect(await settlement(desk.call(write))).toMatchObject(lost("unanswered"));
  expect(desk.deck.runs).toStrictEqual([]);
  expect(outputOf(await desk.call(write))).toStrictEqual({ done: true });
  expect(desk.deck.runs).toHaveLength(1);
  const [, , ended] = await desk.records();
  expect(ended).toMatchObject({ kind: "call.settled", status: "cancelled" });
  await desk.seat.close();
  expect((await desk.seat.verify()).status).toBe("ok");
});

test("where nobody can say and another process has taken over, nothing is written here any more", async () => {
  const { desk } = openSlow(standStill(third + 1));
  desk.store.beforeRenewal = async (stream) => {
    await takeOver(desk, stream);
    throw new JournalAppendFailedError("the disk does not answer");
  };
  expect(await settlement(desk.call(write))).toMatchObject(lost("unanswered"));
  // The first call finds out, the next begins a segment of its own.
  expect(await settlement(desk.call({ ...write, idempotencyKey: "other" }))).toMatchObject({
    error: { code: "lease_lost" },
  });
  const kinds = await kindsOf(desk);
  expect(kinds.filter((kind) => kind === "call.settled")).toStrictEqual([]);
  expect(desk.deck.runs).toStrictEqual([]);
});

test("a free read is not asked about: it changes nothing, and a process that was succeeded records none", async () => {
  const clock = new ManualClock();
  const { store, asked } = slowStore(clock, () => undefined);
  const desk = openDesk({ clock, store, deed: () => clock.advance(leaseMs) });
  await desk.call({ tool: "notes.read" });
  expect(asked).toStrictEqual([]);
});

test("who settles what a dead process has left asks as well before a tool is run again", async () => {
  const desk = openDesk();
  desk.store.fault = atFirst("call.settled", { type: "die", written: false });
  void desk.call({ tool: "notes.put", input: { n: 1 } });
  await desk.store.died.promise;
  const clock = new ManualClock();
  const { store, asked } = slowStore(clock, standStill(third + 1), "call.retried", desk.store.inner);
  const next = reopenDesk(desk);
  const slow = openDesk({ life: 3, clock, store });
  store.beforeRenewal = async (stream) => {
    asked.push(stream);
    await store.inner.release(stream, 2);
    await next.store.lease(stream, "acct_1", genesisOf(stream, "acct_1"));
  };
  expect(await settlement(slow.seat.open())).toMatchObject(lost("taken_over"));
  expect(asked).toHaveLength(1);
  expect(slow.deck.runs).toStrictEqual([]);
});

test("a run that another process has taken over is left to it, and no tool of it starts here", async () => {
  const clock = new ManualClock();
  const { store } = slowStore(clock, standStill(third + 1));
  const desk = openRunDesk({ clock, store, script: saying([proposed("a")], "done") });
  const over = Promise.withResolvers<void>();
  store.beforeRenewal = async (stream) => {
    await takeOver(desk, stream);
    over.resolve();
  };
  const { runId } = await desk.start();
  await over.promise;
  await desk.runs.close();
  expect(desk.deck.runs).toStrictEqual([]);
  const kinds = await desk.kinds(runId);
  expect(kinds.at(-1)).toBe("call.intended");
});

test("a run of which nobody can say so goes on by itself, and its effect happens once", async () => {
  const clock = new ManualClock();
  const { store, asked } = slowStore(clock, standStill(third + 1));
  const desk = openRunDesk({ clock, store, script: saying([proposed("a")], [proposed("b")], "done") });
  store.beforeRenewal = (stream) => {
    if (asked.push(stream) === 1) throw new JournalAppendFailedError("the disk does not answer");
  };
  const handle = await desk.start();
  expect(await handle.wait()).toMatchObject({ status: "completed" });
  // What did not start is said to the model as cancelled, and nothing is unknown.
  const labels = await desk.labels(handle.runId);
  expect(labels.filter((label) => label.startsWith("call.settled"))).toStrictEqual([
    "call.settled cancelled cancelled",
    "call.settled completed",
  ]);
  expect(desk.deck.runs).toHaveLength(1);
});
