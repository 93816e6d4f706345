import { UpstreamError } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import type { MarketRow } from "../../venue/market.ts";
import type { SkippedMarkets } from "../venue-options.ts";
import { gatherPages, type Page } from "./gather-pages.ts";

/** A market is written by its ticker; `!` in front of it makes it wrong, and a small letter closed. */
const readMarket = (item: unknown) => {
  const ticker = String(item);
  if (ticker.startsWith("!")) return { wrong: ticker.slice(1) };
  const status = ticker === ticker.toUpperCase() ? "open" : "closed";
  return { read: { row: { ticker, status } as MarketRow } };
};

async function gather(pages: Readonly<Record<string, Page>>, limits = { maxMarkets: 100, maxPages: 10 }) {
  const asked: string[] = [];
  const told: SkippedMarkets[] = [];
  const pageAt = async (cursor = "start") => {
    asked.push(cursor);
    return pages[cursor] ?? { items: [] };
  };
  const rows = await gatherPages(
    { venue: "kalshi", pageAt, readMarket, log: (one) => told.push(one) },
    limits,
  );
  return { tickers: rows.map(({ ticker }) => ticker), asked, told };
}

test("pages follow one another to the last, and a market on two of them is one", async () => {
  const pages = { start: { items: ["A", "B"], next: "two" }, two: { items: ["B", "C"] } };
  expect(await gather(pages)).toEqual({ tickers: ["A", "B", "C"], asked: ["start", "two"], told: [] });
});

test("a cursor that leads back ends the list", async () => {
  const pages = {
    start: { items: ["A"], next: "two" },
    two: { items: ["B"], next: "three" },
    three: { items: ["C"], next: "two" },
  };
  expect((await gather(pages)).asked).toEqual(["start", "two", "three"]);
});

test("a page with nothing new ends the list, and an empty one does", async () => {
  const pages = { start: { items: ["A"], next: "two" }, two: { items: ["A"], next: "three" } };
  expect((await gather(pages)).asked).toEqual(["start", "two"]);
  expect(await gather({ start: { items: [], next: "two" } })).toEqual({
    tickers: [],
    asked: ["start"],
    told: [],
  });
});

test("no more markets and no more pages are taken than are wanted", async () => {
  const pages = { start: { items: ["A", "B", "C"], next: "two" }, two: { items: ["D"], next: "three" } };
  expect(await gather(pages, { maxMarkets: 2, maxPages: 10 })).toEqual({
    tickers: ["A", "B"],
    asked: ["start"],
    told: [],
  });
  expect((await gather(pages, { maxMarkets: 9, maxPages: 1 })).asked).toEqual(["start"]);
});

test("what is wrong is skipped, counted and told once; what is not open is left out untold", async () => {
  const pages = {
    start: { items: ["A", "!title", "b"], next: "two" },
    two: { items: ["!title", "!ticker"] },
  };
  expect(await gather(pages)).toEqual({
    tickers: ["A"],
    asked: ["start", "two"],
    told: [{ venue: "kalshi", skipped: 3, reasons: { title: 2, ticker: 1 } }],
  });
});

test("a list of which nothing can be read is the venue's fault, not an empty venue", async () => {
  await expect(gather({ start: { items: ["!title"] } })).rejects.toThrow(UpstreamError);
});
