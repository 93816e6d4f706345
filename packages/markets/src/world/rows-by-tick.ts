import { HostConfigurationNeededError } from "@spfunctions/contracts";
import type { Clock } from "@spfunctions/kernel";
import { tickAt } from "../simulation/simulated-market.ts";
import type { MarketRow } from "../venue/market.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { type GatheredRows, gatherRows } from "./gather-rows.ts";

/** What the venues had. */
export type VenueRows = GatheredRows & {
  /** When it was put together; what is only known of a real venue may be older. */
  readonly at: number;
};

/** The open markets of all venues. Each venue is asked at most once a tick, whoever reads and however often. */
export type RowsByTick = {
  current(): Promise<VenueRows>;
  /**
   * Asks nobody real: the markets of a real venue are as they were last read. Whoever tends the markets reads them; a tool whose
   * class has no room for a venue's request must not (its class is that of the worst that it leads to). Once every real venue has
   * been read in a tick, what is known is what is current: the very same value.
   */
  known(): Promise<VenueRows>;
};

type Reading = { readonly tick: number; readonly rows: Promise<readonly MarketRow[]> };

export function rowsByTick(readers: readonly VenueReader[], clock: Pick<Clock, "now">): RowsByTick {
  const real = readers.filter(({ synthetic }) => !synthetic);
  const begun = new Map<VenueReader, Reading>();
  const ended = new Map<VenueReader, Reading>();
  let realReadings = 0;

  /** The reading is everybody's, so nobody who gives up waiting can end it. A failure stands until the next tick. */
  function rowsOf(reader: VenueReader): Promise<readonly MarketRow[]> {
    const tick = tickAt(clock.now());
    const before = begun.get(reader);
    if (before?.tick === tick) return before.rows;
    const rows = read(reader, tick);
    begun.set(reader, { tick, rows });
    return rows;
  }

  /** What it came to is what is known of the venue from then on, also where it failed. */
  async function read(reader: VenueReader, tick: number): Promise<readonly MarketRow[]> {
    const rows = reader.rows();
    const end = () => {
      ended.set(reader, { tick, rows });
      if (!reader.synthetic) realReadings += 1;
    };
    await rows.then(end, end);
    return await rows;
  }

  const gather = (ask: (reader: VenueReader) => Promise<readonly MarketRow[]>) => {
    const at = clock.now();
    return gatherRows(readers, ask).then((gathered) => ({ ...gathered, at }));
  };
  const asLastRead = async (reader: VenueReader) =>
    reader.synthetic ? await rowsOf(reader) : await (ended.get(reader)?.rows ?? unread(reader));
  const current = keptFor(() => gather(rowsOf));
  const known = keptFor(() => gather(asLastRead));
  return {
    current: () => current(`${tickAt(clock.now())}`),
    known: () => {
      const tick = tickAt(clock.now());
      const isCurrent = real.every((reader) => ended.get(reader)?.tick === tick);
      return isCurrent ? current(`${tick}`) : known(`${tick} ${realReadings}`);
    },
  };
}

function unread({ venue }: VenueReader): Promise<never> {
  return Promise.reject(
    new HostConfigurationNeededError(
      `${venue} has not been read yet; markets are read while they are tended`,
    ),
  );
}

/** Makes a value when its key has changed. */
function keptFor<Value>(make: () => Value): (key: string) => Value {
  let last: { readonly key: string; readonly value: Value } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, value: make() };
    return last.value;
  };
}
