// V1: what is traded from one tick to another is a formula, and exactly the sum of what each tick trades.
// V2: the first and the last open tick always trade, and so does every hour that is open from end to end.

import { isOpenAt, type MarketLife } from "./market-life.ts";
import { fraction, mix } from "./noise.ts";
import { isQuiet, shockAt } from "./shocks.ts";

const hourTicks = 60;
export const dayTicks = 1440;

/** How the trades of an hour spread over its minutes: what has gone before each minute, and in all. */
const rhythms: readonly Readonly<Uint32Array>[] = Array.from({ length: 32 }, (_, rhythm) => {
  const before = new Uint32Array(hourTicks + 1);
  for (let minute = 0; minute < hourTicks; minute += 1) {
    const draw = fraction(mix(rhythm, 0x8000 + minute));
    before[minute + 1] = (before[minute] ?? 0) + 1 + Math.floor(draw * draw * draw * draw * draw * 4000);
  }
  return before;
});

type Hour = { readonly total: number; readonly rhythm: Readonly<Uint32Array> };

/** Contracts that the taker of a tick takes. */
export function quantityAt(life: MarketLife, tick: number): number {
  return tradedBetween(life, tick, tick + 1);
}

/** Contracts traded in the day of ticks that ends with this one. */
export function dayVolumeAt(life: MarketLife, tick: number): number {
  return tradedBetween(life, tick - dayTicks + 1, tick + 1);
}

/** Contracts traded from a tick up to, but not including, another. */
export function tradedBetween(life: MarketLife, fromTick: number, toTick: number): number {
  const from = Math.max(fromTick, life.openTick);
  const to = Math.min(toTick, life.closeTick);
  if (!(from < to)) return 0;
  let traded = (from === life.openTick ? 1 : 0) + (to === life.closeTick ? 1 : 0);
  const first = Math.floor(from / hourTicks);
  const last = Math.floor((to - 1) / hourTicks);
  const quiet = isQuiet(life.categoryKey, first * hourTicks, last * hourTicks);
  for (let hour = first; hour <= last; hour += 1) {
    const total = quiet ? quietTotal(life, hour) : hourTotal(life, hour);
    if (hour !== first && hour !== last) traded += total;
    else {
      const start = hour * hourTicks;
      const of = { total, rhythm: rhythmOf(life, hour) };
      traded +=
        tradedBefore(of, Math.min(to - start, hourTicks)) - tradedBefore(of, Math.max(from - start, 0));
    }
  }
  return traded;
}

/** The last tick up to this one in which there was a trade; nothing before the market opens. */
export function lastTradeTick(life: MarketLife, tick: number): number | undefined {
  if (tick < life.openTick) return undefined;
  if (!isOpenAt(life, tick + 1)) return life.closeTick - 1;
  for (let at = tick; at > life.openTick; ) {
    const hour = Math.floor(at / hourTicks);
    const of = { total: hourTotal(life, hour), rhythm: rhythmOf(life, hour) };
    const minute = lastTradeMinute(of, at - hour * hourTicks);
    if (minute !== undefined) return Math.max(hour * hourTicks + minute, life.openTick);
    at = hour * hourTicks - 1;
  }
  return life.openTick;
}

function lastTradeMinute(hour: Hour, minute: number): number | undefined {
  const traded = tradedBefore(hour, minute + 1);
  if (traded === 0) return undefined;
  let low = 0;
  let high = minute;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tradedBefore(hour, middle + 1) === traded) high = middle;
    else low = middle + 1;
  }
  return low;
}

function tradedBefore({ total, rhythm }: Hour, minute: number): number {
  return Math.floor((total * (rhythm[minute] ?? 0)) / (rhythm[hourTicks] ?? 1));
}

function rhythmOf(life: MarketLife, hour: number): Readonly<Uint32Array> {
  return rhythms[mix(life.key ^ 0x8100, hour) % rhythms.length] ?? new Uint32Array(hourTicks + 1);
}

function hourTotal(life: MarketLife, hour: number): number {
  const shock = shockAt(life.categoryKey, hour * hourTicks);
  return 1 + Math.floor(life.liquidity * moodOf(life, hour) * (1 + 3 * (shock < 0 ? -shock : shock)));
}

/** The same, for an hour without news. */
function quietTotal(life: MarketLife, hour: number): number {
  return 1 + Math.floor(life.liquidity * moodOf(life, hour));
}

function moodOf(life: MarketLife, hour: number): number {
  return 0.3 + 1.4 * fraction(mix(life.key, hour));
}
