import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { hour, noon } from "../../test-data/sample-world.ts";
import { readCandleRange } from "./candle-range.ts";

const iso = (ms: number) => new Date(ms).toISOString();
const range = (from?: number, to?: number) =>
  readCandleRange(
    { interval: "1h", from: from === undefined ? from : iso(from), to: to === undefined ? to : iso(to) },
    noon + 1,
  );

describe("the candles asked for", () => {
  test("are the last hundred, with the one that is not over yet", () => {
    expect(range()).toEqual({ interval: "1h", from: noon - 99 * hour, to: noon + 1 });
    expect(range(undefined, noon)).toEqual({ interval: "1h", from: noon - 100 * hour, to: noon });
  });

  test("are at most five hundred", () => {
    expect(range(noon - 500 * hour, noon)).toEqual({ interval: "1h", from: noon - 500 * hour, to: noon });
    expect(refusalOf(() => range(noon - 500 * hour - 1, noon)).details).toEqual({
      path: "/from",
      reason: "range_too_long",
    });
  });

  test("begin before they end", () => {
    expect(refusalOf(() => range(noon, noon)).details).toEqual({ path: "/from", reason: "not_before_to" });
  });
});
