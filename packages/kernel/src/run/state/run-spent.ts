import type { Spent, SpentOn } from "@spfunctions/contracts";

/** Beyond this whole numbers are not exact: more counts for this much. */
const mostAmount = Number.MAX_SAFE_INTEGER;

/** Sums are on record: whatever a provider claims, and however fractions round, each stays an amount that a record can say. */
export function asAmount(sum: number): number {
  return Math.min(mostAmount, Math.max(0, sum));
}

/** One spending and another. */
export function plus(one: Spent, other: Spent): Spent {
  const sum: { -readonly [What in keyof Spent]: Spent[What] } = { ...one };
  for (const what of Object.keys(other) as (keyof Spent)[])
    sum[what] = asAmount((sum[what] ?? 0) + (other[what] ?? 0));
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
