import { describe, expect, test } from "vitest";
import { countingIds } from "../../../kernel/test-data/call-ids.ts";
import { FaultyStore } from "../../../kernel/test-data/call-store.ts";
import { failureOf, governedDesk, tradingPolicy } from "../../test-data/governed-desk.ts";
import { tradingDesk } from "../../test-data/trading-desk.ts";
import { mostWatched, mostWatchlists } from "../saved/watchlist.ts";

type List = { readonly watchlistId: string; readonly name: string; readonly markets: readonly unknown[] };
type Page<Item> = { readonly items: readonly Item[]; readonly next?: string };

const outputOf = async <Output>(call: Promise<{ output: unknown }>) => (await call).output as Output;

describe("a watchlist", () => {
  test("is made with its first market, and listed", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk, { maxSideEffect: "user_write" });
    const at = new Date(desk.clock.now()).toISOString();
    const { watchlist } = await outputOf<{ watchlist: List }>(
      governed.call("watchlists.add", { name: "weather", ticker: "RAIN" }),
    );
    expect(watchlist).toStrictEqual({
      watchlistId: expect.stringMatching(/^wl_[0-9a-f]{32}$/),
      name: "weather",
      markets: [{ venue: "embedded", ticker: "RAIN" }],
      createdAt: at,
      changedAt: at,
    });
    expect(await outputOf(governed.call("watchlists.list"))).toStrictEqual({ items: [watchlist] });
  });

  test("gets each market once, in the order they came, and is not written where nothing is new", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    await governed.call("watchlists.add", { name: "weather", ticker: "RAIN" });
    desk.prices.clock.jump(1000);
    const more = { name: "weather", tickers: ["SNOW", "RAIN", "SNOW"] };
    const { watchlist } = await outputOf<{ watchlist: List }>(governed.call("watchlists.add", more));
    expect(watchlist.markets).toStrictEqual([
      { venue: "embedded", ticker: "RAIN" },
      { venue: "embedded", ticker: "SNOW" },
    ]);
    desk.prices.clock.jump(1000);
    expect(await outputOf(governed.call("watchlists.add", more))).toStrictEqual({ watchlist });
    const elsewhere = { name: "weather", ticker: "RAIN", venue: "kalshi" };
    const third = await outputOf<{ watchlist: List }>(governed.call("watchlists.add", elsewhere));
    expect(third.watchlist.markets.at(-1)).toStrictEqual({ venue: "kalshi", ticker: "RAIN" });
  });

  test("I1: is its account's alone", async () => {
    const desk = tradingDesk();
    await governedDesk(desk).call("watchlists.add", { name: "weather", ticker: "RAIN" });
    const bob = governedDesk(desk, tradingPolicy, "bob");
    expect(await outputOf(bob.call("watchlists.list"))).toStrictEqual({ items: [] });
  });

  test.each([
    ["no ticker", {}],
    ["both forms", { ticker: "RAIN", tickers: ["RAIN"] }],
    ["no tickers in the list", { tickers: [] }],
    ["a venue that nobody knows", { ticker: "RAIN", venue: "moon" }],
    ["a secret as its name", { ticker: "RAIN", name: `sf_live_${"a1B2".repeat(8)}` }],
    ["a name of nothing", { ticker: "RAIN", name: "" }],
  ])("with %s is refused", async (_, change) => {
    const governed = governedDesk(tradingDesk());
    const call = governed.call("watchlists.add", { name: "weather", ...change });
    expect((await failureOf(call)).code).toBe("invalid_input");
    expect(await outputOf(governed.call("watchlists.list"))).toStrictEqual({ items: [] });
  });

  test(`has at most ${mostWatched} markets`, async () => {
    const governed = governedDesk(tradingDesk());
    const tickers = Array.from({ length: mostWatched }, (_, index) => `T${index}`);
    await governed.call("watchlists.add", { name: "all", tickers });
    await governed.call("watchlists.add", { name: "all", tickers: ["T1", "T2"] });
    const failure = await failureOf(governed.call("watchlists.add", { name: "all", ticker: "ONE MORE" }));
    expect(failure.message).toContain("another list");
  });

  test(`is one of at most ${mostWatchlists}, page by page, each once`, async () => {
    const governed = governedDesk(tradingDesk());
    for (let index = 0; index < mostWatchlists; index++) {
      await governed.call("watchlists.add", { name: `list ${index}`, ticker: "RAIN" });
    }
    const failure = await failureOf(governed.call("watchlists.add", { name: "one more", ticker: "RAIN" }));
    expect(failure).toMatchObject({ code: "invalid_input", message: expect.stringContaining("add to one") });
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page: Page<List> = await outputOf(
        governed.call("watchlists.list", { limit: 30, ...(after !== undefined && { after }) }),
      );
      seen.push(...page.items.map(({ name }) => name));
      after = page.next;
    } while (after !== undefined);
    expect(seen.toSorted()).toStrictEqual(
      Array.from({ length: mostWatchlists }, (_, index) => `list ${index}`).toSorted(),
    );
  });

  test("made beside nine others at once is one of ten lists", async () => {
    const governed = governedDesk(tradingDesk());
    const calls = Array.from({ length: 10 }, (_, index) =>
      governed.call("watchlists.add", { name: `list ${index}`, ticker: "RAIN" }),
    );
    await Promise.all(calls);
    expect((await outputOf<Page<List>>(governed.call("watchlists.list"))).items).toHaveLength(10);
  });

  test("made twice at once is one list, and whoever came second tries again", async () => {
    const desk = tradingDesk();
    const other = tradingDesk({ ...desk, ids: countingIds(2) });
    const calls = [desk, other].map((one, index) =>
      governedDesk(one).call("watchlists.add", { name: "weather", ticker: `T${index}` }),
    );
    const ends = await Promise.allSettled(calls);
    const codes = ends.flatMap((end) =>
      end.status === "rejected" ? [(end.reason as { code: string }).code] : [],
    );
    const { items } = await outputOf<Page<List>>(governedDesk(desk).call("watchlists.list"));
    expect(items).toHaveLength(1);
    expect(items[0]?.markets.length).toBe(2 - codes.length);
    expect(codes.filter((code) => code !== "revision_conflict")).toStrictEqual([]);
  });
});

test("what a policy refuses saves nothing", async () => {
  const desk = tradingDesk();
  const governed = governedDesk(desk, { maxSideEffect: "none" });
  const failure = await failureOf(governed.call("watchlists.add", { name: "weather", ticker: "RAIN" }));
  expect(failure.code).toBe("policy_denied");
  expect(await desk.store.documents({ kind: "watchlist", accountId: "ann", limit: 9 })).toStrictEqual([]);
});

test.each([1, 2, 3, 4, 5])(
  "X1: what is saved is written with the record of its call or not at all: death at write %s",
  async (at) => {
    const desk = tradingDesk();
    const store = new FaultyStore(desk.store);
    store.failNext({ type: "die", written: false }, at - 1);
    const dying = governedDesk(tradingDesk({ ...desk, store }));
    const call = dying.call("watchlists.add", { name: "weather", ticker: "RAIN" });
    const died = store.died.promise.then(() => false);
    const isAnswered = await Promise.race([call.then(() => true), died]);
    const next = governedDesk(tradingDesk({ ...desk, ids: countingIds(2) }));
    const { settled } = await next.recover();
    expect(settled.filter(({ outcome }) => outcome !== "failed")).toStrictEqual([]);
    expect(await next.unknown()).toStrictEqual([]);
    const { items } = await outputOf<Page<List>>(next.call("watchlists.list"));
    expect(items).toHaveLength(isAnswered ? 1 : 0);
  },
);
