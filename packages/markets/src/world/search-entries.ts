// The index is kept in step by differences: a market that is as it was is not indexed again. Others may follow other venues in the
// same index, so only what was put here is taken out here.
import { setImmediate } from "node:timers/promises";
import { installationAccount, type SearchEntry, type SearchIndex } from "@spfunctions/kernel";
import type { MarketRow } from "../venue/market.ts";
import { keyOf } from "./row-order.ts";
import type { VenueRows } from "./rows-by-tick.ts";

const prefix = "market:";
const batch = 500;

/** The markets that an index holds. */
export type SearchEntries = {
  /** Brings the index in step with what the venues have now. */
  follow(venues: VenueRows): Promise<void>;
  /** Which market a hit means; undefined for what is not one of these. */
  keyOfHit(id: string): string | undefined;
};

export function searchEntries(index: SearchIndex): SearchEntries {
  const indexed = new Map<string, MarketRow>();
  let followed: readonly MarketRow[] | undefined;
  let last: Promise<void> = Promise.resolve();

  async function step(venues: VenueRows): Promise<void> {
    if (followed === venues.rows) return;
    const { changed, gone } = differences(indexed, venues);
    for (let start = 0; start < changed.length; start += batch) {
      const part = changed.slice(start, start + batch);
      // oxlint-disable-next-line no-await-in-loop -- one batch at a time, and others have their turn in between
      await index.put(part.map(entryOf));
      for (const row of part) indexed.set(keyOf(row), row);
      // oxlint-disable-next-line no-await-in-loop
      if (start + batch < changed.length) await setImmediate();
    }
    await remove(gone);
    followed = venues.rows;
  }

  async function remove(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await index.remove(
      installationAccount,
      keys.map((key) => prefix + key),
    );
    for (const key of keys) indexed.delete(key);
  }

  return {
    follow(venues) {
      const done = last.then(() => step(venues));
      last = done.catch(() => undefined);
      return done;
    },
    keyOfHit: (id) => (id.startsWith(prefix) ? id.slice(prefix.length) : undefined),
  };
}

/** The markets of a venue that could not be read stay: nobody has said that they are gone. */
function differences(indexed: ReadonlyMap<string, MarketRow>, { rows, unavailable }: VenueRows) {
  const silent = new Set(unavailable.map(({ venue }) => venue));
  const present = new Set<string>();
  const changed: MarketRow[] = [];
  for (const row of rows) {
    const key = keyOf(row);
    present.add(key);
    const before = indexed.get(key);
    if (before === undefined || !saysTheSame(before, row)) changed.push(row);
  }
  const gone = Array.from(indexed).flatMap(([key, { venue }]) =>
    present.has(key) || silent.has(venue) ? [] : [key],
  );
  return { changed, gone };
}

function saysTheSame(a: MarketRow, b: MarketRow): boolean {
  return (
    a.title === b.title &&
    a.category === b.category &&
    a.tags.length === b.tags.length &&
    a.tags.every((tag, place) => tag === b.tags[place])
  );
}

function entryOf(row: MarketRow): SearchEntry {
  const text = [row.title, row.category, ...row.tags].join(" ");
  return { accountId: installationAccount, id: prefix + keyOf(row), text };
}
