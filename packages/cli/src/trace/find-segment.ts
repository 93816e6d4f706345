import { NotFoundError } from "@spfunctions/contracts";
import type { CliIo } from "../io/cli-io.ts";
import { type JournaledSegment, journaledSegments, membersOf, storedRecords } from "./journaled-segments.ts";
import { runKind, segmentKind } from "@spfunctions/kernel";
import { accountsIn, type JournalScope, type OpenJournal } from "./open-journals.ts";

/** A segment, or a run with a stream of its own, and what of it was asked for; all of it unless said. */
export type FoundSegment = OpenJournal & {
  readonly stream: string;
  readonly accountId: string;
  readonly only?: { readonly runId: string } | { readonly callId: string };
};

/** Whether a name is that of something in a journal. */
export function isJournalId(name: string): boolean {
  return /^(?:seg|run|call)_[0-9A-Za-z-]{8,64}$/.test(name);
}

/** The segment or run of this id, or the one that a run or a call was begun in. */
export async function findSegment(
  id: string,
  journals: readonly OpenJournal[],
  scope: JournalScope,
  io: Pick<CliIo, "signal">,
): Promise<FoundSegment> {
  const found = (await segmentNamed(id, journals, scope)) ?? (await segmentWith(id, journals, scope, io));
  if (found !== undefined) return found;
  throw new NotFoundError(`nothing is journaled here as ${id}; sf trace ls lists what there is`, {
    details: { reason: "not_journaled" },
  });
}

/** The segment or run that began last, but for those in which nothing was called: an operator's answers, say. */
export async function lastSegment(
  journals: readonly OpenJournal[],
  scope: JournalScope,
  io: Pick<CliIo, "signal">,
): Promise<FoundSegment> {
  const segments = await journaledSegments(journals, scope, io);
  for (const segment of segments) {
    // oxlint-disable-next-line no-await-in-loop -- the first that has any
    if (await mayHaveCalls(segment, io)) return segment;
  }
  const [last] = segments;
  if (last !== undefined) return last;
  throw new NotFoundError("nothing is journaled here yet; sf trace ls says where it was looked", {
    details: { reason: "not_journaled" },
  });
}

async function segmentNamed(
  id: string,
  journals: readonly OpenJournal[],
  scope: JournalScope,
): Promise<FoundSegment | undefined> {
  const kind = id.startsWith("run_") ? runKind : segmentKind;
  for (const journal of journals) {
    // oxlint-disable-next-line no-await-in-loop -- a handful
    for (const accountId of await accountsIn(journal.store, scope)) {
      // oxlint-disable-next-line no-await-in-loop -- the first that has it
      const document = await journal.store.document({ kind, accountId, id });
      if (document !== undefined) return { ...journal, stream: id, accountId };
    }
  }
  return undefined;
}

const openings: ReadonlySet<unknown> = new Set([
  "call.refused",
  "call.waiting",
  "call.intended",
  "call.read",
  "call.repeated",
]);

/** B22: what cannot be read is not passed over. */
async function mayHaveCalls(segment: JournaledSegment, io: Pick<CliIo, "signal">): Promise<boolean> {
  if (segment.stream.startsWith("run_") || segment.openedAt === undefined) return true;
  for await (const { text } of storedRecords(segment, io)) {
    const { kind } = membersOf(text);
    if (kind === undefined || openings.has(kind)) return true;
  }
  return false;
}

/** Nothing says in which segment a call is: they are looked through, the newest first. */
async function segmentWith(
  id: string,
  journals: readonly OpenJournal[],
  scope: JournalScope,
  io: Pick<CliIo, "signal">,
): Promise<FoundSegment | undefined> {
  const name = id.startsWith("call_") ? "callId" : "runId";
  for (const segment of await journaledSegments(journals, scope, io)) {
    // oxlint-disable-next-line no-await-in-loop -- the first that has it
    for await (const { text } of storedRecords(segment, io)) {
      if (!text.includes(id)) continue;
      const members = membersOf(text);
      if (members[name] === id && openings.has(members.kind))
        return { ...segment, only: name === "callId" ? { callId: id } : { runId: id } };
    }
  }
  return undefined;
}
