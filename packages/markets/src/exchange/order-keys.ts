// X1: what a key stands for: the order that was placed with it, or, where that is final, the refusal.
import {
  errorCodeSchema,
  errorFor,
  hashInput,
  IdempotencyConflictError,
  type SimpleFunctionsError,
  strictObject,
} from "@spfunctions/contracts";
import { type Claim, type ClaimWrite, readKept, type Store } from "@spfunctions/kernel";
import { z } from "zod";
import type { Ledger as LedgerName, WantedOrder } from "./exchange.ts";

/**
 * How long a key stands for the order that was placed with it, unless that is final.
 * @limit market.orderKeyMs | the same key places another order | fixed: an idempotency key of the platform's is kept as long
 */
export const orderKeyMs = 7 * 86_400_000;

export type OrderKey = Pick<Claim, "accountId" | "scope" | "key" | "digest"> & { readonly isFinal: boolean };

/** `digest` is of what is wanted: the same key with another wish is another order. */
export function orderKey(
  ledger: LedgerName,
  accountId: string,
  key: string,
  wanted: WantedOrder,
  isFinal: boolean,
): OrderKey {
  return { accountId, scope: `exchange.${ledger}.order`, key, digest: hashInput(wanted), isFinal };
}

export function takeKey({ isFinal, ...claim }: OrderKey, ref: string, now: number): ClaimWrite {
  return { type: "take", ...claim, expiresAt: isFinal ? Number.MAX_SAFE_INTEGER : now + orderKeyMs, ref };
}

/** The id of the order that a key stands for, or nothing. What it was refused for is thrown again. */
export async function orderOfKey(store: Store, key: OrderKey, now: number): Promise<string | undefined> {
  const known = await store.claim(key, now);
  if (known === undefined) return undefined;
  if (known.digest !== key.digest)
    throw new IdempotencyConflictError(
      "another order was placed with this key; take a new key for a new order",
    );
  if (known.ref.startsWith("ord_")) return known.ref;
  throw refusalIn(known.ref);
}

/** Writes down that a key's order was refused for good. Not, where the key stands for something already. */
export async function refuseKey(
  store: Store,
  key: OrderKey,
  { code, message, details }: SimpleFunctionsError,
  now: number,
): Promise<boolean> {
  const claims = [takeKey(key, JSON.stringify({ code, message, details }), now)];
  return (await store.commit({ durability: "power", now, claims })).type === "committed";
}

const refusalSchema = strictObject({
  code: errorCodeSchema,
  message: z.string(),
  details: z.record(z.string(), z.json()).optional(),
});

function refusalIn(ref: string): Error {
  const { code, message, details } = readKept(refusalSchema, ref, "what an order was refused for");
  return errorFor(code, message, { ...(details && { details }) });
}
