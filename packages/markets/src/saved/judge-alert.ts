import type { MarketRow } from "../venue/market.ts";
import { priceOf } from "../world/row-figures.ts";
import type { AlertRule } from "./alert-rule.ts";

type Crossing = Extract<AlertRule["when"], { readonly type: "price_crosses" }>;
type Side = NonNullable<AlertRule["side"]>;

/** What a market cost so many minutes ago, where anybody knows. */
export type PriceAgo = (minutes: number) => Promise<number | undefined>;

/** A rule as it begins to wait: it knows on which side of its price the market is. */
export function newAlertRule(
  facts: Pick<AlertRule, "alertRuleId" | "venue" | "ticker" | "when" | "createdAt">,
  market: MarketRow,
): AlertRule {
  const price = priceOf(market);
  const rule = { ...facts, status: "active", closesAt: market.closesAt } as const;
  if (facts.when.type !== "price_crosses" || price === null) return rule;
  return { ...rule, side: sideOf(price, facts.when) };
}

/**
 * What becomes of an active rule by what its market is; nothing where it stays as it is. A market that its venue does not know is
 * waited for until it was to close.
 */
export async function judgeAlert(
  rule: AlertRule,
  market: MarketRow | undefined,
  now: number,
  priceAgo: PriceAgo,
): Promise<AlertRule | undefined> {
  if (market === undefined)
    return rule.closesAt !== undefined && now >= rule.closesAt ? { ...rule, status: "ended" } : undefined;
  if (isOver(market, now)) return { ...rule, status: "ended" };
  const { closesAt } = market;
  const changes = await changesBy(rule, market, now, priceAgo);
  return changes === undefined && closesAt === rule.closesAt ? undefined : { ...rule, closesAt, ...changes };
}

type Changes = Partial<Pick<AlertRule, "status" | "triggeredAt" | "priceCents" | "side">>;

async function changesBy(
  { when, side: before }: AlertRule,
  market: MarketRow,
  now: number,
  priceAgo: PriceAgo,
): Promise<Changes | undefined> {
  const price = priceOf(market);
  const met = {
    status: "triggered",
    triggeredAt: now,
    ...(price !== null && { priceCents: price }),
  } as const;
  if (when.type === "closing_soon")
    return market.closesAt - now <= when.withinMinutes * 60_000 ? met : undefined;
  if (price === null) return undefined;
  if (when.type === "move") {
    const ago = await priceAgo(when.withinMinutes);
    return ago !== undefined && Math.abs(price - ago) >= when.moveCents ? met : undefined;
  }
  const side = sideOf(price, when);
  if (side === before) return undefined;
  return crosses(when, before, side) ? { ...met, side } : { side };
}

/**
 * Whether nothing more can happen in a market. Its venue says so, not the time: one that is closed early may only be paused, and
 * one that is still open after its time is open.
 */
export function isOver({ status, closesAt }: MarketRow, now: number): boolean {
  return status === "settled" || (status === "closed" && now >= closesAt);
}

function sideOf(price: number, { priceCents }: Crossing): Side {
  if (price === priceCents) return "at";
  return price < priceCents ? "below" : "above";
}

/** To come to a price from one side is to cross it; to leave it is not. */
function crosses({ direction }: Crossing, from: Side | undefined, to: Side): boolean {
  const isUp = from === "below" && to !== "below";
  const isDown = from === "above" && to !== "above";
  return (isUp && direction !== "down") || (isDown && direction !== "up");
}
