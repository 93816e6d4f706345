import { type Clock, unlessAborted } from "@spfunctions/kernel";
import type { MarketRow } from "../../venue/market.ts";
import { cancelled } from "../http/venue-faults.ts";
import { restMsOf } from "../http/venue-rest.ts";

type Rows = readonly MarketRow[];

/** What came of a reading, and until when it is taken for what another would come to. */
type Kept = ({ readonly rows: Rows } | { readonly fault: unknown }) & { readonly until: number };

/**
 * Reads a venue's list once for everybody who asks while it is read, and again only when what was read has grown old. Whoever gives
 * up leaves the reading to the others. A fault is kept as long as a list, or for as long as the venue wants to be left alone.
 */
export function keepRows(
  venue: string,
  read: () => Promise<Rows>,
  clock: Clock,
  keepMs: number,
): (signal?: AbortSignal) => Promise<Rows> {
  let kept: Kept | undefined;
  let reading: Promise<Rows> | undefined;

  async function readAnew(): Promise<Rows> {
    try {
      const rows = await read();
      kept = { rows, until: clock.elapsed() + keepMs };
      return rows;
    } catch (fault) {
      kept = { fault, until: clock.elapsed() + Math.max(keepMs, restMsOf(fault)) };
      throw fault;
    } finally {
      reading = undefined;
    }
  }

  return async (signal) => {
    if (signal?.aborted) throw cancelled(venue);
    if (kept !== undefined && clock.elapsed() < kept.until) {
      if ("fault" in kept) throw kept.fault;
      return kept.rows;
    }
    reading ??= readAnew();
    return signal === undefined ? reading : unlessAborted(reading, signal, () => cancelled(venue));
  };
}
