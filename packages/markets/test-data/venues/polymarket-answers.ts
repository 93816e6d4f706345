export const yesToken = "60487116984468020978247225474488676749601001829886755968952521846780452448915";
const noToken = "81104637750588840860328515305303028259865221573278091453716127842023614249200";

export const conditionId = `0x${"8428884817cbc264".repeat(4)}`;

/** A market as Polymarket documents it, with its lists as JSON in strings. */
export const polymarketMarket = {
  id: "516861",
  question: "Will the ECB cut rates in December?",
  conditionId,
  slug: "will-the-ecb-cut-rates-in-december",
  resolutionSource: "",
  endDate: "2026-12-17T12:00:00Z",
  startDate: "2026-10-01T16:20:33.424Z",
  createdAt: "2026-09-30T22:01:10.123456Z",
  description: "This market resolves to Yes if the deposit rate is lowered.",
  outcomes: '["Yes", "No"]',
  outcomePrices: '["0.335", "0.665"]',
  volume: "1089143.410872",
  active: true,
  closed: false,
  archived: false,
  restricted: true,
  questionID: "0x8428884817cbc26422ec451101fcedfc5995907a8df6e5905bc29cd30d2867e7",
  enableOrderBook: true,
  orderPriceMinTickSize: 0.001,
  orderMinSize: 5,
  volumeNum: 1089143.410872,
  liquidityNum: 51025.13654,
  endDateIso: "2026-12-17",
  startDateIso: "2026-10-01",
  volume24hr: 82453.682256,
  clobTokenIds: JSON.stringify([yesToken, noToken]),
  umaBond: "500",
  acceptingOrders: true,
  negRisk: false,
  competitive: 0.8015991903848178,
  spread: 0.009,
  oneDayPriceChange: -0.045,
  lastTradePrice: 0.335,
  bestBid: 0.331,
  bestAsk: 0.34,
  events: [{ id: "20411", slug: "ecb-december-decision", title: "ECB December decision" }],
  tags: [
    { id: "100196", label: "Economy", slug: "economy" },
    { id: "101", label: "Europe", slug: "europe" },
  ],
};

export const polymarketBook = {
  market: conditionId,
  asset_id: yesToken,
  timestamp: "1794916800000",
  hash: "0xabc",
  // The best is the last on either side.
  bids: [
    { price: "0.30", size: "1000" },
    { price: "0.331", size: "12.5" },
    { price: "0.335", size: "40" },
  ],
  asks: [
    { price: "0.999", size: "7" },
    { price: "0.342", size: "60" },
    { price: "0.34", size: "25.9" },
  ],
  tick_size: "0.001",
};
