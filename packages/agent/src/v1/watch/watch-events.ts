/** The price of a market when it was looked at. */
export type TickEvent = {
  readonly type: "tick";
  readonly at: string;
  readonly venue: string;
  readonly ticker: string;
  readonly bidCents: number | null;
  readonly askCents: number | null;
  readonly lastCents: number | null;
  /** Nobody has traded at it. */
  readonly synthetic: boolean;
};

/** The state of the world when it was looked at. */
export type WorldEvent = {
  readonly type: "world";
  readonly at: string;
  readonly synthetic: boolean;
  readonly regime: { readonly label: string; readonly reason: string };
  readonly indices: {
    readonly activity: number | null;
    readonly breadth: number;
    readonly disagreement: number;
  };
  readonly movers: readonly {
    readonly venue: string;
    readonly ticker: string;
    readonly priceCents: number | null;
    readonly moveCents: number;
  }[];
};
