// The whole journal of an account: each segment against its seal, and the segments against each other.
import { type JournalRecord, parseJsonStrict } from "@spfunctions/contracts";
import type { Store } from "../store/store.ts";
import { readWholeStream } from "./read-stream.ts";
import { type CallsState, tryFold } from "./fold-calls.ts";
import { journalKind, readSeal, segmentKind } from "./segment.ts";
import { type Broken, type StreamVerification, verifyStream } from "./verify-stream.ts";

export type SegmentVerification = { readonly stream: string; readonly verification: StreamVerification };

export type AccountVerification = {
  /** `open` while a segment is being written. */
  readonly status: "ok" | "open" | "broken";
  readonly segments: readonly SegmentVerification[];
  /** Segments that others name and that are not there as they were. */
  readonly missing: readonly string[];
};

export async function verifyAccount(store: Store, accountId: string): Promise<AccountVerification> {
  const segments: SegmentVerification[] = [];
  const named = new Map<string, { readonly seq: number; readonly hash: string }>();
  for await (const stream of segmentsOf(store, accountId)) {
    const seal = await readSeal(store, accountId, stream);
    const calls: CallsState = new Map();
    let impossible: Broken | undefined;
    const verification = await verifyStream(readWholeStream(store, stream, accountId), seal, (verified) => {
      const previous = previousOf(verified.record);
      if (previous !== undefined) named.set(previous.stream, previous);
      impossible ??= tryFold(calls, verified);
    });
    const { count } = verification;
    const isImpossible = impossible !== undefined && verification.status !== "broken";
    segments.push({
      stream,
      verification: isImpossible ? { status: "broken", count, broken: impossible as Broken } : verification,
    });
  }
  const missing = await findMissing(store, accountId, segments, named);
  const states = new Set(segments.map(({ verification }) => verification.status));
  if (missing.length > 0 || states.has("broken")) return { status: "broken", segments, missing };
  return { status: states.has("open") ? "open" : "ok", segments, missing };
}

/** Every segment, in the order of ids. */
export async function* segmentsOf(store: Store, accountId: string): AsyncGenerator<string> {
  for (let after = ""; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- page by page
    const page = await store.documents({ kind: segmentKind, accountId, after, limit: 100 });
    for (const { id } of page) yield id;
    const last = page.at(-1);
    if (last === undefined || page.length < 100) return;
    after = last.id;
  }
}

function previousOf(record: JournalRecord): { stream: string; seq: number; hash: string } | undefined {
  return record.kind === "segment.opened" ? record.previous : undefined;
}

async function findMissing(
  store: Store,
  accountId: string,
  segments: readonly SegmentVerification[],
  named: ReadonlyMap<string, { readonly seq: number; readonly hash: string }>,
): Promise<string[]> {
  const found = new Map(segments.map(({ stream, verification }) => [stream, verification]));
  const missing = [...named].filter(([stream, { seq, hash }]) => {
    const verification = found.get(stream);
    if (verification === undefined) return true;
    // Seq 0: it was still open when it was named, and may have gone on.
    return (
      seq > 0 && verification.status === "ok" && (verification.count !== seq || verification.head !== hash)
    );
  });
  const document = await store.document({ kind: journalKind, accountId, id: journalKind });
  const last = document && (parseJsonStrict(document.body) as { last: string; segments: number });
  const isShort = last !== undefined && (!found.has(last.last) || last.segments > found.size);
  return [...missing.map(([stream]) => stream), ...(isShort && missing.length === 0 ? [last.last] : [])];
}

/** What is wrong with a journal, in one line each. */
export function problemsOf({ segments, missing }: AccountVerification): string[] {
  const broken = segments.flatMap(({ stream, verification }) =>
    verification.status === "broken" ? [problem(stream, verification.broken)] : [],
  );
  return [
    ...broken,
    ...missing.map((stream) => `${stream}: this segment, or one after it, is missing or was replaced`),
  ];
}

function problem(stream: string, { seq, message }: Broken): string {
  return `${stream}: record ${seq} ${message}`;
}
