import type { MarketLife } from "../market-life.ts";
import { rememberFew } from "../remember-few.ts";
import { type SimulatedMarket, tickMs } from "../simulated-market.ts";
import { afterLastClose, closeOf, dayOfCode, firstClose, firstClosingAfter, openAtOnce } from "./calendar.ts";
import { eventMarkets, type LivingMarket } from "./event-markets.ts";
import { listSeries, type Series } from "./series.ts";

export type Catalogue = {
  readonly openAt: (tick: number) => readonly SimulatedMarket[];
  /** The same markets, each with its life. */
  readonly livingAt: (tick: number) => readonly LivingMarket[];
  readonly find: (ticker: string) => SimulatedMarket | undefined;
  /** Nothing for what is no market of this catalogue. */
  readonly lifeOf: (market: SimulatedMarket) => MarketLife | undefined;
};

const tickerForm = /^([A-Z]{2,9}-[A-Z]{2,4}[0-9]{0,5})-([0-9]{2}[A-Z]{3}[0-9]{2})-T[0-9P]{1,12}$/;

export function openCatalogue(seedKey: number, count: number): Catalogue {
  const calendars = listSeries(seedKey, count).map((series) => openCalendar(series, seedKey));
  const byCode = new Map(calendars.map((calendar) => [calendar.series.code, calendar]));
  const lives = new WeakMap<SimulatedMarket, MarketLife>();

  const find = (ticker: string): LivingMarket | undefined => {
    const [, code = "", date = ""] = tickerForm.exec(ticker) ?? [];
    return byCode
      .get(code)
      ?.closingOn(date)
      .find(({ market }) => market.ticker === ticker);
  };
  const livingAt = rememberFew(4, (tick: number) =>
    calendars.flatMap((calendar) => calendar.openAt(tick * tickMs)),
  );
  return {
    livingAt,
    openAt: rememberFew(4, (tick) => livingAt(tick).map(({ market }) => market)),
    find: (ticker) => find(ticker)?.market,
    lifeOf: (market) => {
      const life = lives.get(market) ?? find(market.ticker)?.life;
      if (life !== undefined) lives.set(market, life);
      return life;
    },
  };
}

function openCalendar(series: Series, seedKey: number) {
  const { rhythm } = series;
  const marketsOf = rememberFew(4, (nth: number): readonly LivingMarket[] => {
    const close = closeOf(rhythm, nth);
    return close >= firstClose && close < afterLastClose ? eventMarkets(seedKey, series, nth) : [];
  });
  let since = 0;
  let until = 0;
  let open: readonly LivingMarket[] = [];
  return {
    series,
    openAt: (ms: number): readonly LivingMarket[] => {
      if (ms >= since && ms < until) return open;
      if (!(ms >= firstClose && ms < afterLastClose)) return [];
      const nth = firstClosingAfter(rhythm, ms);
      since = closeOf(rhythm, nth - 1);
      until = closeOf(rhythm, nth);
      open = Array.from({ length: openAtOnce[rhythm.cadence] }, (_, at) => marketsOf(nth + at))
        .flat()
        .toSorted((a, b) => (a.market.ticker < b.market.ticker ? -1 : 1));
      return open;
    },
    /** The markets that close on the day of a date code. */
    closingOn: (date: string): readonly LivingMarket[] => {
      const day = dayOfCode(date);
      return day === undefined ? [] : marketsOf(firstClosingAfter(rhythm, day - 1));
    },
  };
}
