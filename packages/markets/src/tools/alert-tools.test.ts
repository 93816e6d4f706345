import { UpstreamError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { failureOf, governedDesk, tradingPolicy } from "../../test-data/governed-desk.ts";
import { day } from "../../test-data/quiet-markets.ts";
import { failingReader } from "../../test-data/sample-world.ts";
import { tradingDesk } from "../../test-data/trading-desk.ts";
import { mostAlertRules } from "../saved/alert-rule.ts";
import { checkAlerts } from "../saved/check-alerts.ts";
import type { MarketDetail } from "../venue/market.ts";
import type { VenueReader } from "../venue/venue-reader.ts";

type Rule = { readonly alertRuleId: string; readonly status: string };
type Page = { readonly items: readonly Rule[]; readonly next?: string };

const outputOf = async <Output>(call: Promise<{ output: unknown }>) => (await call).output as Output;
const when = { type: "price_crosses", priceCents: 60, direction: "up" } as const;
const soon = { type: "closing_soon", withinMinutes: 1 } as const;
const isoOf = (at: number) => new Date(at).toISOString();

describe("an alert rule", () => {
  test.each([
    [when],
    [{ type: "move", moveCents: 10, withinMinutes: 60 }],
    [{ type: "closing_soon", withinMinutes: 120 }],
  ])("%j is kept as it was given, and listed", async (condition) => {
    const desk = tradingDesk();
    const governed = governedDesk(desk, { maxSideEffect: "user_write" });
    const { alertRule } = await outputOf<{ alertRule: Rule }>(
      governed.call("alerts.create", { ticker: "RAIN", when: condition }),
    );
    expect(alertRule).toStrictEqual({
      alertRuleId: expect.stringMatching(/^alr_/),
      venue: "embedded",
      ticker: "RAIN",
      when: condition,
      status: "active",
      createdAt: isoOf(desk.clock.now()),
    });
    expect(await outputOf(governed.call("alerts.list"))).toStrictEqual({ items: [alertRule] });
    const bob = governedDesk(desk, tradingPolicy, "bob");
    expect(await outputOf(bob.call("alerts.list"))).toStrictEqual({ items: [] });
  });

  test("that was met is listed with its time and its price, and stays so", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const { alertRule } = await outputOf<{ alertRule: Rule }>(
      governed.call("alerts.create", { ticker: "RAIN", when }),
    );
    desk.prices.move(62);
    const metAt = desk.clock.now();
    await checkAlerts(desk, metAt);
    const met = { ...alertRule, status: "triggered", triggeredAt: isoOf(metAt), priceCents: 61 };
    expect(await outputOf(governed.call("alerts.list"))).toStrictEqual({ items: [met] });
    desk.prices.move(40);
    await checkAlerts(desk, desk.clock.now());
    desk.prices.move(70);
    await checkAlerts(desk, desk.clock.now());
    expect(await outputOf(governed.call("alerts.list"))).toStrictEqual({ items: [met] });
  });

  test("is listed by what became of it, page by page, each once", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const made: string[] = [];
    for (let index = 0; index < 6; index++) {
      const priceCents = index % 2 === 0 ? 60 : 90;
      const { alertRule } = await outputOf<{ alertRule: Rule }>(
        governed.call("alerts.create", { ticker: "RAIN", when: { ...when, priceCents } }),
      );
      made.push(alertRule.alertRuleId);
    }
    desk.prices.move(70);
    await checkAlerts(desk, desk.clock.now());
    const listed = async (filter: object): Promise<readonly Rule[][]> => {
      const pages: Rule[][] = [];
      let next: string | undefined;
      do {
        const after = next === undefined ? {} : { after: next };
        const page: Page = await outputOf(governed.call("alerts.list", { limit: 3, ...filter, ...after }));
        pages.push([...page.items]);
        next = page.next;
      } while (next !== undefined);
      return pages;
    };
    const shapes = await Promise.all([
      listed({}),
      listed({ status: "triggered" }),
      listed({ status: "active" }),
      listed({ status: "ended" }),
    ]);
    expect(shapes.map((pages) => pages.map((page) => page.length))).toStrictEqual([[3, 3], [3], [3], [0]]);
    const [all = [], met = [], waiting = []] = shapes.map((pages) => pages.flat());
    expect(all.map(({ alertRuleId }) => alertRuleId)).toStrictEqual(made.toSorted());
    expect(new Set(met.map(({ status }) => status))).toStrictEqual(new Set(["triggered"]));
    expect([...met, ...waiting].map(({ alertRuleId }) => alertRuleId).toSorted()).toStrictEqual(
      made.toSorted(),
    );
  });

  test.each([
    ["of an unknown kind", { type: "full_moon" }],
    ["at a price that nothing has", { ...when, priceCents: 100 }],
    ["with something of another kind", { ...when, withinMinutes: 5 }],
    ["without its price", { type: "price_crosses", direction: "up" }],
  ])("%s is refused", async (_, condition) => {
    const governed = governedDesk(tradingDesk());
    const call = governed.call("alerts.create", { ticker: "RAIN", when: condition });
    expect((await failureOf(call)).code).toBe("invalid_input");
  });

  test.each([
    ["that there is not", { ticker: "HAIL" }, "not_found"],
    ["of a venue that nobody knows", { ticker: "RAIN", venue: "moon" }, "invalid_input"],
    [
      "of a venue that is not read here",
      { ticker: "RAIN", venue: "polymarket" },
      "host_configuration_needed",
    ],
    ["of a venue that does not answer", { ticker: "RAIN", venue: "kalshi" }, "upstream_error"],
  ])("about a market %s is refused, and nothing is kept", async (_, market, code) => {
    const desk = tradingDesk();
    const down = failingReader("kalshi", new UpstreamError("kalshi: it is down"));
    const readers = desk.readers.map((reader) => (reader.venue === "kalshi" ? down : reader));
    const governed = governedDesk({ ...desk, readers });
    expect((await failureOf(governed.call("alerts.create", { ...market, when }))).code).toBe(code);
    expect(await desk.store.documents({ kind: "alert_rule", accountId: "ann", limit: 9 })).toStrictEqual([]);
  });

  test("about a market that has closed is refused: it could never be met", async () => {
    const desk = tradingDesk();
    desk.prices.clock.jump(day);
    const failure = await failureOf(governedDesk(desk).call("alerts.create", { ticker: "RAIN", when }));
    expect(failure).toMatchObject({ code: "invalid_input", message: expect.stringContaining("has closed") });
  });

  test.each([
    ["that is still open after its time is kept", "open", 2 * day],
    ["that is paused is kept", "closed", 0],
  ] as const)("about a market %s: its venue says when it is over", async (_, status, later) => {
    const desk = tradingDesk();
    const [embedded] = desk.readers;
    const seen = await embedded?.market("RAIN");
    const market = async () => seen && ({ ...seen, status } satisfies MarketDetail);
    const readers = desk.readers.map((reader) => ({ ...reader, market }));
    desk.prices.clock.jump(later);
    const call = governedDesk({ ...desk, readers }).call("alerts.create", { ticker: "RAIN", when });
    expect(await outputOf(call)).toMatchObject({ alertRule: { status: "active" } });
  });

  test("made ten times at once is ten rules", async () => {
    const desk = tradingDesk();
    const [embedded] = desk.readers;
    const together = Promise.withResolvers<MarketDetail | undefined>();
    let asked = 0;
    const market: VenueReader["market"] = async (ticker) => {
      asked += 1;
      if (asked === 10) together.resolve(embedded?.market(ticker));
      return await together.promise;
    };
    const governed = governedDesk({
      ...desk,
      readers: desk.readers.map((reader) => ({ ...reader, market })),
    });
    const calls = Array.from({ length: 10 }, () => governed.call("alerts.create", { ticker: "RAIN", when }));
    await Promise.all(calls);
    expect((await outputOf<Page>(governed.call("alerts.list"))).items).toHaveLength(10);
  });

  test(`is one of at most ${mostAlertRules} that wait, and one that is met makes room`, async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk);
    const create = (priceCents: number) =>
      governed.call("alerts.create", { ticker: "RAIN", when: { ...when, priceCents } });
    await create(60);
    await create(90);
    const key = { kind: "alert_rule", accountId: "ann" };
    const [waiting] = await desk.store.documents({ ...key, limit: 9 });
    const documents = Array.from({ length: mostAlertRules - 2 }, (_, index) => {
      const alertRuleId = `alr_more_${index}`;
      const body = JSON.stringify({
        ...JSON.parse(waiting?.body ?? ""),
        alertRuleId,
        ticker: "SNOW",
        when: soon,
      });
      return { type: "put", ...key, id: alertRuleId, expects: 0, status: "active", body } as const;
    });
    await desk.store.commit({ durability: "power", now: desk.clock.now(), documents });
    const failure = await failureOf(create(60));
    expect(failure).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(`has ${mostAlertRules} alert rules`),
    });
    desk.prices.move(70);
    expect(await checkAlerts(desk, desk.clock.now())).toStrictEqual({ triggered: 1, ended: 0, failed: [] });
    await create(90);
    expect((await failureOf(create(90))).code).toBe("invalid_input");
  });

  test("that a policy refuses is not kept", async () => {
    const desk = tradingDesk();
    const governed = governedDesk(desk, { maxSideEffect: "none" });
    const failure = await failureOf(governed.call("alerts.create", { ticker: "RAIN", when }));
    expect(failure.code).toBe("policy_denied");
    expect(await desk.store.documents({ kind: "alert_rule", accountId: "ann", limit: 9 })).toStrictEqual([]);
  });
});
