import { expect, test } from "vitest";
import type { Depth } from "../venue/market.ts";
import { triggerHolds, triggerKinds } from "./trigger.ts";

function levels(best: number | undefined, step: number): Depth["bids"] {
  if (best === undefined) return [];
  return [
    { priceCents: best, quantity: 1 },
    { priceCents: best + step, quantity: 9 },
  ];
}

test.each([
  [39, 41, ["bid_at_or_below", "ask_at_or_above"]],
  [40, 41, ["bid_at_or_above", "bid_at_or_below", "ask_at_or_above"]],
  [39, 40, ["bid_at_or_below", "ask_at_or_above", "ask_at_or_below"]],
  [41, 44, ["bid_at_or_above", "ask_at_or_above"]],
  [30, 36, ["bid_at_or_below", "ask_at_or_below"]],
  [undefined, 40, ["ask_at_or_above", "ask_at_or_below"]],
  [40, undefined, ["bid_at_or_above", "bid_at_or_below"]],
  [undefined, undefined, []],
])("with a best bid of %s and a best ask of %s, those hold at 40 that hold", (bid, ask, holding) => {
  const depth = { bids: levels(bid, -5), asks: levels(ask, 5) };
  expect(triggerKinds.filter((when) => triggerHolds({ when, priceCents: 40 }, depth))).toStrictEqual(holding);
});
