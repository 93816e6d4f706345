import type { MarketRow } from "../venue/market.ts";
import { bounded, breadthOf } from "./indices.ts";
import { meanOf, moveOf, oneDecimal, priceOf } from "./row-figures.ts";

/** What a group of markets is like, in numbers. */
export type RegimeComponents = {
  /** As in the indices. */
  readonly breadth: number;
  /** Cents that a market moved within a day, on average, either way. */
  readonly volatility: number;
  /** As in the indices. */
  readonly activity: number | null;
  /** The percentage of markets that cost at most 5 or at least 95 cents. */
  readonly nearCertainty: number;
};

export const regimes = [
  "thin",
  "event_driven",
  "volatile",
  "trending_up",
  "trending_down",
  "resolving",
  "calm",
] as const;
export type RegimeLabel = (typeof regimes)[number];

export type Regime = { readonly label: RegimeLabel; readonly reason: string };

/** Fewer markets with a price than this are too few to say anything about. */
const fewestMarkets = 5;
const certainAtMost = 5;
const certainAtLeast = 95;

type Condition = {
  readonly component: keyof RegimeComponents;
  readonly atLeast?: number;
  readonly atMost?: number;
};

/** The first line whose conditions all hold names the regime. */
export const regimeTable: readonly { readonly label: RegimeLabel; readonly when: readonly Condition[] }[] = [
  {
    label: "event_driven",
    when: [
      { component: "volatility", atLeast: 4 },
      { component: "activity", atLeast: 60 },
    ],
  },
  { label: "volatile", when: [{ component: "volatility", atLeast: 6 }] },
  {
    label: "trending_up",
    when: [
      { component: "volatility", atLeast: 1 },
      { component: "breadth", atLeast: 56 },
    ],
  },
  {
    label: "trending_down",
    when: [
      { component: "volatility", atLeast: 1 },
      { component: "breadth", atMost: 44 },
    ],
  },
  { label: "resolving", when: [{ component: "nearCertainty", atLeast: 50 }] },
  { label: "calm", when: [] },
];

export function componentsOf(rows: readonly MarketRow[], activity: number | null): RegimeComponents {
  const prices = rows.flatMap((row) => priceOf(row) ?? []);
  const certain = prices.filter((price) => price <= certainAtMost || price >= certainAtLeast);
  return {
    breadth: breadthOf(rows),
    volatility: oneDecimal(meanOf(rows.flatMap((row) => absolute(moveOf(row)))) ?? 0),
    activity,
    nearCertainty: prices.length === 0 ? 0 : bounded((100 * certain.length) / prices.length),
  };
}

/** Which regime a group of markets is in, and by which of its numbers. */
export function regimeOf(rows: readonly MarketRow[], components: RegimeComponents): Regime {
  const priced = rows.filter((row) => priceOf(row) !== null).length;
  if (priced < fewestMarkets) {
    return { label: "thin", reason: `fewer than ${fewestMarkets} markets have a price` };
  }
  const line = regimeTable.find(({ when }) => when.every((condition) => holds(condition, components)));
  const { label, when } = line ?? { label: "calm", when: [] };
  if (when.length > 0)
    return { label, reason: when.map((condition) => said(condition, components)).join(", ") };
  const { volatility, breadth } = components;
  return { label, reason: `volatility ${volatility}, breadth ${breadth}: nothing stands out` };
}

function holds({ component, atLeast, atMost }: Condition, components: RegimeComponents): boolean {
  const value = components[component];
  if (value === null) return false;
  return (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);
}

function said({ component, atLeast, atMost }: Condition, components: RegimeComponents): string {
  const limit = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  return `${component} ${components[component]} (${limit})`;
}

function absolute(move: number | null): number[] {
  return move === null ? [] : [Math.abs(move)];
}
