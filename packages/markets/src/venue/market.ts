// The words for what every venue offers. Prices are whole cents of a yes contract, from 1 to 99; a contract pays 100 to one side.

export type Outcome = "yes" | "no";

/** One binary contract of some venue. */
export type Market = {
  readonly venue: string;
  /** Its name at its venue. */
  readonly ticker: string;
  /** The question that it is one answer to. */
  readonly event: string;
  readonly title: string;
  readonly category: string;
  readonly region: string;
  readonly tags: readonly string[];
  /** Milliseconds since 1970, as every time inside. */
  readonly opensAt: number;
  readonly closesAt: number;
  /** Whether nobody real trades it. */
  readonly synthetic: boolean;
};

/** What a market costs; null where nobody bids, asks or has traded. */
export type Quote = {
  readonly bidCents: number | null;
  readonly askCents: number | null;
  readonly lastCents: number | null;
  /** The last price a day earlier. */
  readonly dayAgoCents: number | null;
  /** Contracts traded within the last day. */
  readonly dayVolume: number;
};

export const marketStatuses = ["upcoming", "open", "closed", "settled"] as const;
export type MarketStatus = (typeof marketStatuses)[number];

export type MarketRow = Market &
  Quote & {
    readonly status: MarketStatus;
    /** Once it is settled. */
    readonly outcome?: Outcome;
  };

export type Level = { readonly priceCents: number; readonly quantity: number };

/** What stands in a book, best first, as prices of yes. */
export type Depth = { readonly bids: readonly Level[]; readonly asks: readonly Level[] };

export type MarketDetail = MarketRow & { readonly depth: Depth; readonly rules: string };

export const intervals = ["1m", "5m", "15m", "1h", "1d"] as const;
export type Interval = (typeof intervals)[number];

export const intervalMs: Readonly<Record<Interval, number>> = {
  "1m": 60_000,
  "5m": 300_000,
  "15m": 900_000,
  "1h": 3_600_000,
  "1d": 86_400_000,
};

/** What was traded from `at` on, for as long as its interval is. */
export type Candle = {
  readonly at: number;
  readonly openCents: number;
  readonly highCents: number;
  readonly lowCents: number;
  readonly closeCents: number;
  readonly volume: number;
};
