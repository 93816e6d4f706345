import type { Spent, SpentOn } from "@spfunctions/contracts";

/** One spending and another. */
export function plus(one: Spent, other: Spent): Spent {
  const sum: Record<string, number> = {};
  for (const part of [one, other])
    for (const [what, amount = 0] of Object.entries(part)) sum[what] = (sum[what] ?? 0) + amount;
  return sum;
}

/** What was spent, and on what. */
export type Spending = { readonly total: Spent; readonly on: SpentOn };

export const nothingSpent: Spending = { total: {}, on: [] };

export function spend({ total, on }: Spending, what: string, spent: Spent): Spending {
  const isNew = on.every((one) => one.what !== what);
  const known = isNew ? [...on, { what, spent: {} }] : on;
  return {
    total: plus(total, spent),
    on: known.map((one) => (one.what === what ? { what, spent: plus(one.spent, spent) } : one)),
  };
}
