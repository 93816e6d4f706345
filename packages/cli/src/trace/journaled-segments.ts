import { documentsOf, runKind, segmentKind, type Store } from "@spfunctions/kernel";
import type { CliIo } from "../io/cli-io.ts";
import { hasEnded, runStates } from "../runs/run-states.ts";
import { accountsIn, heard, type JournalScope, type OpenJournal } from "./open-journals.ts";

/** A segment of a journal, or a run that has a stream of its own, as it lies in a folder; nothing about it has been verified. */
export type JournaledSegment = OpenJournal & {
  readonly stream: string;
  readonly accountId: string;
  readonly state: "open" | "sealed" | "unreadable";
  /** When it began; nothing where its first record cannot be read. */
  readonly openedAt: string | undefined;
};

/** Every segment and run of these journals, the newest first. */
export async function journaledSegments(
  journals: readonly OpenJournal[],
  scope: JournalScope,
  { signal }: Pick<CliIo, "signal">,
): Promise<JournaledSegment[]> {
  const segments: JournaledSegment[] = [];
  /* oxlint-disable no-await-in-loop -- one after the other: there may be very many */
  for (const journal of journals) {
    for (const accountId of await accountsIn(journal.store, scope)) {
      for await (const { id: stream, state } of streamsOf(journal.store, accountId)) {
        const openedAt = await openingTime(journal.store, accountId, stream);
        segments.push({ ...journal, stream, accountId, state, openedAt });
        if (segments.length % 64 === 0) await heard({ signal });
      }
    }
  }
  return segments.toSorted((one, other) => compare(other.openedAt ?? "", one.openedAt ?? ""));
}

type ListedStream = { readonly id: string; readonly state: JournaledSegment["state"] };

async function* streamsOf(store: Store, accountId: string): AsyncGenerator<ListedStream> {
  for (const kind of [segmentKind, runKind])
    for await (const { id, status } of documentsOf(store, kind, accountId))
      yield { id, state: kind === runKind ? stateOfRun(status) : stateOfSegment(status) };
}

function stateOfSegment(status: string): JournaledSegment["state"] {
  return status === "open" || status === "sealed" ? status : "unreadable";
}

function stateOfRun(status: string): JournaledSegment["state"] {
  const state = runStates.find((one) => one === status);
  if (state === undefined) return "unreadable";
  return hasEnded(state) ? "sealed" : "open";
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

async function openingTime(store: Store, accountId: string, stream: string): Promise<string | undefined> {
  const [first] = await store.readStream({ stream, accountId, limit: 1 });
  const { ts } = membersOf(first?.text ?? "");
  return typeof ts === "string" ? ts : undefined;
}

/** The members of a record as it is kept, of which nothing is believed. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const page = 64;

/** The records of a segment as they are kept; everybody else has a turn between the pages. */
export async function* storedRecords(
  { store, accountId, stream }: Pick<JournaledSegment, "store" | "accountId" | "stream">,
  { signal }: Pick<CliIo, "signal">,
): AsyncGenerator<Awaited<ReturnType<Store["readStream"]>>[number]> {
  for (let from = 1; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- page by page
    const records = await store.readStream({ stream, accountId, from, limit: page });
    yield* records;
    const last = records.at(-1);
    if (last === undefined || records.length < page) return;
    from = last.seq + 1;
    // oxlint-disable-next-line no-await-in-loop -- see above
    await heard({ signal });
  }
}
