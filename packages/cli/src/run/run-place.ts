import type { AskedPlace } from "../approvals/say-what-is-asked.ts";
import { placeOf } from "../effects/what-to-do.ts";
import type { CliIo } from "../io/cli-io.ts";
import { ownJournalOf } from "../platform/own-journal.ts";
import { platformOf } from "../platform/platform-of.ts";
import { type StorePlace, storePlaceOf } from "../seat/store-place.ts";
import type { RunCommandOptions } from "./run-options.ts";

/** Where a run is kept: of packs where `sf call` keeps its own, of a platform's tools where `sf agent` does. */
export function journalOf({ pack, data, store }: RunCommandOptions, io: CliIo): StorePlace {
  return pack === undefined ? ownJournalOf({ data, store }, io) : storePlaceOf({ data, store }, io);
}

/** Where nobody has named a place, `sf runs` and `sf approvals` look there by themselves. */
export function askedPlaceOf(journal: StorePlace, options: RunCommandOptions, io: CliIo): AskedPlace {
  const { data, store, ...place } = placeOf(journal, options.account, io);
  const isNamed = Boolean(options.data || options.store);
  return {
    ...place,
    ...(isNamed && data !== undefined && { data }),
    ...(isNamed && store !== undefined && { store }),
    ...platformOf(options, io),
  };
}
