import type { Outcome } from "../../venue/market.ts";
import { drawWidth, type MarketLife } from "../market-life.ts";
import { fraction, mix, mixText } from "../noise.ts";
import { drawPath, drawStrike, type EventPath, fairCents } from "../price-path.ts";
import { type SimulatedMarket, tickAt } from "../simulated-market.ts";
import { closeOf, dateCode, dateText, openAtOnce, timeText } from "./calendar.ts";
import type { Series } from "./series.ts";
import { drawThresholds, tickerNumber, writeThreshold } from "./threshold.ts";

export const embeddedVenue = "embedded";

export type LivingMarket = { readonly market: SimulatedMarket; readonly life: MarketLife };

type Event = {
  readonly series: Series;
  readonly code: string;
  readonly opensAt: number;
  readonly closesAt: number;
  readonly path: EventPath;
};

/** The markets of the nth event of a series, in the order of their tickers. */
export function eventMarkets(seedKey: number, series: Series, nth: number): readonly LivingMarket[] {
  const event = eventOf(seedKey, series, nth);
  const { path } = event;
  const describe = describer(event);
  const thresholds = drawThresholds(series.template, series.subject, path.key);
  const markets = thresholds.map((threshold, at): LivingMarket => {
    const strike = drawStrike(path, (at - (thresholds.length - 1) / 2) * path.gap);
    const market = describe(threshold, strike.outcome);
    return { market, life: lifeOf(event, market.ticker, (tick) => fairCents(strike, tick)) };
  });
  return markets.toSorted((a, b) => (a.market.ticker < b.market.ticker ? -1 : 1));
}

function eventOf(seedKey: number, series: Series, nth: number): Event {
  const opensAt = closeOf(series.rhythm, nth - openAtOnce[series.rhythm.cadence]);
  const closesAt = closeOf(series.rhythm, nth);
  const code = `${series.code}-${dateCode(closesAt)}`;
  const path = drawPath({
    key: mixText(seedKey, code),
    openTick: tickAt(opensAt),
    closeTick: tickAt(closesAt),
    categoryKey: mixText(seedKey, `category ${series.category}`),
    regionKey: mixText(seedKey, `region ${series.subject.region}`),
  });
  return { series, code, opensAt, closesAt, path };
}

/** What the strikes of an event have in common is written once. */
function describer({ series, code, opensAt, closesAt }: Event) {
  const { category, template, subject } = series;
  const what = template.what(subject.name);
  const when = `${template.when} ${dateText(closesAt)}`;
  const how = `as it stands at ${timeText(closesAt)}, and no otherwise. No real reading is used: the result is drawn by the embedded venue, and the market is simulated.`;
  return (threshold: number, outcome: Outcome): SimulatedMarket => {
    const claim = `${template.verb} ${writeThreshold(threshold, template)} ${when}`;
    return {
      venue: embeddedVenue,
      ticker: `${code}-T${tickerNumber(threshold, template)}`,
      event: code,
      title: `Will ${what} ${claim}?`,
      category,
      region: subject.region,
      tags: series.tags,
      opensAt,
      closesAt,
      synthetic: true,
      rules: `This market pays yes if ${what} should ${claim}, ${how}`,
      outcome,
    };
  };
}

/** Some series are far more popular than others, and so are some strikes. */
function lifeOf({ series, path }: Event, ticker: string, fairAt: MarketLife["fairAt"]): MarketLife {
  const key = mixText(path.key, ticker);
  const popularity = fraction(mix(series.key, 0x2000));
  return {
    key,
    openTick: path.openTick,
    closeTick: path.closeTick,
    liquidity: 2 + popularity * popularity * popularity * 400 * (0.4 + fraction(mix(key, 0x2001))),
    categoryKey: path.categoryKey,
    width: drawWidth(path.key),
    widthKey: mix(path.key, 0x2002),
    fairAt,
  };
}
