import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test-data/call-clock.ts";
import { settlement } from "../../test-data/call-waiting.ts";
import { createMemoryStore } from "./memory-store.ts";
import { Waits } from "./waits.ts";

const hour = 3_600_000;

function waiting() {
  const clock = new ManualClock();
  return { clock, waits: new Waits(createMemoryStore(), clock) };
}

describe("a pause", () => {
  test("is no longer for a clock that was set back", async () => {
    const { clock, waits } = waiting();
    const pause = waits.pause(200, []);
    clock.jump(-hour);
    clock.advance(199);
    expect(await settlement(pause)).toStrictEqual({ state: "pending" });
    clock.advance(1);
    expect(await settlement(pause)).toStrictEqual({ state: "kept", value: undefined });
    expect([clock.waiting, waits.size]).toStrictEqual([0, 0]);
  });

  test("is no shorter for a clock that was set forward, whoever is woken meanwhile", async () => {
    const { clock, waits } = waiting();
    const pause = waits.pause(200, []);
    clock.jump(hour);
    waits.nudge("pause");
    expect(await settlement(pause)).toStrictEqual({ state: "pending" });
    expect(clock.waits).toStrictEqual([200]);
    clock.advance(200);
    expect(await settlement(pause)).toStrictEqual({ state: "kept", value: undefined });
  });
});

describe("whoever waits", () => {
  test("until a moment looks then by the date, however that was set meanwhile", async () => {
    const { clock, waits } = waiting();
    const at = clock.now() + 1000;
    const look = async () => (clock.now() >= at ? "seen" : undefined);
    const seen = waits.until("it", look, { at, signals: [] });
    clock.jump(-500);
    clock.advance(1000);
    expect(await settlement(seen)).toStrictEqual({ state: "pending" });
    expect(clock.waits).toStrictEqual([500]);
    clock.advance(500);
    expect(await settlement(seen)).toStrictEqual({ state: "kept", value: "seen" });
  });

  test("looks by whichever time comes first", async () => {
    const { clock, waits } = waiting();
    const ended = new AbortController();
    const look = async () => undefined;
    const terms = { at: clock.now() + 3000, by: clock.elapsed() + 2000, signals: [ended.signal] };
    const all = [
      waits.until("a", look, terms),
      waits.until("b", look, { ...terms, every: 1000 }),
      waits.until("c", look, { ...terms, by: clock.elapsed() + 4000 }),
    ];
    expect(clock.waits).toStrictEqual([2000, 1000, 3000]);
    ended.abort();
    await Promise.all(all);
    expect(clock.waiting).toBe(0);
  });
});
