/** A market as Kalshi documents it, with its prices in dollars. */
export const kalshiMarket = {
  ticker: "KXFED-26DEC-T3.50",
  event_ticker: "KXFED-26DEC",
  market_type: "binary",
  title: "Will the upper bound of the federal funds rate be above 3.50% after the December meeting?",
  subtitle: "",
  yes_sub_title: "Above 3.50%",
  no_sub_title: "Above 3.50%",
  created_time: "2026-09-01T14:00:00Z",
  open_time: "2026-09-01T15:00:00Z",
  close_time: "2026-12-09T18:59:00Z",
  expected_expiration_time: "2026-12-09T19:05:00Z",
  expiration_time: "2026-12-16T15:00:00Z",
  latest_expiration_time: "2026-12-16T15:00:00Z",
  settlement_timer_seconds: 300,
  status: "active",
  notional_value_dollars: "1.0000",
  yes_bid_dollars: "0.5600",
  yes_bid_size_fp: "120.00",
  yes_ask_dollars: "0.5800",
  yes_ask_size_fp: "75.00",
  no_bid_dollars: "0.4200",
  no_ask_dollars: "0.4400",
  last_price_dollars: "0.5700",
  previous_yes_bid_dollars: "0.5100",
  previous_yes_ask_dollars: "0.5300",
  previous_price_dollars: "0.5200",
  volume_fp: "120934.00",
  volume_24h_fp: "8123.50",
  open_interest_fp: "40211.00",
  result: "",
  can_close_early: true,
  expiration_value: "",
  rules_primary: "If the upper bound is above 3.50%, the market resolves to Yes.",
  rules_secondary: "The source is the Federal Reserve.",
  price_level_structure: "linear_cent",
  price_ranges: [{ start: "0.0000", end: "1.0000", step: "0.0100" }],
};

/** The same market as it was written before, with its prices in cents. */
export const kalshiMarketInCents = {
  ticker: "KXFED-26DEC-T3.50",
  event_ticker: "KXFED-26DEC",
  market_type: "binary",
  title: kalshiMarket.title,
  yes_sub_title: "Above 3.50%",
  open_time: "2026-09-01T15:00:00Z",
  close_time: "2026-12-09T18:59:00Z",
  status: "active",
  response_price_units: "usd_cent",
  yes_bid: 56,
  yes_ask: 58,
  no_bid: 42,
  no_ask: 44,
  last_price: 57,
  previous_price: 52,
  volume: 120934,
  volume_24h: 8123,
  result: "",
  rules_primary: kalshiMarket.rules_primary,
  rules_secondary: kalshiMarket.rules_secondary,
};

export const kalshiBook = {
  orderbook_fp: {
    yes_dollars: [
      ["0.5400", "300.00"],
      ["0.5550", "20.00"],
      ["0.5600", "120.00"],
    ],
    no_dollars: [
      ["0.4000", "500.00"],
      ["0.4150", "5.50"],
      ["0.4200", "75.00"],
    ],
  },
};

export const kalshiBookInCents = {
  orderbook: {
    yes: [
      [54, 300],
      [55, 20],
      [56, 120],
    ],
    no: [
      [40, 500],
      [41, 5],
      [42, 75],
    ],
  },
};

export function kalshiCandle(endTs: number, [open, high, low, close]: readonly string[], volume: string) {
  const quoted = {
    open_dollars: "0.5000",
    low_dollars: "0.4900",
    high_dollars: "0.6000",
    close_dollars: "0.5500",
  };
  return {
    end_period_ts: endTs,
    yes_bid: quoted,
    yes_ask: quoted,
    price: { open_dollars: open, high_dollars: high, low_dollars: low, close_dollars: close },
    volume_fp: volume,
    open_interest_fp: "40211.00",
  };
}

/** What a period without a trade is. */
export function kalshiQuietCandle(endTs: number) {
  return {
    end_period_ts: endTs,
    price: { open: null, low: null, high: null, close: null, mean: null, previous: 57 },
    volume: 0,
    open_interest: 40211,
  };
}
