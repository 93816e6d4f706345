import { TimeoutError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { failingReader, sampleReader, sampleRow } from "../../test-data/sample-world.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { findAtVenues } from "./find-at-venues.ts";

const embedded = sampleReader("embedded", [sampleRow({ ticker: "A" })]);
const far = sampleReader("far", [sampleRow({ venue: "far", ticker: "B" })]);
const slow = failingReader("slow", new TimeoutError("too slow"));

const find = (readers: readonly VenueReader[], ticker: string, venue?: string) =>
  findAtVenues(readers, venue, (reader) => reader.market(ticker));

describe("a market is looked for", () => {
  test("at one venue after the other, and no further than it must be", async () => {
    expect((await find([embedded, far], "A")).reader.venue).toBe("embedded");
    expect(far.asked.market).toBe(0);
    expect((await find([embedded, far], "B")).found.venue).toBe("far");
  });

  test("at the venue named, and nowhere else", async () => {
    const error = await rejectionOf(find([embedded, far], "A", "far"));
    expect([error.code, error.details]).toEqual(["not_found", { path: "/ticker", reason: "not_found" }]);
    const nowhere = await rejectionOf(find([embedded], "A", "mars"));
    expect([nowhere.code, nowhere.details]).toEqual(["not_found", { path: "/venue", reason: "not_found" }]);
  });

  test("past a venue that fails; it is not called missing where one could not say", async () => {
    expect((await find([slow, far], "B")).reader.venue).toBe("far");
    expect((await rejectionOf(find([slow, far], "C"))).code).toBe("timeout");
    expect((await rejectionOf(find([embedded, far], "C"))).code).toBe("not_found");
  });
});
