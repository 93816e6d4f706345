import { z } from "zod";
import type { JsonValue } from "../json/json-value.ts";
import { readJsonPointer } from "../json/json-pointer.ts";
import { strictObject } from "../schema/strict-object.ts";
import type { TradePointers } from "../tool/contract-tool.ts";

const jurisdiction = z.string().min(2).max(64);

/** What a live trade must stay within. The first three have no default: absent means refused. */
export const tradeGuardrailsSchema = strictObject({
  /** Where an order may go. */
  allowedVenues: z.array(z.string().min(1)).min(1),
  /** What one order may cost before the venue's fees: quantity times limit price, or times 99 without one. */
  maxOrderCostCents: z.int().nonnegative(),
  /** Contracts of one order. */
  maxQuantity: z.int().nonnegative(),
  /** An order names the most that it pays for a contract. */
  requireLimitPrice: z.boolean().default(true),
  /** Nothing but orders that say `dryRun: true`. */
  dryRunOnly: z.boolean().default(true),
  /** Whether an order may be placed by itself, when its trigger is met. */
  allowAutoExecute: z.boolean().default(false),
  /** Whether an order may start a runtime. */
  allowRuntimeStart: z.boolean().default(false),
  /** An order names the jurisdiction that it is placed from. Left out: it need not. */
  requireJurisdiction: z.boolean().optional(),
  /** The one that an order may name. Left out: any that is not blocked. */
  jurisdiction: jurisdiction.optional(),
  /** Those from which no order is placed; `US` is also `US-NY`. Left out: none. */
  blockedJurisdictions: z.array(jurisdiction).optional(),
  /** The token a person must give; whoever keeps the policy keeps its keyed hash instead. Left out: none is asked for. */
  confirmToken: z.string().min(8).meta({ "x-sf-secret": true }).optional(),
});
export type TradeGuardrails = z.output<typeof tradeGuardrailsSchema>;

/** A trade's facts, read from a call's input. Not yet trusted: whatever has the wrong type is a violation. */
export type TradeFacts = { readonly [Fact in keyof TradePointers]?: JsonValue | undefined };

export type TradeViolation = { readonly field: keyof TradeGuardrails; readonly reason: string };

/** The price per contract, in cents, that an order without a limit is taken to cost. */
const unlimitedPriceCents = 99;

export function readTradeFacts(pointers: TradePointers, input: JsonValue): TradeFacts {
  return Object.fromEntries(
    Object.entries(pointers).map(([fact, pointer]) => [
      fact,
      pointer === undefined ? undefined : readJsonPointer(input, pointer),
    ]),
  );
}

type Check = (
  rails: TradeGuardrails,
  facts: TradeFacts,
  matchesConfirm: (given: string, kept: string) => boolean,
) => string | undefined | false;

const checks: readonly (readonly [keyof TradeGuardrails, Check])[] = [
  [
    "allowedVenues",
    (rails, { venue }) =>
      !(typeof venue === "string" && rails.allowedVenues.includes(venue)) &&
      `the venue is not one of ${rails.allowedVenues.join(", ")}`,
  ],
  [
    "maxQuantity",
    (rails, { quantity }) =>
      !(isCount(quantity) && quantity <= rails.maxQuantity) &&
      `the quantity is not a whole number from 1 to ${rails.maxQuantity}`,
  ],
  [
    "requireLimitPrice",
    (rails, { limitPriceCents }) =>
      (rails.requireLimitPrice || isGiven(limitPriceCents)) &&
      !isPrice(limitPriceCents) &&
      "the order has no limit price from 1 to 99 cents",
  ],
  [
    "maxOrderCostCents",
    (rails, facts) =>
      !(orderCostCents(facts) <= rails.maxOrderCostCents) &&
      `the order could cost more than ${rails.maxOrderCostCents} cents before fees`,
  ],
  [
    "dryRunOnly",
    (rails, { dryRun }) =>
      (typeof dryRun !== "boolean" || (rails.dryRunOnly && !dryRun)) && "the order does not say dryRun: true",
  ],
  [
    "allowAutoExecute",
    (rails, { autoExecute }) =>
      !isFlagWithin(autoExecute, rails.allowAutoExecute) && "the order would execute by itself",
  ],
  [
    "allowRuntimeStart",
    (rails, { startsRuntime }) =>
      !isFlagWithin(startsRuntime, rails.allowRuntimeStart) && "the order would start a runtime",
  ],
  [
    "requireJurisdiction",
    (rails, { jurisdiction: named }) =>
      (rails.requireJurisdiction === true || isGiven(named)) &&
      !(typeof named === "string" && named.trim() !== "") &&
      "the order names no jurisdiction",
  ],
  [
    "jurisdiction",
    (rails, { jurisdiction: named }) =>
      rails.jurisdiction !== undefined &&
      isGiven(named) &&
      !sameJurisdiction(named, rails.jurisdiction) &&
      `the order's jurisdiction is not ${rails.jurisdiction}`,
  ],
  [
    "blockedJurisdictions",
    (rails, { jurisdiction: named }) =>
      rails.blockedJurisdictions?.some((blocked) =>
        [named, rails.jurisdiction].some((here) => isWithin(here, blocked)),
      ) && "the jurisdiction is blocked",
  ],
  [
    "confirmToken",
    (rails, { confirm }, matchesConfirm) =>
      rails.confirmToken !== undefined &&
      !(typeof confirm === "string" && matchesConfirm(confirm, rails.confirmToken)) &&
      "the order does not carry the confirm token",
  ],
];

/**
 * The first guardrail that an order breaks, or nothing. `matchesConfirm` compares the given token with the kept
 * keyed hash; whoever holds the key provides it.
 */
export function tradeViolation(
  rails: TradeGuardrails,
  facts: TradeFacts,
  matchesConfirm: (given: string, kept: string) => boolean,
): TradeViolation | undefined {
  for (const [field, check] of checks) {
    const reason = check(rails, facts, matchesConfirm);
    if (typeof reason === "string") return { field, reason };
  }
  return undefined;
}

/** Quantity times limit price, or times 99 without one. NaN where the facts are no numbers. */
export function orderCostCents({ quantity, limitPriceCents }: TradeFacts): number {
  const price = isGiven(limitPriceCents) ? limitPriceCents : unlimitedPriceCents;
  return typeof quantity === "number" && typeof price === "number" ? quantity * price : Number.NaN;
}

/** An explicit `null` is given, and is none of the types asked for. */
function isGiven(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined;
}

function isFlagWithin(value: JsonValue | undefined, allowed: boolean): boolean {
  return value === undefined || value === false || (value === true && allowed);
}

function isCount(value: JsonValue | undefined): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function isPrice(value: JsonValue | undefined): value is number {
  return isCount(value) && value <= 99;
}

/** `US-NY` lies within `US`. */
function isWithin(here: JsonValue | undefined, region: string): boolean {
  return (
    sameJurisdiction(here, region) || (typeof here === "string" && fold(here).startsWith(`${fold(region)}-`))
  );
}

function sameJurisdiction(a: JsonValue | undefined, b: string): boolean {
  return typeof a === "string" && fold(a) === fold(b);
}

function fold(name: string): string {
  return name.replaceAll(/\s+/g, "").toLowerCase();
}
