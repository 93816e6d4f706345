// The world of the simulated venues: what a fresh start shows.
import { createMemorySearchIndex } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { day, noon, sampleReader, sampleSeat } from "../../test-data/sample-world.ts";
import { openMirror } from "../simulation/mirror.ts";
import { originalTicker } from "../simulation/mirror-names.ts";
import { openSimulation } from "../simulation/open-simulation.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { mostTokens } from "./most-tokens.ts";
import { openWorld } from "./open-world.ts";

function simulatedReaders(clock: ManualClock): VenueReader[] {
  const simulation = openSimulation({ seed: "a world", series: 90 });
  const embedded = sampleReader(simulation.venue, [], {
    rows: async () => simulation.rowsAt(clock.now()),
    rowsAt: async (at) => simulation.rowsAt(at),
  });
  return [embedded, openMirror(simulation, clock)];
}

function simulatedSeat() {
  const clock = new ManualClock(noon);
  return sampleSeat(simulatedReaders(clock), clock);
}

describe("over the simulated venues", () => {
  test("every read says that all of it is synthetic, and is the same for the same seed, byte for byte", async () => {
    const since = new Date(noon - day).toISOString();
    const reads: [string, unknown][] = [
      ["world.read", {}],
      ["world.delta", { since }],
      ["markets.search", { query: "rain" }],
      ["markets.screen", { by: "volume" }],
      ["regime.scan", {}],
      ["crossvenue.pairs", {}],
      ["calendar.list", {}],
      ["index.current", {}],
      ["index.history", { interval: "1d", points: 2 }],
      ["research.query", { question: "Will it rain?" }],
    ];
    const [one, other] = [simulatedSeat(), simulatedSeat()];
    for (const [tool, input] of reads) {
      const answers = [await one.call(tool, input), await other.call(tool, input)];
      expect([tool, answers[0]]).toMatchObject([tool, { synthetic: true }]);
      expect(JSON.stringify(answers[1])).toBe(JSON.stringify(answers[0]));
    }
  });

  test("a whole state has eight movers of eight questions and stays small", async () => {
    const state = (await simulatedSeat().call("world.read")) as { movers: object[]; regions: object[] };
    expect([state.movers.length, state.regions.length]).toEqual([8, 6]);
    expect(mostTokens(JSON.stringify(state))).toBeLessThan(1_000);
  });

  test("a tick's state is computed once, whoever reads it and through whatever", async () => {
    const clock = new ManualClock(noon);
    const world = openWorld({ readers: simulatedReaders(clock), clock, search: createMemorySearchIndex() });
    const [known, current, again] = [
      await world.rows.known(),
      await world.rows.current(),
      await world.rows.known(),
    ];
    const [one, other] = await Promise.all([world.stateOf(known), world.stateOf(current)]);
    expect([again, other]).toEqual([known, one]);
    expect(world.matchesOf(current.rows)).toBe(world.matchesOf(known.rows));
    expect(await world.stateOf(again)).toBe(one);
  });

  test("A10: however many read the past at once, others are served before each venue's turn", async () => {
    const clock = new ManualClock(noon);
    let round = 0;
    let isOver = false;
    const beat = () => {
      round += 1;
      if (!isOver) setImmediate(beat);
    };
    const rounds: number[] = [];
    const readers = simulatedReaders(clock).map((reader) => ({
      ...reader,
      rowsAt: async (at: number) => {
        rounds.push(round);
        return (await reader.rowsAt?.(at)) ?? [];
      },
    }));
    const world = openWorld({ readers, clock, search: createMemorySearchIndex() });
    setImmediate(beat);
    const { signal } = new AbortController();
    await Promise.all([
      world.deltaSince(noon - day),
      world.deltaSince(noon - 2 * day - 60_000),
      world.indexHistory([noon - day, noon], signal),
      world.indexHistory([noon - day, noon], signal),
    ]);
    isOver = true;
    expect(rounds.length).toBeGreaterThan(10);
    expect(new Set(rounds).size).toBe(rounds.length);
  });

  test("every market of the mirror is paired with the one that it mirrors", async () => {
    const clock = new ManualClock(noon);
    const search = createMemorySearchIndex();
    const world = openWorld({ readers: simulatedReaders(clock), clock, search });
    const { rows } = await world.rows.current();
    const pairs = world.matchesOf(rows).map(({ a, b }) => [a.ticker, originalTicker(b.ticker)]);
    const mirrored = rows.filter(({ venue }) => venue === "mirror");
    expect(mirrored.length).toBeGreaterThan(10);
    expect(pairs).toHaveLength(mirrored.length);
    expect(pairs.filter(([original, mirror]) => original !== mirror)).toEqual([]);
  });
});
