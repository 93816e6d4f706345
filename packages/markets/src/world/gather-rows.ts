// One venue that fails does not fail a read over several: it is named, with its code. When all fail, so does the read.
import { type ErrorCode, isSimpleFunctionsError, UpstreamError } from "@spfunctions/contracts";
import type { MarketRow } from "../venue/market.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { byName, compareText, keyOf } from "./row-order.ts";

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
  const rows = tidied(answers.flatMap((answer) => ("rows" in answer ? [answer.rows] : [])));
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

function tidied(answers: readonly (readonly MarketRow[])[]): readonly MarketRow[] {
  const open = answers.map((rows) => inOrder(rows.filter(({ status }) => status === "open").map(wellFormed)));
  return inOrder(open.toSorted(([a], [b]) => compareText(a?.venue ?? "", b?.venue ?? "")).flat());
}

/** Each once. Most venues give their rows in order, which is quickly seen. */
function inOrder(rows: readonly MarketRow[]): readonly MarketRow[] {
  if (rows.every((row, place) => place === 0 || isBefore(rows[place - 1], row))) return rows;
  const byKey = new Map<string, MarketRow>();
  for (const row of rows) {
    const key = keyOf(row);
    if (!byKey.has(key)) byKey.set(key, row);
  }
  return [...byKey.values()].toSorted(byName);
}

function isBefore(a: MarketRow | undefined, b: MarketRow): boolean {
  return a !== undefined && byName(a, b) < 0;
}

/** Half a character is no text: an answer that held one could not be written down. */
function wellFormed(row: MarketRow): MarketRow {
  const { venue, ticker, event, title, category, region, tags } = row;
  if (
    title.isWellFormed() &&
    ticker.isWellFormed() &&
    event.isWellFormed() &&
    venue.isWellFormed() &&
    category.isWellFormed() &&
    region.isWellFormed() &&
    tags.every((tag) => tag.isWellFormed())
  )
    return row;
  const texts = Object.entries({ venue, ticker, event, title, category, region });
  const mended = texts.map(([name, text]) => [name, text.toWellFormed()]);
  return { ...row, ...Object.fromEntries(mended), tags: tags.map((tag) => tag.toWellFormed()) };
}

function nobodyAnswered(
  failed: readonly { readonly unavailable: Unavailable; readonly cause: unknown }[],
): UpstreamError {
  const unavailable = failed.map((failure) => failure.unavailable);
  const said = unavailable.map(({ venue, code }) => `${venue} (${code})`).join(", ");
  return new UpstreamError(`no venue could be read: ${said}; try again in a minute`, {
    details: { unavailable },
    cause: failed[0]?.cause,
  });
}
