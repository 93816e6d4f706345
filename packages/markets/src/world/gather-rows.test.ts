import { RateLimitedError, UpstreamError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { failingReader, sampleReader, sampleRow } from "../../test-data/sample-world.ts";
import { gatherRows } from "./gather-rows.ts";

const rain = sampleRow({ ticker: "RAIN" });
const snow = sampleRow({ ticker: "SNOW" });
const far = sampleRow({ venue: "far", ticker: "A", synthetic: false });
const limited = new RateLimitedError("too often");
const gather = (...readers: Parameters<typeof gatherRows>[0]) =>
  gatherRows(readers, async (reader) => await reader.rows());

describe("the rows of all venues", () => {
  test("stand by venue and ticker, each once, and only the open ones", async () => {
    const closed = sampleRow({ ticker: "OLD", status: "closed" });
    const twice = { ...rain, title: "again" };
    const readers = [sampleReader("far", [far]), sampleReader("embedded", [snow, closed, rain, twice])];
    expect(await gather(...readers)).toEqual({ rows: [rain, snow, far], unavailable: [], synthetic: false });
  });

  test("stand so whatever order the venues come in, and whether or not a venue has them in order", async () => {
    const [a, b] = [sampleRow({ venue: "b", ticker: "A" }), sampleRow({ venue: "b", ticker: "B" })];
    const orders = [
      [sampleReader("embedded", [rain, snow]), sampleReader("b", [a, b])],
      [sampleReader("b", [b, a]), sampleReader("embedded", [rain, snow])],
      [sampleReader("embedded", [snow, rain, snow]), sampleReader("b", [a, b, b])],
      [sampleReader("odd", [rain, a]), sampleReader("b", [b]), sampleReader("embedded", [rain, snow])],
    ];
    const gathered = await Promise.all(orders.map(async (readers) => (await gather(...readers)).rows));
    expect(gathered).toEqual(orders.map(() => [a, b, rain, snow]));
  });

  test("are synthetic when all of them are; without rows, when all venues are", async () => {
    const real = sampleReader("far", [], { synthetic: false });
    expect((await gather(sampleReader("embedded", [rain]), real)).synthetic).toBe(true);
    expect((await gather(sampleReader("embedded", []), real)).synthetic).toBe(false);
    expect((await gather(sampleReader("embedded", []))).synthetic).toBe(true);
  });

  test("hold no half characters, which nobody could write down", async () => {
    const odd = sampleRow({ title: "a\ud800", tags: ["\udc00"], category: "c\ud800" });
    const { rows } = await gather(sampleReader("embedded", [odd]));
    expect(rows).toEqual([{ ...odd, title: "a\ufffd", tags: ["\ufffd"], category: "c\ufffd" }]);
  });
});

describe("a venue that fails", () => {
  test("is named with its code, and the others are read", async () => {
    const readers = [
      failingReader("far", limited),
      sampleReader("embedded", [rain]),
      failingReader("odd", 7),
    ];
    expect(await gather(...readers)).toEqual({
      rows: [rain],
      unavailable: [
        { venue: "far", code: "rate_limited" },
        { venue: "odd", code: "internal" },
      ],
      synthetic: true,
    });
  });

  test("fails the read where all do", async () => {
    const error = await rejectionOf(gather(failingReader("far", limited)));
    expect(error).toBeInstanceOf(UpstreamError);
    expect([error.message, error.details, error.cause]).toEqual([
      "no venue could be read: far (rate_limited); try again in a minute",
      { unavailable: [{ venue: "far", code: "rate_limited" }] },
      limited,
    ]);
  });
});
