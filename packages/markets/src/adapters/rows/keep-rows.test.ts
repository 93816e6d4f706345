import { CancelledError, RateLimitedError, UpstreamError } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { ManualClock } from "../../../../kernel/test-data/call-clock.ts";
import type { MarketRow } from "../../venue/market.ts";
import { keepRows } from "./keep-rows.ts";

function setUp() {
  const clock = new ManualClock();
  const readings: PromiseWithResolvers<readonly MarketRow[]>[] = [];
  const read = () => {
    const reading = Promise.withResolvers<readonly MarketRow[]>();
    readings.push(reading);
    return reading.promise;
  };
  return { clock, readings, rows: keepRows("kalshi", read, clock, 30_000) };
}

const first: readonly MarketRow[] = [];
const second: readonly MarketRow[] = [];

test("what was read is kept for 30 s, whatever the time of day does", async () => {
  const { clock, readings, rows } = setUp();
  const reading = rows();
  readings[0]?.resolve(first);
  expect(await reading).toBe(first);
  clock.advance(29_999);
  expect(await rows()).toBe(first);
  clock.advance(1);
  const again = rows();
  readings[1]?.resolve(second);
  expect(await again).toBe(second);
  expect(readings.length).toBe(2);
});

test("all who ask at once share one reading, and who gives up leaves it to the others", async () => {
  const { readings, rows } = setUp();
  const caller = new AbortController();
  const [patient, impatient] = [rows(new AbortController().signal), rows(caller.signal)];
  caller.abort();
  await expect(impatient).rejects.toThrow(CancelledError);
  readings[0]?.resolve(first);
  expect(await patient).toBe(first);
  expect(await rows()).toBe(first);
  expect(readings.length).toBe(1);
});

test("a reading that nobody waits for any more may fail without harm", async () => {
  const { clock, readings, rows } = setUp();
  const caller = new AbortController();
  const given = rows(caller.signal);
  caller.abort();
  await expect(given).rejects.toThrow(CancelledError);
  readings[0]?.reject(new UpstreamError("down"));
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(30_000);
  const again = rows();
  readings[1]?.resolve(second);
  expect(await again).toBe(second);
});

/** Whether a venue that failed like this is read again after such a time. */
async function isReadAfter(fault: Error, ms: number): Promise<boolean> {
  const { clock, readings, rows } = setUp();
  const [a, b] = [rows(), rows()];
  readings[0]?.reject(fault);
  await expect(a).rejects.toBe(fault);
  await expect(b).rejects.toBe(fault);
  clock.advance(ms);
  const again = rows().catch((error: unknown) => error);
  readings[1]?.resolve(second);
  expect(await again).toBe(readings.length === 2 ? second : fault);
  return readings.length === 2;
}

const limited = (retryAfterMs: number) => new RateLimitedError("too often", { details: { retryAfterMs } });

test.each([
  ["as long as a list", new UpstreamError("down"), 30_000],
  ["as long as a list, where its venue asks for less", limited(5_000), 30_000],
  ["as long as its venue asks for", limited(120_000), 120_000],
  ["an hour, where its venue asks for more", limited(9_999_999_000), 3_600_000],
])("a reading that failed is told to all who ask, and kept %s", async (_, fault, ms) => {
  expect([await isReadAfter(fault, ms - 1), await isReadAfter(fault, ms)]).toEqual([false, true]);
});

test("who has given up beforehand gets nothing, not even what is kept", async () => {
  const { readings, rows } = setUp();
  const reading = rows();
  readings[0]?.resolve(first);
  await reading;
  await expect(rows(AbortSignal.abort())).rejects.toThrow(CancelledError);
});
