import { UpstreamError } from "@spfunctions/contracts";
import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { marketNamed, opening } from "../../test-data/quiet-markets.ts";
import { sampleReader } from "../../test-data/sample-world.ts";
import { until } from "../../test-data/waiting.ts";
import { tickMs } from "../simulation/simulated-market.ts";
import type { MarketRow } from "../venue/market.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { type TickEvent, type TickWatch, watchTicks } from "./watch-ticks.ts";

function row(ticker: string, bidCents: number | null, over: Partial<MarketRow> = {}): MarketRow {
  const { rules: _, outcome: __, ...market } = marketNamed(ticker);
  const quote = { bidCents, askCents: 60, lastCents: 50, dayAgoCents: 50, dayVolume: 1 };
  return { ...market, ...quote, status: "open", ...over };
}

/** A venue whose rows the test changes, and somebody who watches it. */
function watched(watch: TickWatch = {}, over: Partial<VenueReader> = {}) {
  const venue = { rows: [row("A", 40), row("B", 50)], reads: 0 };
  const clock = new ManualClock(opening + 1000);
  const reader: VenueReader = {
    ...sampleReader("embedded", []),
    rows: async () => {
      venue.reads += 1;
      return venue.rows;
    },
    ...over,
  };
  const ticks = watchTicks({ readers: [reader], clock }, watch);
  return { venue, clock, ticks, reader };
}

/** What comes until nothing more comes in this tick. */
async function now(
  { ticks, clock }: Pick<ReturnType<typeof watched>, "ticks" | "clock">,
  pending: { next?: Promise<IteratorResult<TickEvent, void>> },
): Promise<unknown[]> {
  const come: unknown[] = [];
  for (;;) {
    pending.next ??= ticks.next();
    const first = await Promise.race([pending.next, waitsFor(clock)]);
    if (first === "waits") return come;
    delete pending.next;
    if (first.done === true) return [...come, "end"];
    come.push(`${first.value.ticker} ${first.value.bidCents} ${first.value.at - opening}`);
  }
}

async function waitsFor(clock: ManualClock): Promise<"waits"> {
  await until(() => clock.waiting > 0);
  return "waits";
}

describe("watching ticks", () => {
  test("tells every price once as it is, and then only what has changed with a tick", async () => {
    const watching = watched();
    const pending = {};
    expect(await now(watching, pending)).toStrictEqual(["A 40 1000", "B 50 1000"]);
    watching.clock.advance(tickMs - 1000);
    expect(await now(watching, pending)).toStrictEqual([]);
    watching.venue.rows = [row("A", 40), row("B", 51)];
    watching.clock.advance(tickMs - 1);
    expect(watching.venue.reads).toBe(2);
    watching.clock.advance(1);
    expect(await now(watching, pending)).toStrictEqual([`B 51 ${2 * tickMs}`]);
    watching.venue.rows = [row("A", 40, { dayVolume: 9 }), row("B", 51, { askCents: null }), row("C", null)];
    watching.clock.advance(tickMs);
    expect(await now(watching, pending)).toStrictEqual([`B 51 ${3 * tickMs}`, `C null ${3 * tickMs}`]);
  });

  test("tells all of an event", async () => {
    const { ticks } = watched();
    expect((await ticks.next()).value).toStrictEqual({
      type: "tick",
      at: opening + 1000,
      venue: "embedded",
      ticker: "A",
      bidCents: 40,
      askCents: 60,
      lastCents: 50,
      synthetic: true,
    });
  });

  test("tells only of the tickers that were asked for", async () => {
    const watching = watched({ tickers: ["B", "none"] });
    expect(await now(watching, {})).toStrictEqual(["B 50 1000"]);
  });

  test("refuses a venue that there is not", async () => {
    const { ticks } = watched({ venue: "elsewhere" });
    await expect(ticks.next()).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("watching ends", () => {
  test("with its signal while it waits for a tick, and leaves neither timer nor listener", async () => {
    const ended = new AbortController();
    const watching = watched({ signal: ended.signal });
    const pending = {};
    await now(watching, pending);
    expect([watching.clock.waiting, getEventListeners(ended.signal, "abort").length]).toStrictEqual([1, 1]);
    ended.abort();
    const { next } = pending as { next?: Promise<unknown> };
    expect(await next).toStrictEqual({ done: true, value: undefined });
    expect([watching.clock.waiting, getEventListeners(ended.signal, "abort").length]).toStrictEqual([0, 0]);
  });

  test("before it has read anything, where its signal has ended already", async () => {
    const { ticks, venue } = watched({ signal: AbortSignal.abort() });
    expect(await ticks.next()).toStrictEqual({ done: true, value: undefined });
    expect(venue.reads).toBe(0);
  });

  test("with its signal between two prices of one reading", async () => {
    const ended = new AbortController();
    const { ticks } = watched({ signal: ended.signal });
    expect((await ticks.next()).done).toBe(false);
    ended.abort();
    expect(await ticks.next()).toStrictEqual({ done: true, value: undefined });
  });

  test("with its signal while the venue is read: what the reader throws then is no fault", async () => {
    const ended = new AbortController();
    const { ticks } = watched(
      { signal: ended.signal },
      {
        rows: (signal) =>
          new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
      },
    );
    const next = ticks.next();
    ended.abort();
    expect(await next).toStrictEqual({ done: true, value: undefined });
  });

  test("with the fault of a venue that cannot be read, and leaves no timer", async () => {
    let reads = 0;
    const watching = watched(
      {},
      {
        rows: async () => {
          reads += 1;
          if (reads > 1) throw new UpstreamError("the venue is down; try again later");
          return [row("A", 40)];
        },
      },
    );
    await watching.ticks.next();
    const next = watching.ticks.next();
    await waitsFor(watching.clock);
    watching.clock.advance(tickMs);
    await expect(next).rejects.toMatchObject({ code: "upstream_error" });
    expect(await watching.ticks.next()).toStrictEqual({ done: true, value: undefined });
    expect(watching.clock.waiting).toBe(0);
  });

  test("when whoever looks has seen enough", async () => {
    const ended = new AbortController();
    const { ticks, clock, venue } = watched({ signal: ended.signal });
    for await (const _ of ticks) break;
    expect(await ticks.next()).toStrictEqual({ done: true, value: undefined });
    expect([clock.waiting, getEventListeners(ended.signal, "abort").length, venue.reads]).toStrictEqual([
      0, 0, 1,
    ]);
  });

  test("and begins no timer more than one, however many ticks go by", async () => {
    const ended = new AbortController();
    const watching = watched({ signal: ended.signal });
    const pending = {};
    for (let tick = 0; tick < 20; tick++) {
      await now(watching, pending);
      expect([watching.clock.waiting, getEventListeners(ended.signal, "abort").length]).toStrictEqual([1, 1]);
      watching.clock.advance(tickMs);
    }
    ended.abort();
  });
});
