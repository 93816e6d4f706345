import { segmentKind } from "../store/kernel-kinds.ts";
import type { Store } from "../store/store.ts";
import { cursorText, type Mark, startOfEvents } from "./event-cursor.ts";
import { endOf } from "./growing-segments.ts";
import { segmentsAfter, segmentsFromEnd } from "./segment-chain.ts";

/** The cursor of now: after whatever was written before it was asked for, and before whatever is written once it is there. */
export async function endOfEvents(store: Store, accountId: string): Promise<string> {
  const { value: last } = await segmentsFromEnd(store, accountId).next();
  if (last === undefined) return startOfEvents;
  const open = await openSegments(store, accountId);
  // Those that began meanwhile are found from the last one, from their first record on.
  const newer = new Set(await segmentsAfter(store, accountId, last));
  const older = open.filter((stream) => stream !== last && !newer.has(stream));
  const marks: Mark[] = [];
  for (const stream of [...older, last]) {
    // oxlint-disable-next-line no-await-in-loop -- a handful
    marks.push({ stream, seq: (await lastSeq(store, accountId, stream)) + 1, index: 0 });
  }
  return cursorText(marks);
}

async function openSegments(store: Store, accountId: string): Promise<string[]> {
  const open: string[] = [];
  for (let after = ""; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- page by page
    const page = await store.documents({ kind: segmentKind, accountId, status: "open", after, limit: 100 });
    open.push(...page.map(({ id }) => id));
    const last = page.at(-1);
    if (last === undefined || page.length < 100) return open;
    after = last.id;
  }
}

/** Where a segment ends: its seal says so, and of one without, a search among its numbers, which have no gaps. */
async function lastSeq(store: Store, accountId: string, stream: string): Promise<number> {
  const document = await store.document({ kind: segmentKind, accountId, id: stream });
  const sealed = document && endOf(document);
  if (sealed !== undefined) return sealed;
  const isThere = async (from: number) =>
    (await store.readStream({ stream, accountId, from, limit: 1 })).length === 1;
  /* oxlint-disable no-await-in-loop -- each answer says where to look next */
  let beyond = 2;
  while (await isThere(beyond)) beyond *= 2;
  let there = beyond / 2;
  while (beyond - there > 1) {
    const middle = Math.floor((there + beyond) / 2);
    if (await isThere(middle)) there = middle;
    else beyond = middle;
  }
  /* oxlint-enable no-await-in-loop */
  return there;
}
