import { mix } from "./noise.ts";

/** What the participants of one market go by, whichever venue it is at. */
export type MarketLife = {
  readonly key: number;
  /** The first tick in which it is open, and the first in which it is not any more. */
  readonly openTick: number;
  readonly closeTick: number;
  /** Contracts in an ordinary hour. */
  readonly liquidity: number;
  /** Whose news makes more people trade it. */
  readonly categoryKey: number;
  /** How far apart the best bid and ask are, and when that differs; the same for all strikes of an event. */
  readonly width: number;
  readonly widthKey: number;
  /** Whole cents from 2 to 98. */
  readonly fairAt: (tick: number) => number;
};

export function isOpenAt(life: MarketLife, tick: number): boolean {
  return tick >= life.openTick && tick < life.closeTick;
}

/** From 1 to 4 cents, mostly narrow. */
export function drawWidth(key: number): number {
  const draw = mix(key, 0x7000) % 10;
  return draw < 4 ? 1 : draw < 7 ? 2 : draw < 9 ? 3 : 4;
}
