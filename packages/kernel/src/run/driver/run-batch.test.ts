import type { ToolExecutionStrategy } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { turn } from "../../../test-data/call-waiting.ts";
import { type BatchOutcome, type Place, runBatch } from "./run-batch.ts";

const anyStrategy: fc.Arbitrary<ToolExecutionStrategy> = fc.oneof(
  fc.constant({ type: "sequential" as const }),
  fc.record({
    type: fc.constant("bounded_concurrent" as const),
    maxInFlight: fc.integer({ min: 1, max: 5 }),
  }),
  fc.record({ type: fc.constant("ordered_batch" as const), maxInFlight: fc.integer({ min: 1, max: 5 }) }),
);
const limitOf = (strategy: ToolExecutionStrategy) =>
  strategy.type === "sequential" ? 1 : strategy.maxInFlight;
/** Per item: whether its act throws, and whether it does so before it has promised anything. */
const anyItems = fc.array(fc.constantFrom("good", "bad", "bad at once"), { maxLength: 9 });

type Item = string;
type Seen = { started: number[]; ended: number[]; delivered: BatchOutcome<Item, string>[] };

/** A batch whose acts and deliveries end in whatever order the scheduler likes. */
function batchUnder(s: fc.Scheduler, strategy: ToolExecutionStrategy, items: readonly Item[]) {
  const seen: Seen = { started: [], ended: [], delivered: [] };
  const stop = new AbortController();
  const startedWhenStopped: number[] = [];
  let delivering = 0;

  function act(item: Item, index: number): Promise<string> {
    seen.started.push(index);
    expect(seen.started.length - seen.ended.length).toBeLessThanOrEqual(limitOf(strategy));
    if (item === "bad at once") {
      seen.ended.push(index);
      throw new Error(`no ${index}`);
    }
    return s.schedule(Promise.resolve(), `act ${index}`).then(() => {
      seen.ended.push(index);
      if (item === "bad") throw new Error(`no ${index}`);
      return `did ${index}`;
    });
  }

  async function deliver(outcome: BatchOutcome<Item, string>): Promise<void> {
    expect(++delivering).toBe(1);
    seen.delivered.push(outcome);
    await s.schedule(Promise.resolve(), `deliver ${outcome.index}`);
    delivering -= 1;
  }

  return {
    seen,
    startedWhenStopped,
    run: () => runBatch(strategy, items, act, deliver, stop.signal),
    stop: () => {
      stop.abort();
      startedWhenStopped.push(...seen.started);
    },
  };
}

const outcomeOf = (item: Item, index: number): BatchOutcome<Item, string> =>
  item === "good"
    ? { index, item, status: "completed", value: `did ${index}` }
    : { index, item, status: "failed", error: new Error(`no ${index}`) };

const byIndex = (a: { index: number }, b: { index: number }) => a.index - b.index;

describe("in whatever order acts and deliveries end", () => {
  // proves PORT-17.3, PORT-17.4, PORT-17.5
  test("every item is acted on once, at most so many at once, and delivered once, failures too", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), anyStrategy, anyItems, async (s, strategy, items) => {
        const { seen, run } = batchUnder(s, strategy, items);
        expect(await s.waitFor(run())).toStrictEqual({ started: items.length });
        expect(seen.started).toStrictEqual([...items.keys()]);
        expect(seen.delivered.toSorted(byIndex)).toStrictEqual(items.map(outcomeOf));
        const order = strategy.type === "bounded_concurrent" ? seen.ended : [...items.keys()];
        expect(seen.delivered.map(({ index }) => index)).toStrictEqual(order);
      }),
    );
  });

  // proves PORT-17.1
  test("sequential begins the next when the one before is delivered", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), anyItems, async (s, items) => {
        const said: string[] = [];
        const act = async (item: Item, index: number) => {
          said.push(`begin ${index}`);
          await s.schedule(Promise.resolve());
          said.push(`end ${index}`);
          return item;
        };
        const deliver = async ({ index }: { index: number }) => {
          await s.schedule(Promise.resolve());
          said.push(`deliver ${index}`);
        };
        await s.waitFor(runBatch({ type: "sequential" }, items, act, deliver, new AbortController().signal));
        expect(said).toStrictEqual(
          [...items.keys()].flatMap((index) => [`begin ${index}`, `end ${index}`, `deliver ${index}`]),
        );
      }),
    );
  });

  test("cancelled at any moment, nothing more begins, and what has begun is awaited and delivered", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), anyStrategy, anyItems, async (s, strategy, items) => {
        const { seen, run, stop, startedWhenStopped } = batchUnder(s, strategy, items);
        void s.schedule(Promise.resolve(), "stop").then(stop);
        const { started } = await s.waitFor(run());
        await s.waitIdle();
        expect(seen.started).toStrictEqual([...items.keys()].slice(0, started));
        expect(seen.ended.toSorted((a, b) => a - b)).toStrictEqual(seen.started);
        expect(seen.delivered.toSorted(byIndex)).toStrictEqual(items.slice(0, started).map(outcomeOf));
        const begunAfter = seen.started.filter((index) => !startedWhenStopped.includes(index));
        expect(begunAfter).toStrictEqual([]);
      }),
    );
  });

  test("a delivery that fails is the end: nothing more begins or is delivered, and what has begun is awaited", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), anyStrategy, anyItems, fc.nat(8), async (s, strategy, items, at) => {
        fc.pre(at < items.length);
        const { seen, run } = failingAt(s, strategy, items, at);
        await expect(s.waitFor(run())).rejects.toThrow("the journal is full");
        expect(seen.delivered).toHaveLength(at + 1);
        expect(seen.ended.toSorted((a, b) => a - b)).toStrictEqual(seen.started);
        expect(seen.started).toHaveLength(seen.startedBefore);
      }),
    );
  });
});

/** The delivery number `at` fails. */
function failingAt(s: fc.Scheduler, strategy: ToolExecutionStrategy, items: readonly Item[], at: number) {
  const seen = {
    started: [] as number[],
    ended: [] as number[],
    delivered: [] as number[],
    startedBefore: 0,
  };
  const act = async (_: Item, index: number) => {
    seen.started.push(index);
    await s.schedule(Promise.resolve());
    seen.ended.push(index);
  };
  const deliver = async ({ index }: { index: number }) => {
    seen.delivered.push(index);
    await s.schedule(Promise.resolve());
    seen.startedBefore = seen.started.length;
    if (seen.delivered.length > at) throw new Error("the journal is full");
  };
  return { seen, run: () => runBatch(strategy, items, act, deliver, new AbortController().signal) };
}

describe("several at once", () => {
  const strategies = [
    { type: "bounded_concurrent", maxInFlight: 3 },
    { type: "ordered_batch", maxInFlight: 3 },
  ] as const;

  test.each(strategies)("really are: $type has three under way before any has ended", async (strategy) => {
    const gate = Promise.withResolvers<void>();
    const started: number[] = [];
    const act = async (_: string, index: number) => {
      started.push(index);
      await gate.promise;
    };
    const end = runBatch(strategy, ["a", "b", "c", "d", "e"], act, () => {}, new AbortController().signal);
    await Promise.resolve();
    expect(started).toStrictEqual([0, 1, 2]);
    gate.resolve();
    expect(await end).toStrictEqual({ started: 5 });
  });

  test.each<[ToolExecutionStrategy, string[]]>([
    [{ type: "bounded_concurrent", maxInFlight: 2 }, ["b", "c", "d", "a"]],
    [{ type: "ordered_batch", maxInFlight: 2 }, ["a", "b", "c", "d"]],
  ])("one that is slow holds up nobody's work: %o delivers %o", async (strategy, order) => {
    const slow = Promise.withResolvers<void>();
    const done: string[] = [];
    const delivered: string[] = [];
    const act = async (item: string) => {
      if (item === "a") await slow.promise;
      done.push(item);
      if (item === "d") slow.resolve();
    };
    const deliver = ({ item }: { item: string }) => void delivered.push(item);
    await runBatch(strategy, ["a", "b", "c", "d"], act, deliver, new AbortController().signal);
    expect(done).toStrictEqual(["b", "c", "d", "a"]);
    expect(delivered).toStrictEqual(order);
  });
});

test.each([[["a", "b"]], [[]]])("cancelled before it begins, a batch of %o does not begin", async (items) => {
  const end = await runBatch({ type: "sequential" }, items, tell, tell, AbortSignal.abort());
  expect(end).toStrictEqual({ started: 0 });
});

function tell(): never {
  throw new Error("it began");
}

describe("one that waits without its place", () => {
  test.each([
    { type: "bounded_concurrent", maxInFlight: 1 },
    { type: "ordered_batch", maxInFlight: 1 },
  ] as const)("lets the next begin, and goes on when there is a place again: $type", async (strategy) => {
    const answer = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    const said: string[] = [];
    const act = async (item: string, _index: number, place: Place) => {
      said.push(`begin ${item}`);
      if (item === "a") await place.idle(() => answer.promise);
      else await second.promise;
      said.push(`end ${item}`);
    };
    const end = runBatch(strategy, ["a", "b"], act, () => {}, new AbortController().signal);
    await turn();
    expect(said).toStrictEqual(["begin a", "begin b"]);
    // It has its answer, and no place.
    answer.resolve();
    await turn();
    expect(said).toStrictEqual(["begin a", "begin b"]);
    second.resolve();
    expect(await end).toStrictEqual({ started: 2 });
    expect(said).toStrictEqual(["begin a", "begin b", "end b", "end a"]);
  });

  test("lets nobody begin where one comes after the other", async () => {
    const answer = Promise.withResolvers<void>();
    const said: string[] = [];
    const act = async (item: string, _index: number, place: Place) => {
      said.push(item);
      if (item === "a") await place.idle(() => answer.promise);
    };
    const end = runBatch({ type: "sequential" }, ["a", "b"], act, () => {}, new AbortController().signal);
    await turn();
    expect(said).toStrictEqual(["a"]);
    answer.resolve();
    await end;
    expect(said).toStrictEqual(["a", "b"]);
  });

  test("has its place again also where what it waited for has failed", async () => {
    const strategy = { type: "bounded_concurrent", maxInFlight: 1 } as const;
    const outcomes: string[] = [];
    const act = async (_item: string, _index: number, place: Place) =>
      await place.idle(() => Promise.reject(new Error("no")));
    const deliver = ({ status }: { status: string }) => void outcomes.push(status);
    await runBatch(strategy, ["a", "b", "c"], act, deliver, new AbortController().signal);
    expect(outcomes).toStrictEqual(["failed", "failed", "failed"]);
  });

  test("never makes more act at once than may, in whatever order they come back", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        anyStrategy,
        fc.array(fc.nat(2), { maxLength: 9 }),
        async (s, strategy, waits) => {
          let acting = 0;
          const act = async (times: number, _index: number, place: Place) => {
            acting += 1;
            for (let time = 0; time < times; time++) {
              expect(acting).toBeLessThanOrEqual(limitOf(strategy));
              if (strategy.type !== "sequential") acting -= 1;
              await place.idle(() => s.schedule(Promise.resolve()));
              if (strategy.type !== "sequential") acting += 1;
              expect(acting).toBeLessThanOrEqual(limitOf(strategy));
              await s.schedule(Promise.resolve());
            }
            acting -= 1;
          };
          const delivered: number[] = [];
          const deliver = ({ index }: { index: number }) => void delivered.push(index);
          const end = runBatch(strategy, waits, act, deliver, new AbortController().signal);
          expect(await s.waitFor(end)).toStrictEqual({ started: waits.length });
          expect(delivered.toSorted((one, other) => one - other)).toStrictEqual([...waits.keys()]);
        },
      ),
    );
  });
});
