import type { MarketRow } from "../venue/market.ts";
import type { Match } from "./match-markets.ts";

type Matching = {
  readonly rows: readonly MarketRow[];
  readonly places: readonly { readonly a: number; readonly b: number; readonly similarity: number }[];
};

const mostKept = 4;

/** Matches anew only where the markets differ: prices change with every tick, what markets are about does not. */
export function matchAgain(
  match: (rows: readonly MarketRow[]) => readonly Match[],
): (rows: readonly MarketRow[]) => readonly Match[] {
  const kept: Matching[] = [];
  return (rows) => {
    const known = kept.find((matching) => areAbout(matching.rows, rows));
    if (known !== undefined) return matchesAt(known, rows);
    const matches = match(rows);
    kept.unshift({ rows, places: placesOf(matches, rows) });
    kept.splice(mostKept);
    return matches;
  };
}

/** Whether nothing that a match depends on differs. */
function areAbout(before: readonly MarketRow[], after: readonly MarketRow[]): boolean {
  return (
    before.length === after.length &&
    before.every((one, place) => {
      const other = after[place];
      return (
        one.ticker === other?.ticker &&
        one.venue === other.venue &&
        one.title === other.title &&
        one.closesAt === other.closesAt
      );
    })
  );
}

function placesOf(matches: readonly Match[], rows: readonly MarketRow[]): Matching["places"] {
  const placeOf = new Map(rows.map((row, place) => [row, place]));
  return matches.map(({ a, b, similarity }) => ({
    a: placeOf.get(a) ?? 0,
    b: placeOf.get(b) ?? 0,
    similarity,
  }));
}

function matchesAt({ places }: Matching, rows: readonly MarketRow[]): Match[] {
  return places.flatMap((place) => {
    const [a, b] = [rows[place.a], rows[place.b]];
    return a === undefined || b === undefined ? [] : [{ a, b, similarity: place.similarity }];
  });
}
