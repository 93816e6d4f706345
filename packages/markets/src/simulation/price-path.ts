// P1: at any tick, a higher strike of an event is worth no more than a lower one.
// P2: an outcome is drawn once, with the price at the moment from which the market drifts to it, so that price was right.
// P3: at its last tick a market is at 96 or 4.
import type { Outcome } from "../venue/market.ts";
import { fraction, mix, valueNoise } from "./noise.ts";
import { shockAt } from "./shocks.ts";

/** How the question behind the strikes of one event moves. */
export type EventPath = {
  readonly key: number;
  readonly openTick: number;
  readonly closeTick: number;
  /** How likely its middle strike is to begin with, below or above 0. */
  readonly level: number;
  /** How far its strikes are apart. */
  readonly gap: number;
  readonly restlessness: number;
  readonly categoryKey: number;
  readonly regionKey: number;
  readonly categoryShare: number;
  readonly regionShare: number;
};

/** One strike of an event: `distance` from its middle one. */
export type Strike = { readonly path: EventPath; readonly distance: number; readonly outcome: Outcome };

type PathPlace = Pick<EventPath, "key" | "openTick" | "closeTick" | "categoryKey" | "regionKey">;

const octaves = [
  { period: 32_768, size: 0.45 },
  { period: 8192, size: 0.35 },
  { period: 2048, size: 0.24 },
  { period: 512, size: 0.2 },
  { period: 128, size: 0.13 },
  { period: 32, size: 0.07 },
  { period: 6, size: 0.02 },
] as const;

/** Some events are calm, most are ordinary, and a few are wild. */
export function drawPath(place: PathPlace): EventPath {
  const draw = (what: number) => fraction(mix(place.key, 0x5000 + what));
  const wild = draw(0);
  return {
    ...place,
    level: (draw(1) + draw(2) - 1) * 1.4,
    gap: 0.3 + draw(3) * 0.6,
    restlessness: 0.25 + 0.75 * wild + 2 * wild * wild * wild * wild,
    categoryShare: draw(4) * 1.4 - 0.1,
    regionShare: draw(5) * 0.9 - 0.1,
  };
}

export function drawStrike(path: EventPath, distance: number): Strike {
  const chance = centsBeforeDrift(path, distance, driftTick(path)) / 100;
  const outcome = fraction(mix(path.key, 0x6000)) < chance ? "yes" : "no";
  return { path, distance, outcome };
}

/** What a strike is worth at a tick while it is open, in whole cents from 2 to 98. */
export function fairCents({ path, distance, outcome }: Strike, tick: number): number {
  const free = centsBeforeDrift(path, distance, tick);
  const from = driftTick(path);
  if (tick < from) return Math.floor(free + 0.5);
  const along = (tick - from + 1) / (path.closeTick - from);
  const pull = along * along * (3 - 2 * along);
  return Math.floor(free * (1 - pull) + (outcome === "yes" ? 96 : 4) * pull + 0.5);
}

/** The tick from which a market drifts to its outcome: the last tenth of its life. */
function driftTick({ openTick, closeTick }: EventPath): number {
  return closeTick - Math.floor((closeTick - openTick) / 10);
}

function centsBeforeDrift(path: EventPath, distance: number, tick: number): number {
  const lean = leanAt(path, tick) - distance;
  const far = lean < 0 ? -lean : lean;
  const from50 = 50 - 50 / (1 + far + far * far);
  const cents = lean < 0 ? 50 - from50 : 50 + from50;
  return cents < 2 ? 2 : cents > 98 ? 98 : cents;
}

function leanAt(path: EventPath, tick: number): number {
  let wander = 0;
  for (const { period, size } of octaves) wander += size * valueNoise(path.key ^ period, tick, period);
  return (
    path.level +
    path.restlessness * wander +
    path.categoryShare * shockAt(path.categoryKey, tick) +
    path.regionShare * shockAt(path.regionKey, tick)
  );
}
