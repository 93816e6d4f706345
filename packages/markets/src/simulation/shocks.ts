import { fraction, mix } from "./noise.ts";

const windowTicks = 4 * 1440;
const riseTicks = 20;
const fallTicks = 1800;

/**
 * News that moves a whole category or region at once: mostly 0, otherwise from -1 to 1, or a little beyond where one piece follows
 * another. In every window of four days there may be one: it is felt within minutes and forgotten within a day or so.
 */
export function shockAt(group: number, tick: number): number {
  const window = Math.floor(tick / windowTicks);
  return shockOf(group, window - 1, tick) + shockOf(group, window, tick);
}

function shockOf(group: number, window: number, tick: number): number {
  const news = mix(group, window);
  if (news % 5 >= 2) return 0;
  const since = tick - window * windowTicks - (mix(news, 1) % windowTicks);
  if (since < 0 || since >= riseTicks + fallTicks) return 0;
  const strength = since < riseTicks ? (since + 1) / riseTicks : 1 - (since - riseTicks) / fallTicks;
  const size = 0.3 + 0.7 * fraction(mix(news, 2));
  return (mix(news, 3) % 2 === 0 ? size : -size) * strength;
}
