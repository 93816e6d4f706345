// What a key is bound to, as it is written on a command line. Whether it can be granted is for the platform to say.
import {
  type CostEffect,
  costEffects,
  isApiKey,
  keyIdSchema,
  timestampSchema,
  toolPatternSchema,
} from "@spfunctions/contracts";
import { InvalidArgumentError } from "commander";
import { badUsage } from "../command-line/bad-usage.ts";
import { durationIn } from "../command-line/duration.ts";

export type RateLimit = { readonly perSecond: number; readonly burst: number };
export type Quotas = { readonly [Cost in Exclude<CostEffect, "none">]?: number };

/** A moment to come: a day or a time in UTC, or how long from now. */
export function expiry(text: string): string {
  const away = durationIn(text);
  const at = away === undefined ? momentIn(text) : Date.now() + away;
  if (Number.isNaN(at))
    throw new InvalidArgumentError(
      "expected how long, like 30d, 12h or 45m, or when, like 2027-01-31 or 2027-01-31T18:00:00Z",
    );
  if (at <= Date.now()) throw new InvalidArgumentError("that moment has passed; give one that is to come");
  return new Date(at).toISOString();
}

/** Not by `Date.parse` alone, which takes the 30th of February for a day in March. */
function momentIn(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
  return timestampSchema.safeParse(time).success ? Date.parse(time) : Number.NaN;
}

/** Calls in a second, and how many of them at once. */
export function rateLimit(text: string): RateLimit {
  const [, perSecond, burst] = /^(\d{1,9}(?:\.\d{1,9})?)(?::(\d{1,9}))?$/.exec(text) ?? [];
  if (perSecond === undefined)
    throw new InvalidArgumentError(
      "expected calls a second, and how many at once after a colon, like 5 or 0.5:10",
    );
  const each = Number(perSecond);
  return { perSecond: each, burst: burst === undefined ? Math.max(1, Math.ceil(each)) : Number(burst) };
}

const paid = costEffects.filter((cost) => cost !== "none");

/** How many calls of a cost class a day; each class once. */
export function quota(text: string, before: Quotas = {}): Quotas {
  const [, name, count] = /^(\w+)=(\d{1,10})$/.exec(text) ?? [];
  const cost = paid.find((one) => one === name);
  if (cost === undefined)
    throw new InvalidArgumentError(
      `expected a cost and calls a day, like search_cost=100; costs are ${paid.join(", ")}`,
    );
  if (before[cost] !== undefined) throw new InvalidArgumentError(`${cost} was given before; give each once`);
  return { ...before, [cost]: Number(count) };
}

export function toolPattern(text: string): string {
  const problem = toolPatternSchema.safeParse(text).error?.issues[0]?.message;
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return text;
}

/** S1: whoever gives a key where its id is asked for gets no message with it. */
export function requireKeyId(text: string): void {
  if (isApiKey(text))
    throw badUsage(
      "that is a key itself, and not its id: it was shown to everybody who sees this command line. Revoke it by its id, as sf keys ls lists it",
    );
  const problem = keyIdSchema.safeParse(text).error?.issues[0]?.message;
  if (problem !== undefined) throw badUsage(problem);
}
