import { UpstreamError } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { governedDesk } from "../../test-data/governed-desk.ts";
import { tradingDesk } from "../../test-data/trading-desk.ts";
import { until } from "../../test-data/waiting.ts";
import { tendMarkets } from "../tend-markets.ts";
import type { MarketsHost } from "../tools/markets-host.ts";
import { openWorld } from "../world/open-world.ts";

const when = { type: "price_crosses", priceCents: 60, direction: "up" } as const;

async function statusOf({ store }: MarketsHost): Promise<string | undefined> {
  const found = await store.documents({ kind: "alert_rule", accountId: "ann", limit: 9 });
  return found[0]?.status;
}

test("tending triggers a rule once its price is there, and nobody has to ask", async () => {
  const desk = tradingDesk();
  const { clock } = desk.prices;
  await governedDesk(desk).call("alerts.create", { ticker: "RAIN", when });
  const stop = tendMarkets(desk, openWorld(desk));
  await until(() => clock.waiting === 1);
  expect(await statusOf(desk)).toBe("active");
  desk.prices.move(62);
  await until(async () => {
    // A check that began before the move may still be under way; a later round begins the next.
    if (clock.waiting === 1) clock.advance(5000);
    return (await statusOf(desk)) === "triggered";
  });
  await stop();
});

test("a venue that is slow to answer for one market holds up no round, is asked by one check at a time, and is left at the end", async () => {
  const desk = tradingDesk();
  const { clock } = desk.prices;
  await governedDesk(desk).call("alerts.create", { ticker: "RAIN", venue: "kalshi", when });
  desk.prices.move(62);
  let asked = 0;
  let isLeft = false;
  const slow: MarketsHost["readers"][number]["market"] = (_, signal) => {
    asked += 1;
    const { promise, reject } = Promise.withResolvers<never>();
    const leave = () => {
      isLeft = true;
      reject(new UpstreamError("kalshi: called off"));
    };
    signal?.addEventListener("abort", () => setImmediate(leave));
    return promise;
  };
  const readers = desk.readers.map((reader) =>
    reader.venue === "kalshi" ? { ...reader, market: slow } : reader,
  );
  const told: unknown[] = [];
  const host = { ...desk, readers };
  const stop = tendMarkets(host, openWorld(host), { onFault: (what) => told.push(what) });
  for (const _ of [1, 2, 3]) {
    await until(() => clock.waiting === 1 && asked === 1);
    clock.advance(5000);
  }
  await until(() => clock.waiting === 1);
  await stop();
  expect([asked, isLeft, told]).toStrictEqual([1, true, []]);
  expect(await statusOf(desk)).toBe("active");
});

test("tending tells of a rule that could not be looked at", async () => {
  const desk = tradingDesk();
  await governedDesk(desk).call("alerts.create", { ticker: "RAIN", when });
  const key = { kind: "alert_rule", accountId: "ann", id: "alr_0" };
  const documents = [{ type: "put", ...key, expects: 0, status: "active", body: "{}" } as const];
  await desk.store.commit({ durability: "power", now: desk.clock.now(), documents });
  const told: unknown[] = [];
  const stop = tendMarkets(desk, openWorld(desk), { onFault: (...fault) => told.push(fault) });
  await until(() => told.length > 0);
  await stop();
  const failed = { accountId: "ann", alertRuleId: "alr_0", code: "journal_corrupt" };
  expect(told).toStrictEqual([["alerts", failed]]);
});
