// A call starts only if its worst case fits: what is spent, what is set aside for what is under way, and what it may cost itself.
import {
  BudgetExceededError,
  type BudgetPolicy,
  type SimpleFunctionsError,
  type Spent,
} from "@spfunctions/contracts";
import type { Run } from "./fold-run.ts";
import { asAmount, plus } from "./run-spent.ts";

/** What a million tokens of a model cost, in US dollars. */
export type ModelPrice = { readonly inputPerMillion: number; readonly outputPerMillion: number };

export function costOf({ inputTokens = 0, outputTokens = 0 }: Spent, price: ModelPrice | undefined): number {
  if (price === undefined) return 0;
  return asAmount((inputTokens * price.inputPerMillion + outputTokens * price.outputPerMillion) / 1_000_000);
}

/**
 * Which limit something would break, and by what; nothing where it fits. `used`: what the run has used up, with what is set aside.
 * `activeMs`: how long it has done something by now.
 */
export function overBudget(
  budget: BudgetPolicy,
  run: Run,
  used: Spent,
  worst: Spent,
  activeMs: number,
): SimpleFunctionsError | undefined {
  const { steps, toolCalls, inputTokens = 0, outputTokens = 0, usd } = plus(used, worst);
  const limits = [
    ["maxSteps", steps],
    ["maxToolCalls", toolCalls],
    ["maxTokens", inputTokens + outputTokens],
    ["budgetUsd", usd],
    ["maxWallMs", activeMs],
  ] as const;
  for (const [limit, amount = 0] of limits) {
    const most = budget[limit];
    // Money is a sum of fractions: what differs by less than anybody pays is the same.
    if (most === undefined || amount <= most + (limit === "budgetUsd" ? 1e-9 : 0)) continue;
    return budgetExceeded(run, limit, most, amount);
  }
  return undefined;
}

function budgetExceeded(run: Run, limit: string, most: number, amount: number): SimpleFunctionsError {
  const { total: spent, on: spentOn } = run.spending;
  return new BudgetExceededError(
    `${limit} is ${most}, and going on could make it ${amount}. ${spentSoFar(run)}. Raise ${limit} and start again`,
    { details: { limit, most, wouldBe: amount, spent, spentOn } },
  );
}

export function spentSoFar({ spending }: Run): string {
  const on = spending.on.map(({ what, spent }) => `${what}: ${describe(spent)}`).join("; ");
  return `Spent so far: ${on === "" ? "nothing" : on}`;
}

function describe(spent: Spent): string {
  // In one order, whether it was just written or read again.
  return Object.entries(spent)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([what, amount = 0]) => `${what} ${shown(what, amount)}`)
    .join(", ");
}

/** Time and money are sums of fractions. */
function shown(what: string, amount: number): number {
  return Number(amount.toFixed(what === "wallMs" ? 0 : 6));
}

export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** No more than a token for every two bytes, where nobody can count better; a few more for what is put around them. */
export function tokensIn(bytes: number): number {
  return Math.ceil(bytes / 2) + 32;
}
