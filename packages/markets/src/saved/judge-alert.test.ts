import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hour, noon, sampleRow } from "../../test-data/sample-world.ts";
import type { MarketRow } from "../venue/market.ts";
import type { AlertRule } from "./alert-rule.ts";
import { judgeAlert, newAlertRule } from "./judge-alert.ts";

const at = (lastCents: number | null, over: Partial<MarketRow> = {}) =>
  sampleRow({ lastCents, bidCents: null, askCents: null, ...over });

function ruleOf(when: AlertRule["when"], market: MarketRow = at(41)): AlertRule {
  const facts = { alertRuleId: "alr_1", venue: "embedded", ticker: "RAIN", when, createdAt: noon };
  return newAlertRule(facts, market);
}

const nobodyKnows = () => Promise.resolve(undefined);

/** The places in a row of prices at which a rule is met, looked at one after the other; it can be at most one. */
async function metAt(when: AlertRule["when"], prices: readonly (number | null)[]): Promise<number[]> {
  let rule = ruleOf(when, at(prices[0] ?? null));
  const places: number[] = [];
  for (const [place, price] of prices.entries()) {
    if (rule.status !== "active") break;
    rule = (await judgeAlert(rule, at(price), noon + place, nobodyKnows)) ?? rule;
    if (rule.status === "triggered") places.push(place);
  }
  return places;
}

const crossing = (direction: "up" | "down" | "either", priceCents = 50) =>
  ({ type: "price_crosses", priceCents, direction }) as const;

describe("a price that is to be crossed", () => {
  test.each([
    ["up", [40, 49, 50], [2]],
    ["up", [40, 60], [1]],
    ["up", [60, 70, 50, 51], []],
    ["up", [60, 40, 45, 50], [3]],
    ["up", [50, 51, 49, 50], [3]],
    ["down", [60, 51, 50], [2]],
    ["down", [40, 30, 50, 49], []],
    ["down", [40, 60, 40], [2]],
    ["either", [40, 50], [1]],
    ["either", [60, 50], [1]],
    ["either", [50, 60, 50], [2]],
    ["up", [null, null, 60, 40, 60], [4]],
    ["up", [40, null, 60], [2]],
  ] as const)("%s, over the prices %j, is met at %j", async (direction, prices, places) => {
    expect(await metAt(crossing(direction), prices)).toStrictEqual([...places]);
  });

  test("is met, for any prices, where one comes to it or over it from the other side, and not before", async () => {
    const price = fc.integer({ min: 45, max: 55 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(price, { minLength: 1, maxLength: 12 }),
        fc.constantFrom("up", "down", "either"),
        async (prices, direction) => {
          const expected = prices.findIndex((now, place) => {
            const before = prices[place - 1] ?? now;
            const isUp = before < 50 && now >= 50;
            const isDown = before > 50 && now <= 50;
            return (isUp && direction !== "down") || (isDown && direction !== "up");
          });
          expect(await metAt(crossing(direction), prices)).toStrictEqual(expected === -1 ? [] : [expected]);
        },
      ),
    );
  });

  test("changes nothing of a rule while it stays on its side, and only the side when it goes the other way", async () => {
    const rule = ruleOf(crossing("up"), at(60));
    expect(rule).toStrictEqual({
      alertRuleId: "alr_1",
      venue: "embedded",
      ticker: "RAIN",
      when: crossing("up"),
      createdAt: noon,
      status: "active",
      closesAt: sampleRow().closesAt,
      side: "above",
    });
    expect(await judgeAlert(rule, at(99), noon, nobodyKnows)).toBeUndefined();
    const below = await judgeAlert(rule, at(49), noon, nobodyKnows);
    expect(below).toStrictEqual({ ...rule, side: "below" });
    expect(await judgeAlert({ ...rule, side: "below" }, at(51), noon + 1, nobodyKnows)).toStrictEqual({
      ...rule,
      side: "above",
      status: "triggered",
      triggeredAt: noon + 1,
      priceCents: 51,
    });
  });
});

describe("a move", () => {
  const rule = ruleOf({ type: "move", moveCents: 10, withinMinutes: 60 });

  test.each([
    [41, 31, true],
    [41, 51, true],
    [41, 32, false],
    [41, 50, false],
    [41, undefined, false],
    [null, 41, false],
  ])("to %s from %s is met: %s", async (price, before, isMet) => {
    const asked: number[] = [];
    const next = await judgeAlert(rule, at(price), noon, (minutes) => {
      asked.push(minutes);
      return Promise.resolve(before);
    });
    expect(next?.status === "triggered").toBe(isMet);
    expect(asked).toStrictEqual(price === null ? [] : [60]);
  });
});

describe("closing soon", () => {
  const market = at(null, { closesAt: noon + hour });
  const rule = ruleOf({ type: "closing_soon", withinMinutes: 60 }, market);

  test("is met from so many minutes before the close, also where nobody knows a price", async () => {
    expect(await judgeAlert(rule, market, noon - 1, nobodyKnows)).toBeUndefined();
    expect(await judgeAlert(rule, market, noon, nobodyKnows)).toStrictEqual({
      ...rule,
      status: "triggered",
      triggeredAt: noon,
    });
  });
});

describe("a rule whose market", () => {
  const closesAt = noon + hour;
  const here = (over: Partial<MarketRow> = {}) => at(41, { closesAt, ...over });
  const rules = [ruleOf(crossing("up"), here()), ruleOf({ type: "closing_soon", withinMinutes: 1 }, here())];
  const judged = (market: MarketRow | undefined, now: number) =>
    Promise.all(rules.map((rule) => judgeAlert(rule, market, now, nobodyKnows)));
  const ended = rules.map((rule) => ({ ...rule, status: "ended" }));

  test.each([
    ["is settled, whenever that is", here({ status: "settled", outcome: "yes" }), noon],
    ["has closed, and its time is over", here({ status: "closed" }), closesAt],
    ["its venue does not know, once its time is over", undefined, closesAt],
  ])("%s ends, whatever it waits for", async (_, market, now) => {
    expect(await judged(market, now)).toStrictEqual(ended);
  });

  test.each([
    ["is closed before its time, as one that is paused is,", here({ status: "closed" }), noon],
    ["its venue does not know, before its time is over,", undefined, closesAt - 1],
    ["has yet to open", here({ status: "upcoming" }), noon],
  ])("%s waits", async (_, market, now) => {
    expect((await judged(market, now))[0]).toBeUndefined();
  });

  test("goes on after a pause is met like any other", async () => {
    const [rule] = rules;
    const met = rule && (await judgeAlert(rule, here({ lastCents: 55 }), noon, nobodyKnows));
    expect(met?.status).toBe("triggered");
  });

  test("is open after its time is over goes on: its venue says when it closes", async () => {
    const [rule] = rules;
    if (rule === undefined) throw new Error("there is one");
    expect(await judgeAlert(rule, here(), closesAt + hour, nobodyKnows)).toBeUndefined();
    const met = await judgeAlert(rule, here({ lastCents: 55 }), closesAt + hour, nobodyKnows);
    expect(met?.status).toBe("triggered");
  });

  test("closes at another time than it was to remembers that", async () => {
    const [rule] = rules;
    if (rule === undefined) throw new Error("there is one");
    const later = await judgeAlert(rule, here({ closesAt: closesAt + hour }), noon, nobodyKnows);
    expect(later).toStrictEqual({ ...rule, closesAt: closesAt + hour });
    expect(later && (await judgeAlert(later, undefined, closesAt, nobodyKnows))).toBeUndefined();
  });
});
