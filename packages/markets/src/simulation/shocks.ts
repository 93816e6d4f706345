import { fraction, mix } from "./noise.ts";

const windowTicks = 4 * 1440;
const riseTicks = 20;
const fallTicks = 1800;
const feltTicks = riseTicks + fallTicks;

/**
 * News that moves a whole category or region at once: mostly 0, otherwise from -1 to 1, or a little beyond where one piece follows
 * another. In every window of four days there may be one: it is felt within minutes and forgotten within a day or so.
 */
export function shockAt(group: number, tick: number): number {
  const window = Math.floor(tick / windowTicks);
  return shockOf(group, window - 1, tick) + shockOf(group, window, tick);
}

/** Whether there is no news to feel from a tick up to another: then every shock between them is 0. */
export function isQuiet(group: number, fromTick: number, toTick: number): boolean {
  const last = Math.floor(toTick / windowTicks);
  for (let window = Math.floor(fromTick / windowTicks) - 1; window <= last; window += 1) {
    const news = mix(group, window);
    if (!isNews(news)) continue;
    const begins = beginsAt(news, window);
    if (begins <= toTick && fromTick < begins + feltTicks) return false;
  }
  return true;
}

function shockOf(group: number, window: number, tick: number): number {
  const news = mix(group, window);
  if (!isNews(news)) return 0;
  const since = tick - beginsAt(news, window);
  if (since < 0 || since >= feltTicks) return 0;
  const strength = since < riseTicks ? (since + 1) / riseTicks : 1 - (since - riseTicks) / fallTicks;
  const size = 0.3 + 0.7 * fraction(mix(news, 2));
  return (mix(news, 3) % 2 === 0 ? size : -size) * strength;
}

function isNews(news: number): boolean {
  return news % 5 < 2;
}

function beginsAt(news: number, window: number): number {
  return window * windowTicks + (mix(news, 1) % windowTicks);
}
