// The whole journal of an account: each segment on its own, then what the segments say about each other and about what is kept
// beside them.
import { type JournalEnd, journalEndSchema } from "@spfunctions/contracts";
import { journalKind, runKind, segmentKind } from "../store/kernel-kinds.ts";
import type { Place, Store } from "../store/store.ts";
import {
  contractProblem,
  erasureProblem,
  listedEffects,
  listProblem,
  sealProblem,
} from "./account-problems.ts";
import { lookAtRun } from "./look-at-run.ts";
import { lookAtSegment, type Segment } from "./look-at-segment.ts";
import { isCorrupt, readKept } from "./read-kept.ts";
import { genesisOf } from "./seal.ts";
import { readSeal } from "./segment.ts";
import { keptApprovals, unfitApprovals } from "./unfit-approvals.ts";
import type { Broken, StreamVerification } from "./verify-stream.ts";

export type SegmentVerification = { readonly stream: string; readonly verification: StreamVerification };

export type AccountVerification = {
  /** `open` while a segment is being written. */
  readonly status: "ok" | "open" | "broken";
  readonly segments: readonly SegmentVerification[];
  /** Segments that others name and that are not there as they were, and what says which there are. */
  readonly missing: readonly string[];
  /** Approvals and grants that are not what the records say of them. */
  readonly unfit: readonly string[];
  /** How many segments have a seal that one of the given keys has signed. */
  readonly signed: number;
};

/** `publicKeys`: whoever may have signed its seals. */
export async function verifyAccount(
  store: Store,
  accountId: string,
  publicKeys: readonly string[] = [],
): Promise<AccountVerification> {
  const kept = await keptApprovals(store, accountId);
  const { found: chain, missing } = await findSegments(store, accountId, publicKeys);
  const found = new Map([...chain, ...(await lookAtRuns(store, accountId, publicKeys))]);
  const listed = await listedEffects(store, accountId, found);
  const since = await lookAgain(store, accountId, publicKeys, found);
  const checks = [
    sealProblem(found, publicKeys),
    erasureProblem(since),
    listProblem(found, since, listed),
    await contractProblem(store, found),
  ];
  const segments = [...found.values()].map((segment): SegmentVerification => {
    const { stream, verification } = segment;
    if (verification.status === "broken") return { stream, verification };
    const broken = checks.map((check) => check(segment)).find((one) => one !== undefined);
    if (broken === undefined) return { stream, verification: allErased(verification) };
    return { stream, verification: { status: "broken", count: verification.count, broken } };
  });
  const states = new Set(segments.map(({ verification }) => verification.status));
  const isTorn = missing.length > 0 || states.has("broken");
  const said = [...found.values()].map(({ approvals }) => approvals);
  // What a torn journal does not say, nobody knows.
  const unfit = isTorn ? [] : await unfitApprovals(store, accountId, kept, said);
  const status = isTorn || unfit.length > 0 ? "broken" : states.has("open") ? "open" : "ok";
  const signed = [...found.values()].filter(({ isSigned }) => isSigned).length;
  return { status, segments, missing, unfit, signed };
}

/** Of a payload that is gone from a segment another one may say that it was erased; all together they say it of each. */
function allErased(verification: Exclude<StreamVerification, { status: "broken" }>): StreamVerification {
  const { erased, withheld, absent } = verification;
  return { ...verification, erased: erased + withheld + absent, withheld: 0, absent: 0 };
}

/**
 * What says that something was erased or decided. Others do it while the segments are looked at, one after the other, and leave
 * their record in one that was open then, or began since.
 */
async function lookAgain(
  store: Store,
  accountId: string,
  publicKeys: readonly string[],
  found: ReadonlyMap<string, Segment>,
): Promise<Pick<Segment, "erased" | "resolved">[]> {
  const all: Pick<Segment, "erased" | "resolved">[] = [...found.values()];
  const isQuiet = [...found.values()].every(({ gone, unknown }) => gone.length + unknown.length === 0);
  if (isQuiet) return all;
  for await (const stream of streamsOf(store, accountId)) {
    const before = found.get(stream)?.verification.status;
    if (before === undefined || before === "open")
      all.push(await lookAtSegment(store, accountId, stream, publicKeys));
  }
  return all;
}

/** Runs that have streams of their own. */
async function lookAtRuns(
  store: Store,
  accountId: string,
  publicKeys: readonly string[],
): Promise<Map<string, Segment>> {
  const runs = new Map<string, Segment>();
  for await (const stream of idsOf(store, runKind, accountId))
    runs.set(stream, await lookAtRun(store, accountId, stream, publicKeys));
  return runs;
}

/** Every stream of an account: the segments of its journal, and its runs. */
export async function* streamsOf(store: Store, accountId: string): AsyncGenerator<string> {
  yield* segmentsOf(store, accountId);
  yield* idsOf(store, runKind, accountId);
}

type Found = { readonly found: Map<string, Segment>; readonly missing: readonly string[] };

/** Every segment, and those that ought to be there. Others may begin segments meanwhile. */
async function findSegments(store: Store, accountId: string, publicKeys: readonly string[]): Promise<Found> {
  // Before the segments: every one that it counts is among them.
  const end = await store.document({ kind: journalKind, accountId, id: journalKind });
  const found = new Map<string, Segment>();
  for await (const stream of segmentsOf(store, accountId)) {
    found.set(stream, await lookAtSegment(store, accountId, stream, publicKeys));
  }
  // The very first one may have begun since.
  const now = end ?? (await store.document({ kind: journalKind, accountId, id: journalKind }));
  if (now === undefined) return { found, missing: found.size === 0 ? [] : [journalKind] };
  const known = await unlessCorrupt(async () => readKept(journalEndSchema, now.body, "the journal's end"));
  const counted = found.size;
  const missing = new Set<string>(known === undefined ? [journalKind] : []);
  const named: Place[] = [...found.values()].flatMap(({ previous }) => previous ?? []);
  if (known !== undefined) named.push({ stream: known.last, seq: 0, hash: genesisOf(known.last, accountId) });
  /* oxlint-disable no-await-in-loop -- one may name the next */
  for (let place = named.pop(); place !== undefined; place = named.pop()) {
    const { stream } = place;
    if (!found.has(stream) && (await store.document({ kind: segmentKind, accountId, id: stream }))) {
      // It began behind the place where the listing was.
      const late = await lookAtSegment(store, accountId, stream, publicKeys);
      found.set(stream, late);
      if (late.previous !== undefined) named.push(late.previous);
    }
    if (!found.has(stream) || !(await isAsNamed(store, accountId, place))) missing.add(stream);
  }
  /* oxlint-enable no-await-in-loop */
  if (known !== undefined && missing.size === 0) {
    if (end !== undefined && known.segments > counted) missing.add(known.last);
    else if (!isOneChain(found, known)) missing.add(journalKind);
  }
  return { found, missing: [...missing] };
}

/** One begins the journal, each other one continues another, and the last is as many after the first as are counted. */
function isOneChain(found: ReadonlyMap<string, Segment>, { segments, last }: JournalEnd): boolean {
  const all = [...found.values()];
  // What a broken one continues nobody knows.
  if (all.some(({ verification }) => verification.status === "broken")) return true;
  const before = all.map(({ previous }) => previous?.stream);
  if (new Set(before).size !== before.length) return false;
  let length = 0;
  for (let at: string | undefined = last; at !== undefined && length <= all.length; length++) {
    at = found.get(at)?.previous?.stream;
  }
  return length === segments;
}

/** Whether a segment is as the next one found it. Seq 0: it was still open then, and may have gone on. */
async function isAsNamed(store: Store, accountId: string, { stream, seq, hash }: Place): Promise<boolean> {
  if (seq === 0) return true;
  // Read again: when it was looked at, it may have been open.
  const seal = await unlessCorrupt(() => readSeal(store, accountId, stream));
  const [record] = await store.readStream({ stream, accountId, from: seq, limit: 1 });
  return seal?.count === seq && seal.head === hash && record?.hash === hash;
}

/** Every segment, in the order of ids. */
export async function* segmentsOf(store: Store, accountId: string): AsyncGenerator<string> {
  yield* idsOf(store, segmentKind, accountId);
}

async function* idsOf(store: Store, kind: string, accountId: string): AsyncGenerator<string> {
  for (let after = ""; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- page by page
    const page = await store.documents({ kind, accountId, after, limit: 100 });
    for (const { id } of page) yield id;
    const last = page.at(-1);
    if (last === undefined || page.length < 100) return;
    after = last.id;
  }
}

/** What is wrong with a journal, in one line each. */
export function problemsOf({
  segments,
  missing,
  unfit,
}: Pick<AccountVerification, "segments" | "missing" | "unfit">): string[] {
  const broken = segments.flatMap(({ stream, verification }) =>
    verification.status === "broken" ? [problem(stream, verification.broken)] : [],
  );
  return [...broken, ...missing.map(missingProblem), ...unfit.map(unfitProblem)];
}

function unfitProblem(id: string): string {
  return `${id}: what is kept of it is not what the journal says of it`;
}

function missingProblem(stream: string): string {
  return stream === journalKind
    ? "what says how many segments there are is missing or was changed"
    : `${stream}: this segment, or one after it, is missing or was replaced`;
}

function problem(stream: string, { seq, message }: Broken): string {
  return `${stream}: record ${seq} ${message}`;
}

async function unlessCorrupt<Kept>(read: () => Promise<Kept>): Promise<Kept | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isCorrupt(error)) return undefined;
    throw error;
  }
}
