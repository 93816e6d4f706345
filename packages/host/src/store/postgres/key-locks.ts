import { hash } from "node:crypto";
import type { WordedUnit } from "./unit-words.ts";

/**
 * The advisory locks under which these units are written, in the order in which everybody takes them. Two keys that share a
 * number wait for each other without need, and nothing else comes of it. A single step holds nothing while it waits, so it
 * needs none.
 */
export function keyLocks(units: readonly WordedUnit[], schema: string): bigint[] {
  if (units.length === 1 && units[0]?.isSingle === true) return [];
  const touched = new Set(units.flatMap(({ touches }) => touches));
  const numbers = [...touched].map((key) =>
    hash("sha256", `${schema}\u0000${key}`, "buffer").readBigInt64BE(0),
  );
  return numbers.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
}
