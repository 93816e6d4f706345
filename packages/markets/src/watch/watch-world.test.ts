import { createMemorySearchIndex } from "@spfunctions/kernel";
import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { failingReader } from "../../test-data/sample-world.ts";
import { embeddedReader } from "../exchange/embedded-reader.ts";
import { tradingFloor } from "../../test-data/trading-floor.ts";
import { until } from "../../test-data/waiting.ts";
import { openSimulation } from "../simulation/open-simulation.ts";
import { tickMs } from "../simulation/simulated-market.ts";
import { currentWorld } from "../world/current-world.ts";
import { openWorld } from "../world/open-world.ts";
import { watchSources } from "./watch-sources.ts";

const simulation = openSimulation({ seed: "watch", series: 4 });
const start = Date.UTC(2026, 10, 16, 9);

function watched() {
  const clock = new ManualClock(start);
  const { exchange: live } = tradingFloor({ simulation, clock });
  const readers = [embeddedReader({ clock, live, simulation })];
  const world = openWorld({ readers, clock, search: createMemorySearchIndex() });
  return { clock, world, sources: watchSources(world, clock) };
}

async function waits(clock: ManualClock): Promise<void> {
  await until(() => clock.waiting > 0);
}

describe("watching the world", () => {
  test("tells its state now and with every tick, and ends with its signal without a trace", async () => {
    const ended = new AbortController();
    const { clock, world, sources } = watched();
    const states = sources.world({ signal: ended.signal });
    expect((await states.next()).value).toStrictEqual({ type: "world", ...(await currentWorld(world)) });
    const next = states.next();
    await waits(clock);
    clock.advance(tickMs);
    const second = (await next).value;
    expect(second).toStrictEqual({ type: "world", ...(await currentWorld(world)) });
    const last = states.next();
    await waits(clock);
    ended.abort();
    expect(await last).toStrictEqual({ done: true, value: undefined });
    expect([clock.waiting, getEventListeners(ended.signal, "abort").length]).toStrictEqual([0, 0]);
  });

  test("tells nothing where its signal has ended already", async () => {
    const { sources } = watched();
    expect(await sources.world({ signal: AbortSignal.abort() }).next()).toStrictEqual({
      done: true,
      value: undefined,
    });
  });

  test("ends with the fault where no venue can be read", async () => {
    const clock = new ManualClock(start);
    const fault = new Error("down");
    const readers = [failingReader("embedded", fault)];
    const world = openWorld({ readers, clock, search: createMemorySearchIndex() });
    const states = watchSources(world, clock).world();
    await expect(states.next()).rejects.toMatchObject({ code: "upstream_error", cause: fault });
    expect([await states.next(), clock.waiting]).toStrictEqual([{ done: true, value: undefined }, 0]);
  });

  test("ends when whoever looks has seen enough", async () => {
    const { clock, sources } = watched();
    for await (const { type } of sources.world()) {
      expect(type).toBe("world");
      break;
    }
    for await (const { type } of sources.ticks()) {
      expect(type).toBe("tick");
      break;
    }
    expect(clock.waiting).toBe(0);
  });
});
