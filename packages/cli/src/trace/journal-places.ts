import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CliIo } from "../io/cli-io.ts";
import {
  agentPlaceOf,
  type GivenPlace,
  platformPlaceOf,
  type StorePlace,
  storePlaceOf,
} from "../seat/store-place.ts";

/** Where a journal is kept, and whether whoever runs this has named it. */
export type JournalPlace = { readonly place: StorePlace; readonly isNamed: boolean };

type Surroundings = Pick<CliIo, "env" | "cwd">;

/**
 * Where there may be a journal: in the place that is named, or else in those that `sf call`, `sf agent` and `sf up` write here, of the
 * folders those that are there.
 */
export function journalPlacesOf(given: GivenPlace, io: Surroundings): JournalPlace[] {
  if (given.data || given.store) return [{ place: storePlaceOf(given, io), isNamed: true }];
  return usualPlaces(io)
    .map(({ place }) => place)
    .filter((place) => place.type === "database" || existsSync(join(place.folder, "simplefunctions.db")))
    .map((place) => ({ place, isNamed: false }));
}

/** Where a journal may be, though nobody has named a place, and which commands write it; each once. */
export function usualPlaces(
  io: Surroundings,
): readonly { readonly place: StorePlace; readonly users: readonly string[] }[] {
  const places = new Map<string, { readonly place: StorePlace; readonly users: string[] }>();
  for (const [place, user] of [
    [storePlaceOf({}, io), "sf call"],
    [agentPlaceOf({}, io), "sf agent"],
    [platformPlaceOf({}, io), "sf up"],
  ] as const) {
    const known = places.get(place.called) ?? { place, users: [] };
    known.users.push(user);
    places.set(place.called, known);
  }
  return [...places.values()];
}
