// What was does not change: a time is read once for as long as it is remembered. A venue that tells its past computes it, so
// others are served before each.
import type { VenueReader } from "../venue/venue-reader.ts";
import { type GatheredRows, gatherRows } from "./gather-rows.ts";
import { groupVolumes, type MeanVolume } from "./group-volumes.ts";
import { keepFew } from "./keep-few.ts";
import type { Turn } from "./turns.ts";

/** How the venues were that can tell. */
export type Past = {
  readonly readers: readonly PastReader[];
  /** The markets that were open at a time. All of them are much to remember, so only the last few times are. */
  readonly rowsAt: (at: number) => Promise<GatheredRows>;
  /** What was traded in the day before a time; unknown where a venue could not be read, because a part is another scale. */
  readonly volumesAt: (at: number) => Promise<MeanVolume | undefined>;
};

/** A reader of a venue that can tell how it was. */
export type PastReader = VenueReader & Required<Pick<VenueReader, "rowsAt">>;

const mostRows = 4;
const mostVolumes = 400;

export function openPast(readers: readonly VenueReader[], turn: Turn): Past {
  const telling = readers.filter(canTellThePast);
  const rowsAt = keepFew(
    mostRows,
    (at: number) =>
      gatherRows(telling, async (reader) => {
        await turn();
        return await reader.rowsAt(at);
      }),
    isWhole,
  );
  const volumesAt = keepFew(
    mostVolumes,
    async (at: number) => {
      const read = await rowsAt(at);
      return isWhole(read) ? groupVolumes(read.rows) : undefined;
    },
    (volumes) => volumes !== undefined,
  );
  return { readers: telling, rowsAt, volumesAt };
}

export function canTellThePast(reader: VenueReader): reader is PastReader {
  return reader.rowsAt !== undefined;
}

/** Whether every venue could be read. */
export function isWhole({ unavailable }: Pick<GatheredRows, "unavailable">): boolean {
  return unavailable.length === 0;
}
