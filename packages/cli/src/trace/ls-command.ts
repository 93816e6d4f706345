import type { CommandContext } from "../command-line/command-context.ts";
import { type Column, printTable } from "../io/print-table.ts";
import { journalPlacesOf, usualPlaces } from "./journal-places.ts";
import { journaledSegments } from "./journaled-segments.ts";
import { withJournals } from "./open-journals.ts";
import { createProgress } from "./progress.ts";
import { sizeText } from "./size-text.ts";
import { type SegmentSummary, summarizeSegment } from "./summarize-segment.ts";

/** As they were given. */
export type TraceLsOptions = {
  readonly data?: string;
  readonly store?: string;
  readonly account?: string;
  readonly limit: number;
  readonly json?: true;
};

/** What is journaled here. */
export async function listSegments(options: TraceLsOptions, context: CommandContext): Promise<void> {
  const { io, print } = context;
  const { total, segments } = await withJournals(options, context, async (journals) => {
    const progress = createProgress(print);
    const all = await journaledSegments(journals, options, io);
    const shown = all.slice(0, options.limit);
    const summaries: SegmentSummary[] = [];
    for (const [at, segment] of shown.entries()) {
      progress(`looked through ${at} of ${shown.length} segments`);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      summaries.push(await summarizeSegment(segment, io));
    }
    return { total: all.length, segments: summaries };
  });
  if (options.json === true) print.json({ ok: true, total, segments }, 2);
  else printSegments(segments, total, options, context);
}

function printSegments(
  segments: readonly SegmentSummary[],
  total: number,
  options: TraceLsOptions,
  { io, print }: CommandContext,
): void {
  if (total === 0) {
    const { data, store, account } = options;
    const places = data === undefined && store === undefined ? usualPlaces(io) : journalPlacesOf(options, io);
    const whose = account === undefined ? "" : ` of account ${account}`;
    const where = places.map(({ place }) => place.called);
    print.out(`none: nothing${whose} is journaled in ${where.join(", ")}`);
    return;
  }
  printTable(print, segments, columnsFor(segments));
  const rest = total - segments.length;
  const more = rest === 0 ? "" : `${rest} older ones are not shown: --limit ${total} shows all; `;
  print.err({ text: `${more}counted, not verified: sf trace verify does`, style: "dim" });
}

function count(name: "calls" | "refused" | "failed" | "unknown"): Column<SegmentSummary> {
  return [name, (one) => `${one[name]}`];
}

function columnsFor(segments: readonly SegmentSummary[]): readonly Column<SegmentSummary>[] {
  const hasSeveral = new Set(segments.map(({ where }) => where)).size > 1;
  return [
    ["segment", ({ segment }) => segment],
    ["account", ({ accountId }) => accountId],
    ["opened", ({ openedAt }) => openedAt ?? "?"],
    count("calls"),
    count("refused"),
    count("failed"),
    count("unknown"),
    ["state", ({ state }) => state],
    ["size", ({ bytes }) => sizeText(bytes)],
    ...(hasSeveral ? [["where", ({ where }: SegmentSummary) => where] as const] : []),
  ];
}
