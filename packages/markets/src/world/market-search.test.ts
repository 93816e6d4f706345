import { createMemorySearchIndex, installationAccount, type SearchIndex } from "@spfunctions/kernel";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { anyRows, day, noon, sampleRow, sampleRows, venueRows } from "../../test-data/sample-world.ts";
import type { MarketRow } from "../venue/market.ts";
import { type MarketQuery, type MarketSearch, marketSearch } from "./market-search.ts";
import { sorts } from "./ranked-markets.ts";
import { byName } from "./row-order.ts";
import type { VenueRows } from "./rows-by-tick.ts";

const rows = sampleRows(
  { ticker: "A", title: "Rain in Lisbon", dayVolume: 10, lastCents: 20, dayAgoCents: 29 },
  { ticker: "B", title: "Snow in Oslo", tags: ["winter"], region: "north", dayVolume: 30, lastCents: 55 },
  { ticker: "C", title: "Rain in Oslo", region: "north", dayVolume: 5_000, closesAt: noon + day },
  { ticker: "D", title: "Election in Peru", category: "politics", dayAgoCents: null, tags: [] },
);
const now = venueRows(rows);

async function tickers(search: MarketSearch, query: MarketQuery, venues = now): Promise<string[]> {
  const found = await search.find(venues, query, { limit: 100 });
  return found.rows.map(({ ticker }) => ticker);
}

/** Follows `next` to the end. */
async function pages(search: MarketSearch, venues: VenueRows, query: MarketQuery, limit: number) {
  const seen: (readonly MarketRow[])[] = [];
  let after: string | undefined;
  do {
    const page = await search.find(venues, query, { after, limit });
    seen.push(page.rows);
    after = page.next;
  } while (after !== undefined);
  return seen;
}

describe("markets are found", () => {
  const search = marketSearch(createMemorySearchIndex());

  test.each([
    ["rain oslo", ["C", "A", "B"]],
    ["winter", ["B"]],
    ["POLITICS", ["D"]],
    ["zebra", []],
  ])("by the words of titles, tags and categories: %s", async (query, expected) => {
    expect(await tickers(search, { query })).toEqual(expected);
  });

  test("by relevance and volume together: of equally good ones the more traded comes first", async () => {
    const equal = sampleRows({ dayVolume: 1 }, { dayVolume: 1_000 }, { dayVolume: 1 });
    expect(
      await tickers(marketSearch(createMemorySearchIndex()), { query: "rain" }, venueRows(equal)),
    ).toEqual(["T1", "T0", "T2"]);
  });

  test.each<[MarketQuery, string[]]>([
    [{}, ["C", "D", "B", "A"]],
    [{ query: "  ", sort: "volume" }, ["C", "D", "B", "A"]],
    [{ sort: "move" }, ["B", "A", "C", "D"]],
    [{ sort: "closing" }, ["C", "A", "B", "D"]],
    [{ query: "in", sort: "closing" }, ["C", "A", "B", "D"]],
    [{ category: "politics" }, ["D"]],
    [{ region: "north", query: "rain" }, ["C"]],
    [{ venue: "elsewhere" }, []],
    [{ maxPriceCents: 41, minPriceCents: 21 }, ["C", "D"]],
    [{ closesBefore: noon + 2 * day }, ["C"]],
  ])("without words, by sort and filter: %j", async (query, expected) => {
    expect(await tickers(search, query)).toEqual(expected);
  });
});

test("what closes next comes first, and what a venue still calls open though its close has passed comes last", async () => {
  const closing = [-2, 3, -1, 0, 1].map((days) => ({ closesAt: noon + days * day }));
  const venues = venueRows(sampleRows(...closing));
  const found = ["", "rain"].map(async (query) => {
    const search = marketSearch(createMemorySearchIndex());
    return (await pages(search, venues, { query, sort: "closing" }, 2)).flat().map(({ ticker }) => ticker);
  });
  const expected = ["T3", "T4", "T1", "T2", "T0"];
  expect(await Promise.all(found)).toEqual([expected, expected]);
});

test("an order is that of its time, also where the markets are the same", async () => {
  const two = sampleRows({ closesAt: noon }, { closesAt: noon + day });
  const search = marketSearch(createMemorySearchIndex());
  const at = (time: number) => tickers(search, { sort: "closing" }, venueRows(two, { at: time }));
  expect([await at(noon), await at(noon + 60_000)]).toEqual([
    ["T0", "T1"],
    ["T1", "T0"],
  ]);
});

describe("pages", () => {
  test("visit everything that is found exactly once, in one order, for any rows and size", async () => {
    const asked = fc.record({
      query: fc.constantFrom("", "rain", "rain lisbon"),
      sort: fc.constantFrom(...sorts),
    });
    await fc.assert(
      fc.asyncProperty(anyRows, asked, fc.integer({ min: 1, max: 7 }), async (any, query, limit) => {
        const unique = [...new Map(any.map((row) => [`${row.venue} ${row.ticker}`, row])).values()];
        const venues = venueRows(unique.toSorted(byName));
        const search = marketSearch(createMemorySearchIndex());
        const whole = await search.find(venues, query, { limit: 1_000 });
        const seen = await pages(search, venues, query, limit);
        expect(seen.flat()).toEqual(whole.rows);
        expect(new Set(seen.flat()).size).toBe(seen.flat().length);
        const least = query.query === "" ? unique.length : 0;
        expect(whole.rows.length).toBeGreaterThanOrEqual(least);
        expect(seen.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test("stay with the ranking that the first one began, also when the markets have moved on", async () => {
    const search = marketSearch(createMemorySearchIndex());
    const first = await search.find(now, {}, { limit: 2 });
    const later = venueRows(
      rows.map((row) => ({ ...row, dayVolume: 10_000 - row.dayVolume })),
      { at: noon + 60_000 },
    );
    const second = await search.find(later, {}, { after: first.next, limit: 2 });
    expect([...first.rows, ...second.rows].map(({ ticker }) => ticker)).toEqual(["C", "D", "B", "A"]);
    expect(second.at).toBe(noon);
  });

  test("go on behind the same place where the ranking is not remembered", async () => {
    const first = await marketSearch(createMemorySearchIndex()).find(now, {}, { limit: 2 });
    const other = marketSearch(createMemorySearchIndex());
    const second = await other.find(
      venueRows(rows, { at: noon + 60_000 }),
      {},
      { after: first.next, limit: 2 },
    );
    expect(second).toEqual({ at: noon + 60_000, rows: [rows[1], rows[0]] });
  });

  test("of another question, changed or made up are refused", async () => {
    const search = marketSearch(createMemorySearchIndex());
    const { next = "" } = await search.find(now, { query: "in" }, { limit: 1 });
    const changed = Buffer.from(
      Buffer.from(next, "base64url").toString().replace("embedded", "embeddee"),
    ).toString("base64url");
    const forged = [changed, `${next}=`, `${next}A`, next.slice(0, -2), "", "W10", "bm8", "💥"];
    const refused = await Promise.all([
      rejectionOf(search.find(now, { query: "on" }, { after: next, limit: 1 })),
      rejectionOf(search.find(now, { query: "in", sort: "volume" }, { after: next, limit: 1 })),
      ...forged.map((after) => rejectionOf(search.find(now, { query: "in" }, { after, limit: 1 }))),
    ]);
    for (const { code, details } of refused)
      expect([code, details]).toEqual(["invalid_input", { path: "/after", reason: "invalid_cursor" }]);
    expect((await search.find(now, { query: "in" }, { after: next, limit: 9 })).rows).toHaveLength(3);
  });
});

/** An index that says what is done to it. */
function watched(index: SearchIndex) {
  const done: string[] = [];
  const watching: SearchIndex = {
    put: async (entries) => {
      done.push(...entries.map(({ id, accountId }) => `put ${id}${accountId}`));
      await index.put(entries);
    },
    remove: async (accountId, ids) => {
      done.push(...ids.map((id) => `remove ${id}`));
      await index.remove(accountId, ids);
    },
    query: (query) => index.query(query),
    rebuild: (from) => index.rebuild(from),
  };
  return { watching, since: () => done.splice(0) };
}

describe("the index", () => {
  test("follows the markets by their differences alone", async () => {
    const { watching, since } = watched(createMemorySearchIndex());
    const search = marketSearch(watching);
    const [a, b, c] = rows.slice(0, 3) as [MarketRow, MarketRow, MarketRow];
    await Promise.all([
      search.find(venueRows([a, b]), { query: "rain" }, { limit: 1 }),
      search.find(venueRows([a, b]), { query: "snow" }, { limit: 1 }),
    ]);
    expect(since()).toEqual(["put market:8:embedded:A", "put market:8:embedded:B"]);
    const dearer = { ...a, lastCents: 90, dayVolume: 7, tags: [...a.tags] };
    await search.find(venueRows([dearer, b], { at: noon + 1 }), { query: "rain" }, { limit: 1 });
    expect(since()).toEqual([]);
    const renamed = { ...a, tags: ["wet"] };
    await search.find(venueRows([renamed, c], { at: noon + 2 }), { query: "rain" }, { limit: 1 });
    expect(since()).toEqual([
      "put market:8:embedded:A",
      "put market:8:embedded:C",
      "remove market:8:embedded:B",
    ]);
  });

  test("keeps the markets of a venue that could not be read just now, which are not found meanwhile", async () => {
    const { watching, since } = watched(createMemorySearchIndex());
    const search = marketSearch(watching);
    const far = sampleRow({ venue: "far" });
    await search.find(venueRows([...rows, far]), { query: "rain" }, { limit: 9 });
    since();
    const without = venueRows(rows, {
      at: noon + 60_000,
      unavailable: [{ venue: "far", code: "timeout" }],
    });
    expect(await tickers(search, { query: "rain" }, without)).toEqual(["C", "A"]);
    expect(since()).toEqual([]);
  });

  test("I1: brings nothing that the venues do not have, and keeps what somebody else has put there", async () => {
    const index = createMemorySearchIndex();
    const [one, other] = [marketSearch(index), marketSearch(index)];
    const far = venueRows([sampleRow({ venue: "far", title: "Rain in Faro" })]);
    const here = { query: "rain" };
    expect(await tickers(one, here)).toEqual(["C", "A"]);
    expect(await tickers(other, here, far)).toEqual(["RAIN"]);
    expect(await tickers(one, here, venueRows(rows, { at: noon + 1 }))).toEqual(["C", "A"]);
    expect(await tickers(other, here, { ...far, at: noon + 1 })).toEqual(["RAIN"]);
    const hits = await index.query({ accountId: installationAccount, text: "rain", limit: 100 });
    expect(hits.map(({ id }) => id).toSorted()).toEqual([
      "market:3:far:RAIN",
      "market:8:embedded:A",
      "market:8:embedded:C",
    ]);
  });

  test("that failed is brought in step by the next search", async () => {
    const index = createMemorySearchIndex();
    let isDown = true;
    const put: SearchIndex["put"] = async (entries) => {
      if (isDown) throw new Error("the index is down");
      await index.put(entries);
    };
    const search = marketSearch({ ...index, put });
    await expect(search.find(now, { query: "rain" }, { limit: 1 })).rejects.toThrow("the index is down");
    isDown = false;
    expect(await tickers(search, { query: "winter" })).toEqual(["B"]);
  });
});
