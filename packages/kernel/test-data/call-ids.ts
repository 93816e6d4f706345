import type { Ids } from "../src/time/ids.ts";

/** Names that count up. `life` tells processes apart that share a store. */
export function countingIds(life = 1): Ids {
  let names = 0;
  let salts = 0;
  return {
    unique: () => {
      names += 1;
      return `0000000${life}-0000-4000-8000-${String(names).padStart(12, "0")}`;
    },
    salt: () => {
      salts += 1;
      return `salt-${life}-${salts}`;
    },
  };
}
