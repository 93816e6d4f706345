// Whoever has no key is shown a world that is made up and says so, the same for everybody at the same time; and nothing is left when
// they stop looking.
import { connectEmbedded } from "@spfunctions/sdk";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../../../kernel/test-data/call-clock.ts";
import { settlement, turn, until } from "../../../../kernel/test-data/call-waiting.ts";
import { runtimeDesk } from "../../../test-data/runtime-desk.ts";
import { syntheticTick, syntheticTickers, syntheticWorld } from "./synthetic.ts";
import { watchOver } from "./watch.ts";

const noon = Date.UTC(2026, 0, 2, 12, 0, 30);

/** So many of them, letting the time pass whenever somebody waits for it. */
async function taken<Item>(items: AsyncGenerator<Item>, count: number, clock: ManualClock): Promise<Item[]> {
  const all: Item[] = [];
  while (all.length < count) {
    const { done, value } = await passing(items.next(), clock);
    if (done === true) break;
    all.push(value);
  }
  return all;
}

async function passing<Value>(wanted: Promise<Value>, clock: ManualClock): Promise<Value> {
  for (;;) {
    if ((await settlement(wanted)).state !== "pending") return await wanted;
    clock.advance(clock.waits[0] ?? 0);
  }
}

describe("without a key", () => {
  // proves RUN-1.5
  test("ticks are made up, say so, and are the same for everybody who looks at the same time", async () => {
    const seen = await Promise.all(
      [1, 2].map(async () => {
        const clock = new ManualClock(noon);
        const ticks = watchOver({ clock }).ticks();
        const all = await taken(ticks, 20, clock);
        await ticks.return();
        return all;
      }),
    );
    expect(seen[0]).toStrictEqual(seen[1]);
    expect(seen[0]?.slice(0, 5).map(({ ticker }) => ticker)).toStrictEqual([...syntheticTickers]);
    expect(seen[0]?.every(({ synthetic, venue }) => synthetic && venue === "synthetic")).toBe(true);
    // Pinned: the same on every machine.
    expect(seen[0]?.[0]).toStrictEqual(syntheticTick("SYN-RATES", noon));
    expect(syntheticTick("SYN-RATES", noon)).toStrictEqual({
      type: "tick",
      at: "2026-01-02T12:00:00.000Z",
      venue: "synthetic",
      ticker: "SYN-RATES",
      bidCents: 45,
      askCents: 49,
      lastCents: 47,
      synthetic: true,
    });
  });

  // proves RUN-1.5
  test("the world is made up, says so, and goes on tick by tick", async () => {
    const clock = new ManualClock(noon);
    const world = watchOver({ clock }).world();
    const seen = await taken(world, 3, clock);
    await world.return();
    expect(seen).toStrictEqual([noon, noon + 30_000, noon + 90_000].map(syntheticWorld));
    expect(seen.every(({ synthetic }) => synthetic)).toBe(true);
  });

  test("a client without a key, and a replay, are shown the same", async () => {
    const client = connectEmbedded(
      { fetch: () => Promise.reject(new Error("asked")) },
      { apiKey: undefined },
    );
    const clock = new ManualClock(noon);
    const live = connectEmbedded(
      { fetch: () => Promise.reject(new Error("asked")) },
      { apiKey: `sf_live_${"a".repeat(32)}` },
    );
    const replay = runtimeDesk({ mode: "replayOnly", replay: ["x"], client: live, clock }).runtime.watch;
    for (const watch of [watchOver({ client, clock }), replay]) {
      const world = watch.world();
      expect((await world.next()).value).toStrictEqual(syntheticWorld(noon));
      await world.return();
    }
  });

  test("for any time and any name: prices that could be, a spread, and a move that is the difference to an hour before", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 4e12 }), (ticker, now) => {
        const { bidCents, askCents, lastCents } = syntheticTick(ticker, now);
        const prices = [bidCents, lastCents, askCents].map(Number);
        expect(prices.every((price) => Number.isInteger(price) && price >= 1 && price <= 99)).toBe(true);
        expect(prices).toStrictEqual(prices.toSorted((one, other) => one - other));
        expect((askCents ?? 0) - (bidCents ?? 0)).toBeGreaterThan(0);
        const { movers, indices } = syntheticWorld(now);
        for (const { ticker: name, priceCents, moveCents } of movers)
          expect(moveCents).toBe(Number(priceCents) - Number(syntheticTick(name, now - 3_600_000).lastCents));
        for (const index of Object.values(indices)) expect(index).toBeGreaterThanOrEqual(0);
        expect(indices.breadth).toBeLessThanOrEqual(100);
      }),
      { numRuns: 50 },
    );
  });
});

describe("ticks", () => {
  test("go on with the next tick on a clock that was set back while somebody looked", async () => {
    const clock = new ManualClock(noon);
    const world = watchOver({ clock }).world();
    await world.next();
    clock.jump(-3_600_000);
    const next = world.next();
    await until(() => clock.waiting === 1);
    clock.advance(60_000);
    expect((await next).value).toStrictEqual(syntheticWorld(noon - 3_600_000 + 60_000));
    await world.return();
  });

  test("begin with whole multiples, whenever somebody began to look", async () => {
    const clock = new ManualClock(noon + 7);
    const world = watchOver({ clock }).world({ everyMs: 10_000 });
    await taken(world, 1, clock);
    const next = world.next();
    await until(() => clock.waiting === 1);
    expect(clock.waits).toStrictEqual([9993]);
    clock.advance(9993);
    await next;
    await world.return();
  });

  test("only what has changed is told", async () => {
    const clock = new ManualClock(noon);
    const ticks = watchOver({ clock }).ticks({ everyMs: 1000, tickers: ["SYN-CPI"] });
    const seen = await taken(ticks, 4, clock);
    await ticks.return();
    const prices = seen.map(({ bidCents, askCents, lastCents }) => `${bidCents} ${askCents} ${lastCents}`);
    for (const [at, price] of prices.entries()) expect(price).not.toBe(prices[at - 1]);
    expect(new Set(seen.map(({ ticker }) => ticker))).toStrictEqual(new Set(["SYN-CPI"]));
  });

  test.each([0, -1, 1.5, Number.NaN, 2 ** 31])("every %s ms is refused", async (everyMs) => {
    await expect(watchOver({}).world({ everyMs }).next()).rejects.toMatchObject({ code: "invalid_input" });
  });
});

describe("whoever stops looking", () => {
  const watches = ["ticks", "world"] as const;

  test.each(watches)("by a signal: %s end, and nothing waits or listens any more", async (kind) => {
    const clock = new ManualClock(noon);
    const { signal, controller } = countedSignal();
    const watch = watchOver({ clock })[kind]({ signal });
    for await (const event of watch) {
      expect(event).toBeDefined();
      if (clock.now() > noon + 600_000) controller.abort();
      else
        void until(() => clock.waiting > 0).then(
          () => clock.advance(60_000),
          () => undefined,
        );
    }
    expect([clock.waiting, signal.listening]).toStrictEqual([0, 0]);
  });

  test.each(watches)("while %s wait: they end at once", async (kind) => {
    const clock = new ManualClock(noon);
    const { signal, controller } = countedSignal();
    const watch = watchOver({ clock })[kind]({ signal, ...(kind === "ticks" && { tickers: ["SYN-CPI"] }) });
    await watch.next();
    const next = watch.next();
    await until(() => clock.waiting === 1);
    controller.abort();
    expect(await next).toStrictEqual({ done: true, value: undefined });
    expect([clock.waiting, signal.listening]).toStrictEqual([0, 0]);
  });

  test.each(watches)("before %s began sees nothing", async (kind) => {
    const clock = new ManualClock(noon);
    const watch = watchOver({ clock })[kind]({ signal: AbortSignal.abort() });
    expect(await watch.next()).toStrictEqual({ done: true, value: undefined });
  });

  test.each(watches)("by leaving the loop: %s leave nothing", async (kind) => {
    const clock = new ManualClock(noon);
    for await (const event of watchOver({ clock })[kind]()) if (event.synthetic) break;
    expect(clock.waiting).toBe(0);
  });

  test.each(watches)("while a platform is asked: %s end, and that is no failure", async (kind) => {
    const asked = Promise.withResolvers<AbortSignal>();
    const fetch = async ({ signal }: Request) => {
      asked.resolve(signal);
      return await new Promise<Response>((_, refuse) =>
        signal.addEventListener("abort", () => refuse(signal.reason)),
      );
    };
    const client = connectEmbedded({ fetch }, { apiKey: `sf_live_${"a".repeat(32)}`, retries: 0 });
    const controller = new AbortController();
    const watch = watchOver({ client, clock: new ManualClock(noon) });
    const next = watch[kind]({ signal: controller.signal }).next();
    await asked.promise;
    controller.abort();
    expect(await next).toStrictEqual({ done: true, value: undefined });
  });

  test.each(watches)("has a platform that fails told so: %s end with why", async (kind) => {
    const fetch = async () => Response.json({ ok: false }, { status: 500 });
    const client = connectEmbedded({ fetch }, { apiKey: `sf_live_${"a".repeat(32)}`, retries: 0 });
    const clock = new ManualClock(noon);
    const watch = watchOver({ client, clock })[kind]();
    expect((await settlement(watch.next())).state).toBe("broken");
    expect(await watch.next()).toStrictEqual({ done: true, value: undefined });
    await turn();
    expect(clock.waiting).toBe(0);
  });
});

/** A signal that knows how many listen to it. */
function countedSignal() {
  const controller = new AbortController();
  const signal = Object.assign(controller.signal, { listening: 0 });
  const listening = new Set<unknown>();
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = ((type: "abort", listener: () => void, options?: AddEventListenerOptions) => {
    listening.add(listener);
    signal.listening = listening.size;
    add(type, listener, options);
  }) as typeof add;
  signal.removeEventListener = ((type: "abort", listener: () => void) => {
    listening.delete(listener);
    signal.listening = listening.size;
    remove(type, listener);
  }) as typeof remove;
  return { signal, controller };
}
