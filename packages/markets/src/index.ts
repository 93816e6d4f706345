export type { SkippedMarkets, VenueLimits } from "./adapters/venue-options.ts";
export type {
  Exchange,
  Ledger,
  Order,
  OrderStatus,
  Portfolio,
  Position,
  Trade,
  WantedOrder,
} from "./exchange/exchange.ts";
export { fixedAnswerModel } from "./models/fixed-answer-model.ts";
export { type Markets, type MarketsOptions, openMarkets, type RealVenue } from "./open-markets.ts";
export type { Tending } from "./tend-markets.ts";
export type {
  Candle,
  Depth,
  Interval,
  Level,
  Market,
  MarketDetail,
  MarketRow,
  MarketStatus,
  Quote,
} from "./venue/market.ts";
export { type RealVenueName, realVenues } from "./venue/real-venues.ts";
export type { CandleRange, VenueReader } from "./venue/venue-reader.ts";
export type { TickEvent, TickWatch } from "./watch/watch-ticks.ts";
export type { WorldEvent } from "./watch/watch-world.ts";
