// How much of a quota is used, each day for itself. What day it is a clock says: one that was wrong, or is that of another process,
// takes nothing from the days of the others and gives none a second time.
import { canonicalJson, strictObject } from "@spfunctions/contracts";
import { readKept } from "@spfunctions/kernel";
import { z } from "zod";

/** So many days are told apart, the last that were counted in. */
const mostDays = 7;

const count = { day: z.int(), used: z.int().nonnegative() };
const countsSchema = strictObject({ ...count, others: z.array(strictObject(count)).optional() });
export type DayCount = { readonly day: number; readonly used: number };

/** The last that was counted in comes first. */
export function readCounts(body: string): readonly DayCount[] {
  const { others = [], ...last } = readKept(countsSchema, body, "how much of a quota is used");
  return [last, ...others];
}

export function usedOf(counts: readonly DayCount[], wanted: number): number {
  return counts.find(({ day }) => day === wanted)?.used ?? 0;
}

/** What is kept once so much of a day is used. */
export function keptCounts(counts: readonly DayCount[], changed: DayCount): string {
  const others = counts.filter(({ day }) => day !== changed.day).slice(0, mostDays - 1);
  return canonicalJson({ ...changed, ...(others.length > 0 && { others }) });
}
