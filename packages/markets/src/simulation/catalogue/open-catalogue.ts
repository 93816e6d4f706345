import type { MarketLife } from "../market-life.ts";
import { rememberFew } from "../remember-few.ts";
import { type SimulatedMarket, tickMs } from "../simulated-market.ts";
import { afterLastClose, closeOf, dayOfCode, firstClose, firstClosingAfter, openAtOnce } from "./calendar.ts";
import { eventMarkets } from "./event-markets.ts";
import { listSeries, type Series } from "./series.ts";

export type Catalogue = {
  readonly openAt: (tick: number) => readonly SimulatedMarket[];
  readonly find: (ticker: string) => SimulatedMarket | undefined;
  /** Nothing for what is no market of this catalogue. */
  readonly lifeOf: (market: SimulatedMarket) => MarketLife | undefined;
};

const tickerForm = /^([A-Z]{2,9}-[A-Z]{2,4}[0-9]{0,5})-([0-9]{2}[A-Z]{3}[0-9]{2})-T[0-9P]{1,12}$/;

export function openCatalogue(seedKey: number, count: number): Catalogue {
  const lives = new WeakMap<SimulatedMarket, MarketLife>();
  const calendars = listSeries(seedKey, count).map((series) => openCalendar(series, seedKey, lives));
  const byCode = new Map(calendars.map((calendar) => [calendar.series.code, calendar]));

  const find = (ticker: string): SimulatedMarket | undefined => {
    const [, code = "", date = ""] = tickerForm.exec(ticker) ?? [];
    return byCode
      .get(code)
      ?.closingOn(date)
      .find((market) => market.ticker === ticker);
  };
  return {
    openAt: rememberFew(4, (tick) => calendars.flatMap((calendar) => calendar.openAt(tick * tickMs))),
    find,
    lifeOf: (market) => {
      const known = lives.get(market);
      if (known !== undefined) return known;
      const found = find(market.ticker);
      return found && lives.get(found);
    },
  };
}

function openCalendar(series: Series, seedKey: number, lives: WeakMap<SimulatedMarket, MarketLife>) {
  const { rhythm } = series;
  const marketsOf = rememberFew(4, (nth: number): readonly SimulatedMarket[] => {
    const close = closeOf(rhythm, nth);
    if (!(close >= firstClose && close < afterLastClose)) return [];
    return eventMarkets(seedKey, series, nth).map(({ market, life }) => {
      lives.set(market, life);
      return market;
    });
  });
  let since = 0;
  let until = 0;
  let open: readonly SimulatedMarket[] = [];
  return {
    series,
    openAt: (ms: number): readonly SimulatedMarket[] => {
      if (ms >= since && ms < until) return open;
      if (!(ms >= firstClose && ms < afterLastClose)) return [];
      const nth = firstClosingAfter(rhythm, ms);
      since = closeOf(rhythm, nth - 1);
      until = closeOf(rhythm, nth);
      open = Array.from({ length: openAtOnce[rhythm.cadence] }, (_, at) => marketsOf(nth + at))
        .flat()
        .toSorted((a, b) => (a.ticker < b.ticker ? -1 : 1));
      return open;
    },
    /** The markets that close on the day of a date code. */
    closingOn: (date: string): readonly SimulatedMarket[] => {
      const day = dayOfCode(date);
      return day === undefined ? [] : marketsOf(firstClosingAfter(rhythm, day - 1));
    },
  };
}
