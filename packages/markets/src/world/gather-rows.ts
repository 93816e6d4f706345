// One venue that fails does not fail a read over several: it is named, with its code. When all fail, so does the read.
import { type ErrorCode, isSimpleFunctionsError, UpstreamErrorError } from "@spfunctions/contracts";
import type { MarketRow } from "../venue/market.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { byName, keyOf } from "./row-order.ts";

export type Unavailable = { readonly venue: string; readonly code: ErrorCode };

/** The open markets of several venues, by venue and ticker, each once. */
export type GatheredRows = {
  readonly rows: readonly MarketRow[];
  readonly unavailable: readonly Unavailable[];
  /** Whether nobody real trades any of them. */
  readonly synthetic: boolean;
};

type Answer =
  | { readonly rows: readonly MarketRow[] }
  | { readonly unavailable: Unavailable; readonly cause: unknown };

/** Asks every reader at once. */
export async function gatherRows<Reader extends VenueReader>(
  readers: readonly Reader[],
  ask: (reader: Reader) => Promise<readonly MarketRow[]>,
): Promise<GatheredRows> {
  const answers = await Promise.all(readers.map((reader) => answerOf(reader, ask)));
  const failed = answers.flatMap((answer) => ("rows" in answer ? [] : [answer]));
  if (failed.length > 0 && failed.length === readers.length) throw nobodyAnswered(failed);
  const rows = tidied(answers.flatMap((answer) => ("rows" in answer ? answer.rows : [])));
  return {
    rows,
    unavailable: failed.map(({ unavailable }) => unavailable),
    synthetic: areSynthetic(rows, readers),
  };
}

/** Where there is nothing to look at, whoever was asked decides. */
export function areSynthetic(
  rows: readonly { readonly synthetic: boolean }[],
  otherwise: readonly { readonly synthetic: boolean }[],
): boolean {
  return (rows.length === 0 ? otherwise : rows).every(({ synthetic }) => synthetic);
}

async function answerOf<Reader extends VenueReader>(
  reader: Reader,
  ask: (reader: Reader) => Promise<readonly MarketRow[]>,
): Promise<Answer> {
  try {
    return { rows: await ask(reader) };
  } catch (cause) {
    const code = isSimpleFunctionsError(cause) ? cause.code : "internal";
    return { unavailable: { venue: reader.venue, code }, cause };
  }
}

function tidied(rows: readonly MarketRow[]): readonly MarketRow[] {
  const byKey = new Map<string, MarketRow>();
  for (const row of rows) {
    const key = keyOf(row);
    if (row.status === "open" && !byKey.has(key)) byKey.set(key, wellFormed(row));
  }
  return [...byKey.values()].toSorted(byName);
}

/** Half a character is no text: an answer that held one could not be written down. */
function wellFormed(row: MarketRow): MarketRow {
  const texts = textsOf(row);
  if (
    Object.values(texts).every((text) => text.isWellFormed()) &&
    row.tags.every((tag) => tag.isWellFormed())
  )
    return row;
  const mended = Object.entries(texts).map(([name, text]) => [name, text.toWellFormed()]);
  return { ...row, ...Object.fromEntries(mended), tags: row.tags.map((tag) => tag.toWellFormed()) };
}

function textsOf({ venue, ticker, event, title, category, region }: MarketRow) {
  return { venue, ticker, event, title, category, region };
}

function nobodyAnswered(
  failed: readonly { readonly unavailable: Unavailable; readonly cause: unknown }[],
): UpstreamErrorError {
  const unavailable = failed.map((failure) => failure.unavailable);
  const said = unavailable.map(({ venue, code }) => `${venue} (${code})`).join(", ");
  return new UpstreamErrorError(`no venue could be read: ${said}; try again in a minute`, {
    details: { unavailable },
    cause: failed[0]?.cause,
  });
}
