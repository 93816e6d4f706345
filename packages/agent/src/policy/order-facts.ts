// What a record shows of an order, and what it hides: the word that confirms it always, and whatever looked like a secret.
import {
  hasPlaceholder,
  type JsonValue,
  type PolicyLevel,
  readTradeFacts,
  splitJsonPointer,
  type TradeFacts,
  type TradePointers,
} from "@spfunctions/contracts";

export type OrderFacts = {
  readonly shown: TradeFacts;
  /** What was there, or may have been, and cannot be read any more. */
  readonly hidden: readonly (keyof TradePointers)[];
};

/** The facts of a recorded order; without an input, all that its contract names are hidden. */
export function readOrder(trade: TradePointers | undefined, input: JsonValue | undefined): OrderFacts {
  const pointers = Object.entries(trade ?? {}) as [keyof TradePointers, string][];
  const hidden = pointers.filter(([, pointer]) => isHidden(input, pointer)).map(([fact]) => fact);
  const shown = trade === undefined || input === undefined ? {} : readTradeFacts(trade, input);
  return { shown, hidden };
}

function isHidden(input: JsonValue | undefined, pointer: string): boolean {
  if (input === undefined) return true;
  let here = input;
  for (const segment of splitJsonPointer(pointer)) {
    if (typeof here !== "object" || here === null) break;
    // A name can be hidden, too.
    if (!Object.hasOwn(here, segment)) return Object.keys(here).some(hasPlaceholder);
    here = (here as { readonly [key: string]: JsonValue })[segment] as JsonValue;
  }
  return typeof here === "string" && hasPlaceholder(here);
}

/** Of each fact, what no guardrail objects to if it lets any order pass. */
const harmless: TradeFacts = {
  side: "buy",
  quantity: 1,
  limitPriceCents: 1,
  dryRun: true,
  autoExecute: false,
  startsRuntime: false,
};

/** The order with something harmless for what it hides; not for its venue and jurisdiction, of which each guardrail has its own. */
export function withHarmless({ shown, hidden }: OrderFacts): TradeFacts {
  return { ...shown, ...Object.fromEntries(hidden.map((fact) => [fact, harmless[fact]])) };
}

/** A place that no list of places names. */
const elsewhere = "?";

/** The order with what it hides as the guardrails would like it best. Which place they like is tried: one of these. */
export function mostOpen(order: OrderFacts, levels: readonly PolicyLevel[]): TradeFacts[] {
  const rails = levels.flatMap(({ policy }) => policy.trade ?? []);
  const facts = withHarmless(order);
  const choices = (fact: "venue" | "jurisdiction", liked: readonly (string | undefined)[]) =>
    order.hidden.includes(fact) ? [...new Set(liked)] : [facts[fact]];
  const venues = choices("venue", [...rails.flatMap(({ allowedVenues }) => allowedVenues), elsewhere]);
  const places = [undefined, elsewhere, ...rails.map(({ jurisdiction }) => jurisdiction)];
  const jurisdictions = choices("jurisdiction", places);
  return venues.flatMap((venue) => jurisdictions.map((jurisdiction) => ({ ...facts, venue, jurisdiction })));
}

/** The order with what it hides as no guardrail would have it. */
export function mostClosed({ shown, hidden }: OrderFacts): TradeFacts {
  return { ...shown, ...Object.fromEntries(hidden.map((fact) => [fact, null])) };
}
