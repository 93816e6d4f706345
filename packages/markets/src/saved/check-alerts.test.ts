// A1: a rule is triggered once. A2: nobody's older look undoes a newer one.
import { RateLimitedError, TimeoutError, UpstreamError } from "@spfunctions/contracts";
import { openSqliteStore } from "@spfunctions/host/store";
import { createMemoryStore, type Store } from "@spfunctions/kernel";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { type Fault, FaultyStore } from "../../../kernel/test-data/call-store.ts";
import { failingReader, noon, sampleReader, sampleRow } from "../../test-data/sample-world.ts";
import { wrongShape } from "../adapters/http/venue-faults.ts";
import { intervalMs, type MarketRow } from "../venue/market.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { addAlertRule, type AlertRule, readAlertRule } from "./alert-rule.ts";
import { checkAlerts } from "./check-alerts.ts";
import { newAlertRule } from "./judge-alert.ts";
import { newAlertMemory } from "./venue-look.ts";
import { longestAskedMs, mostAsked } from "./venue-patience.ts";

const accountId = "ann";
const over60 = { type: "price_crosses", priceCents: 60, direction: "up" } as const;
const nothing = { triggered: 0, ended: 0, failed: [] };

type Kept = Partial<Pick<AlertRule, "alertRuleId" | "venue" | "ticker" | "when">>;

/** Keeps a rule that was made while its market cost 41. */
async function keep(store: Store, facts: Kept = {}, account = accountId): Promise<void> {
  const base = { alertRuleId: "alr_1", venue: "embedded", ticker: "RAIN", when: over60, createdAt: noon };
  const rule = newAlertRule({ ...base, ...facts }, sampleRow());
  const documents = await addAlertRule(store, account, rule);
  expect(await store.commit({ durability: "power", now: noon, documents })).toStrictEqual({
    type: "committed",
  });
}

async function ruleIn(store: Store, id = "alr_1", account = accountId): Promise<AlertRule | undefined> {
  const document = await store.document({ kind: "alert_rule", accountId: account, id });
  return document && readAlertRule(document);
}

async function statusesIn(store: Store, account = accountId): Promise<Record<string, string>> {
  const found = await store.documents({ kind: "alert_rule", accountId: account, limit: 500 });
  return Object.fromEntries(found.map(({ id, status }) => [id, status]));
}

/** A venue with these markets at these prices, which the test may change. */
function venueAt(prices: Record<string, number>, venue = "embedded", over: Partial<VenueReader> = {}) {
  const rowOf = (ticker: string): MarketRow | undefined => {
    const lastCents = Object.hasOwn(prices, ticker) ? prices[ticker] : undefined;
    return lastCents === undefined ? undefined : sampleRow({ venue, ticker, lastCents });
  };
  const asked: string[] = [];
  const reader: VenueReader = {
    ...sampleReader(venue, []),
    rows: async () => {
      asked.push("rows");
      return Object.keys(prices).flatMap((ticker) => rowOf(ticker) ?? []);
    },
    market: async (ticker) => {
      asked.push(ticker);
      const row = rowOf(ticker);
      return row && { ...row, depth: { bids: [], asks: [] }, rules: "" };
    },
    ...over,
  };
  return { reader, asked, prices };
}

describe("a round", () => {
  test("triggers what is met, ends what has closed, and leaves the rest as it is", async () => {
    const store = createMemoryStore();
    await keep(store);
    await keep(store, { alertRuleId: "alr_2", when: { ...over60, priceCents: 70 } });
    await keep(store, { alertRuleId: "alr_3", ticker: "OVER" });
    await keep(store, { alertRuleId: "alr_5", ticker: "GONE" });
    await keep(store, { alertRuleId: "alr_4", when: { type: "closing_soon", withinMinutes: 10_080 } }, "bob");
    const over = sampleRow({ ticker: "OVER", status: "settled", outcome: "no" });
    const venue = venueAt({ RAIN: 62 });
    const market: VenueReader["market"] = async (ticker) =>
      ticker === "OVER" ? { ...over, depth: { bids: [], asks: [] }, rules: "" } : venue.reader.market(ticker);
    const reader = { ...venue.reader, market };
    const checked = await checkAlerts({ store, readers: [reader] }, noon + 5);
    expect(checked).toStrictEqual({ triggered: 2, ended: 1, failed: [] });
    expect(await statusesIn(store)).toStrictEqual({
      alr_1: "triggered",
      alr_2: "active",
      alr_3: "ended",
      alr_5: "active",
    });
    expect(await ruleIn(store, "alr_4", "bob")).toStrictEqual({
      alertRuleId: "alr_4",
      venue: "embedded",
      ticker: "RAIN",
      when: { type: "closing_soon", withinMinutes: 10_080 },
      createdAt: noon,
      closesAt: sampleRow().closesAt,
      status: "triggered",
      triggeredAt: noon + 5,
      priceCents: 62,
    });
    expect(await checkAlerts({ store, readers: [reader] }, noon + 6)).toStrictEqual(nothing);
  });

  test("remembers the side of a price that went the other way, and triggers when it comes back", async () => {
    const store = createMemoryStore();
    await keep(store, { when: { ...over60, direction: "down" } });
    const { reader, prices } = venueAt({ RAIN: 62 });
    const host = { store, readers: [reader] };
    expect(await checkAlerts(host, noon)).toStrictEqual(nothing);
    expect(await ruleIn(store)).toMatchObject({ status: "active", side: "above" });
    prices["RAIN"] = 58;
    expect(await checkAlerts(host, noon)).toStrictEqual({ ...nothing, triggered: 1 });
  });

  test("reads the list of each venue that a rule names once, and asks a market only where something changes", async () => {
    const store = createMemoryStore();
    const [embedded, mirror] = [venueAt({ RAIN: 62, SNOW: 50 }), venueAt({ RAIN: 62 }, "mirror")];
    for (let index = 0; index < 5; index++) {
      await keep(store, { alertRuleId: `alr_${index}`, ticker: "SNOW" });
    }
    await keep(store, { alertRuleId: "alr_9" });
    await checkAlerts({ store, readers: [embedded.reader, mirror.reader] }, noon);
    expect(embedded.asked).toStrictEqual(["rows", "RAIN"]);
    expect(mirror.asked).toStrictEqual([]);
  });

  test("goes over every page of every account", async () => {
    const store = createMemoryStore();
    for (let index = 0; index < 205; index++) await keep(store, { alertRuleId: `alr_${index}` });
    await keep(store, {}, "bob");
    const { reader } = venueAt({ RAIN: 62 });
    const checked = await checkAlerts({ store, readers: [reader] }, noon);
    expect(checked).toStrictEqual({ ...nothing, triggered: 206 });
  });

  test("a rule about a venue that is not read here waits", async () => {
    const store = createMemoryStore();
    await keep(store, { venue: "kalshi" });
    expect(await checkAlerts({ store, readers: [venueAt({}).reader] }, noon)).toStrictEqual(nothing);
    expect(await statusesIn(store)).toMatchObject({ alr_1: "active" });
  });

  test("that is called off changes nothing more, and blames nobody", async () => {
    const store = createMemoryStore();
    await keep(store);
    const ended = new AbortController();
    const reader = failingReader("embedded", new UpstreamError("called off"), {
      rows: async () => {
        ended.abort(new Error("stopped"));
        throw new UpstreamError("called off");
      },
    });
    const check = checkAlerts({ store, readers: [reader] }, noon, ended.signal);
    await expect(check).rejects.toThrow("stopped");
    expect(await statusesIn(store)).toMatchObject({ alr_1: "active" });
  });
});

describe("what fails stops no other, and is named", () => {
  test("B22: a rule that is not what was written", async () => {
    const store = createMemoryStore();
    await keep(store);
    const put = { type: "put", kind: "alert_rule", accountId, expects: 0, status: "active" } as const;
    const other = JSON.stringify({ ...(await ruleIn(store)), status: "ended", alertRuleId: "alr_00" });
    const documents = [
      { ...put, id: "alr_0", body: "{}" },
      { ...put, id: "alr_00", body: other },
    ];
    await store.commit({ durability: "power", now: noon, documents });
    const { reader } = venueAt({ RAIN: 62 });
    expect(await checkAlerts({ store, readers: [reader] }, noon)).toStrictEqual({
      triggered: 1,
      ended: 0,
      failed: ["alr_0", "alr_00"].map((alertRuleId) => ({
        accountId,
        alertRuleId,
        code: "journal_corrupt",
      })),
    });
  });

  test("a venue that does not answer, once for all its rules", async () => {
    const store = createMemoryStore();
    for (const id of [1, 2]) await keep(store, { alertRuleId: `alr_${id}`, venue: "kalshi" });
    await keep(store, { alertRuleId: "alr_3" });
    const down = failingReader("kalshi", new UpstreamError("kalshi: it is down"));
    const checked = await checkAlerts({ store, readers: [venueAt({ RAIN: 62 }).reader, down] }, noon);
    expect(checked).toStrictEqual({
      triggered: 1,
      ended: 0,
      failed: [{ venue: "kalshi", code: "upstream_error" }],
    });
  });

  test("a market that cannot be read", async () => {
    const store = createMemoryStore();
    await keep(store, { alertRuleId: "alr_1", ticker: "TORN" });
    await keep(store, { alertRuleId: "alr_2" });
    const { reader } = venueAt({ TORN: 62, RAIN: 62 });
    const torn = async (ticker: string) => {
      if (ticker === "TORN") throw wrongShape("embedded", "market");
      return await reader.market(ticker);
    };
    const checked = await checkAlerts({ store, readers: [{ ...reader, market: torn }] }, noon);
    const failed = [{ accountId, alertRuleId: "alr_1", code: "upstream_error" }];
    expect(checked).toStrictEqual({ triggered: 1, ended: 0, failed });
  });

  test.each([
    ["was asked too often", new RateLimitedError("embedded: too often")],
    ["is too slow", new TimeoutError("embedded: too slow")],
    ["is down", new UpstreamError("embedded: down")],
  ])("a venue that %s is not asked again in this round", async (_, fault) => {
    const store = createMemoryStore();
    for (const id of [1, 2, 3]) await keep(store, { alertRuleId: `alr_${id}`, ticker: `T${id}` });
    let count = 0;
    const market = () => {
      count += 1;
      return Promise.reject(fault);
    };
    const host = { store, readers: [{ ...venueAt({}).reader, market }] };
    const { failed } = await checkAlerts(host, noon);
    expect(failed.map(({ code }) => code)).toStrictEqual(Array(3).fill(fault.code));
    expect(count).toBe(1);
    await checkAlerts(host, noon);
    expect(count).toBe(2);
  });

  test("a market for which its venue always says no does not keep the others from being asked", async () => {
    const store = createMemoryStore();
    for (const ticker of ["BAD", "RAIN", "SNOW"]) await keep(store, { alertRuleId: `alr_${ticker}`, ticker });
    const { reader, asked } = venueAt({ RAIN: 62, SNOW: 62 });
    const market: VenueReader["market"] = (ticker) => {
      if (ticker !== "BAD") return reader.market(ticker);
      asked.push(ticker);
      return Promise.reject(new TimeoutError("embedded: too slow"));
    };
    const readers = [{ ...reader, market, rows: async () => [] }];
    const host = { store, readers, memory: newAlertMemory() };
    expect(await checkAlerts(host, noon)).toMatchObject({ triggered: 0 });
    expect(asked).toStrictEqual(["BAD"]);
    const failed = [{ accountId, alertRuleId: "alr_BAD", code: "timeout" }];
    expect(await checkAlerts(host, noon + 5_000)).toStrictEqual({ triggered: 2, ended: 0, failed });
    await checkAlerts(host, noon + 30_000);
    expect(asked.filter((ticker) => ticker === "BAD")).toHaveLength(2);
  });
});

/** A real venue that lists none of its markets: each has to be asked. */
function unlisted(over: Partial<VenueReader> = {}) {
  const asked: string[] = [];
  const market: VenueReader["market"] = async (ticker) => {
    asked.push(ticker);
    return { ...sampleRow({ ticker, venue: "kalshi" }), depth: { bids: [], asks: [] }, rules: "" };
  };
  const reader = { ...sampleReader("kalshi", []), synthetic: false, market, ...over };
  return { asked, reader };
}

/** One account has many rules, another few, and a third has one about another venue. */
async function busyStore(): Promise<Store> {
  const store = createMemoryStore();
  for (let index = 0; index < 2 * mostAsked; index++) {
    const name = String(index).padStart(3, "0");
    await keep(store, { alertRuleId: `alr_${name}`, ticker: `ANN-${name}`, venue: "kalshi" });
  }
  for (const id of [1, 2]) {
    await keep(store, { alertRuleId: `alr_${id}`, ticker: `BOB-${id}`, venue: "kalshi" }, "bob");
  }
  await keep(store, {}, "cy");
  return store;
}

describe("a round is bounded, and the next goes on where it left off", () => {
  test("by how often a venue is asked: who has many rules keeps nobody waiting, and each has its turn", async () => {
    const store = await busyStore();
    const { asked, reader } = unlisted();
    const readers = [reader, venueAt({ RAIN: 62 }).reader];
    const host = { store, readers, memory: newAlertMemory() };
    expect(await checkAlerts(host, noon)).toStrictEqual({ ...nothing, triggered: 1 });
    expect(asked).toHaveLength(mostAsked);
    expect(asked.filter((ticker) => ticker.startsWith("BOB"))).toStrictEqual(["BOB-1", "BOB-2"]);
    await checkAlerts(host, noon + 60_000);
    await checkAlerts(host, noon + 120_000);
    expect(new Set(asked).size).toBe(2 * mostAsked + 2);
    expect(asked).toHaveLength(2 * mostAsked + 2);
    await checkAlerts(host, noon + 180_000);
    expect(asked).toHaveLength(3 * mostAsked + 2);
  });

  test("by how long a venue takes", async () => {
    const store = await busyStore();
    const clock = new ManualClock(noon);
    const slow = unlisted();
    const market: VenueReader["market"] = (ticker) => {
      clock.advance(longestAskedMs / 2);
      return slow.reader.market(ticker);
    };
    const host = { store, readers: [{ ...slow.reader, market }], clock, memory: newAlertMemory() };
    await checkAlerts(host, noon);
    await checkAlerts(host, noon + 1);
    expect(slow.asked).toStrictEqual(["ANN-000", "ANN-001", "ANN-002", "ANN-003"]);
  });

  test("and one that was called off is begun anew", async () => {
    const store = await busyStore();
    const ended = new AbortController();
    const { asked, reader } = unlisted();
    const market: VenueReader["market"] = (ticker) => {
      if (asked.length === 2) ended.abort(new Error("stopped"));
      return reader.market(ticker);
    };
    const host = { store, readers: [{ ...reader, market }], memory: newAlertMemory() };
    await expect(checkAlerts(host, noon, ended.signal)).rejects.toThrow("stopped");
    await checkAlerts(host, noon + 60_000);
    expect(asked.slice(0, 5)).toStrictEqual(["ANN-000", "ANN-001", "ANN-002", "ANN-000", "ANN-001"]);
  });
});

describe("A2: a list that is older than what somebody has written", () => {
  test("changes nothing: the market is asked itself", async () => {
    const store = createMemoryStore();
    await keep(store, { when: { ...over60, direction: "down" } });
    const now = venueAt({ RAIN: 62 });
    await checkAlerts({ store, readers: [now.reader] }, noon);
    expect(await ruleIn(store)).toMatchObject({ side: "above" });
    const before = [sampleRow({ lastCents: 58 })];
    const late = { ...now.reader, rows: () => Promise.resolve(before) };
    expect(await checkAlerts({ store, readers: [late] }, noon)).toStrictEqual(nothing);
    expect(await ruleIn(store)).toMatchObject({ status: "active", side: "above" });
  });

  test("a look that somebody overtook while it was under way is lost", async () => {
    const store = createMemoryStore();
    await keep(store, { when: { ...over60, direction: "either" } });
    const { reader } = venueAt({ RAIN: 62 });
    const market: VenueReader["market"] = async (ticker) => {
      const seen = await reader.market(ticker);
      await checkAlerts({ store, readers: [reader] }, noon + 1);
      return seen;
    };
    const checked = await checkAlerts({ store, readers: [{ ...reader, market }] }, noon + 2);
    expect(checked).toStrictEqual(nothing);
    expect(await ruleIn(store)).toMatchObject({ status: "triggered", triggeredAt: noon + 1 });
  });
});

test("an account that makes a rule at the same moment does not keep another from being triggered", async () => {
  const inner = createMemoryStore();
  await keep(inner);
  const store = new FaultyStore(inner);
  const another = () => keep(inner, { alertRuleId: "alr_2", when: { ...over60, priceCents: 70 } });
  store.fault = (_, index) => (index === 0 ? { type: "wait", for: another() } : undefined);
  const { reader } = venueAt({ RAIN: 62 });
  expect(await checkAlerts({ store, readers: [reader] }, noon)).toStrictEqual({ ...nothing, triggered: 1 });
  expect(store.units).toHaveLength(1);
  expect(await statusesIn(inner)).toStrictEqual({ alr_1: "triggered", alr_2: "active" });
});

const faults = [
  { name: "dies before", fault: { type: "die", written: false } },
  { name: "dies after", fault: { type: "die", written: true } },
  { name: "is refused by the disk at", fault: { type: "throw" } },
  { name: "loses the answer to", fault: { type: "lost" } },
] as const satisfies readonly { readonly name: string; readonly fault: Fault }[];

test.each(faults)(
  "A1: a process that $name its write leaves a rule that is triggered once",
  async ({ fault }) => {
    const store = new FaultyStore(createMemoryStore());
    await keep(store);
    const { reader } = venueAt({ RAIN: 62 });
    store.failNext(fault);
    const check = checkAlerts({ store, readers: [reader] }, noon + 1).then(({ failed }) => failed.length);
    const failures = await Promise.race([check, store.died.promise]);
    expect(failures).toBe(fault.type === "die" ? undefined : 1);
    const wasWritten = fault.type === "lost" || (fault.type === "die" && fault.written);
    const next = await checkAlerts({ store: store.inner, readers: [reader] }, noon + 2);
    expect(next).toStrictEqual({ ...nothing, triggered: wasWritten ? 0 : 1 });
    expect(await ruleIn(store.inner)).toMatchObject({
      status: "triggered",
      triggeredAt: wasWritten ? noon + 1 : noon + 2,
    });
  },
);

/** What three processes on one store make of twenty rules at once, and how often each was written. */
async function checkFromThree(store: Store) {
  for (let index = 0; index < 20; index++) await keep(store, { alertRuleId: `alr_${index}` });
  const { reader } = venueAt({ RAIN: 62 });
  const rounds = [1, 2, 3].map((later) => checkAlerts({ store, readers: [reader] }, noon + later));
  const checked = await Promise.all(rounds);
  const found = await store.documents({ kind: "alert_rule", accountId, status: "triggered", limit: 100 });
  return {
    triggered: checked.reduce((sum, { triggered }) => sum + triggered, 0),
    failed: checked.flatMap(({ failed }) => failed),
    revisions: found.map(({ revision }) => revision),
  };
}

const eachOnce = {
  triggered: 20,
  failed: [],
  revisions: Array.from({ length: 20 }, () => 2),
};

test("A1: several at once trigger each rule once", async () => {
  expect(await checkFromThree(createMemoryStore())).toStrictEqual(eachOnce);
});

test("A1: several at once on a database trigger each rule once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sf-alerts-"));
  const store = await openSqliteStore({ folder });
  try {
    expect(await checkFromThree(store)).toStrictEqual(eachOnce);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
});

describe("what rounds remember", () => {
  test("a market that no list has is asked for every half minute, and again before anything changes", async () => {
    const store = createMemoryStore();
    await keep(store);
    const { reader, asked, prices } = venueAt({ RAIN: 50 });
    const host = { store, readers: [{ ...reader, rows: async () => [] }], memory: newAlertMemory() };
    for (const later of [0, 10_000, 29_999]) await checkAlerts(host, noon + later);
    expect(asked).toStrictEqual(["RAIN"]);
    prices["RAIN"] = 62;
    await checkAlerts(host, noon + 30_000);
    expect(asked).toStrictEqual(["RAIN", "RAIN", "RAIN"]);
    expect(await statusesIn(store)).toMatchObject({ alr_1: "triggered" });
  });

  test("the price some time ago is asked for once for each candle, however many rules wait", async () => {
    const store = createMemoryStore();
    const ranges: unknown[] = [];
    const candle = { openCents: 45, highCents: 45, lowCents: 45, closeCents: 45, volume: 1 };
    const { reader, prices } = venueAt({ RAIN: 50 }, "embedded", {
      candles: async (_, range) => {
        ranges.push(range);
        return [{ at: range.to - intervalMs[range.interval], ...candle }];
      },
    });
    const when = { type: "move", moveCents: 10, withinMinutes: 60 } as const;
    for (const id of [1, 2]) await keep(store, { alertRuleId: `alr_${id}`, when });
    const host = { store, readers: [reader], memory: newAlertMemory() };
    for (const later of [0, 100_000, 299_999])
      expect(await checkAlerts(host, noon + later)).toStrictEqual(nothing);
    const minute = 60_000;
    const at = noon - 60 * minute;
    expect(ranges).toStrictEqual([{ interval: "5m", from: at - 50 * minute, to: at + 5 * minute }]);
    prices["RAIN"] = 35;
    expect(await checkAlerts(host, noon + 300_000)).toStrictEqual({ ...nothing, triggered: 2 });
    expect(ranges).toHaveLength(2);
  });
});
