import type { RunModel } from "@spfunctions/kernel";

export type ModelPrice = NonNullable<RunModel["price"]>;

const usd = (inputPerMillion: number, outputPerMillion: number): ModelPrice =>
  Object.freeze({ inputPerMillion, outputPerMillion });

/**
 * US dollars for a million tokens, without discounts, as public price tables agreed on them in November 2026: look at the provider's
 * own page before money depends on it. A model is here by its exact name, and only where its price does not depend on the length of
 * what it is asked.
 */
export const modelPrices: { readonly [model: string]: ModelPrice } = Object.freeze({
  "claude-haiku-4-5": usd(1, 5),
  "claude-haiku-4-5-20251001": usd(1, 5),
  "claude-opus-4-1": usd(15, 75),
  "claude-opus-4-1-20250805": usd(15, 75),
  "claude-opus-4-20250514": usd(15, 75),
  "claude-opus-4-5": usd(5, 25),
  "claude-opus-4-5-20251101": usd(5, 25),
  "claude-opus-4-6": usd(5, 25),
  "claude-opus-4-7": usd(5, 25),
  "claude-opus-4-8": usd(5, 25),
  "claude-opus-5": usd(5, 25),
  "claude-sonnet-4-6": usd(3, 15),
  "claude-sonnet-5-5": usd(2, 10),
  "gpt-4.1": usd(2, 8),
  "gpt-4.1-mini": usd(0.4, 1.6),
  "gpt-4.1-nano": usd(0.1, 0.4),
  "gpt-4o": usd(2.5, 10),
  "gpt-4o-mini": usd(0.15, 0.6),
  "gpt-5": usd(1.25, 10),
  "gpt-5-mini": usd(0.25, 2),
  "gpt-5-nano": usd(0.05, 0.4),
  "gpt-5.1": usd(1.25, 10),
  "gpt-5.2": usd(1.75, 14),
  "o4-mini": usd(1.1, 4.4),
});
