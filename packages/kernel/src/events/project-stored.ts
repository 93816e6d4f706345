import {
  type AgentEvent,
  type JournalRecord,
  type JournalRecordKind,
  journalRecordSchema,
} from "@spfunctions/contracts";
import { projectEvents } from "../call/project-events.ts";
import { leavesPending, type Opening } from "../journal/fold-calls.ts";
import { readKept } from "../journal/read-kept.ts";
import type { Store, StoredRecord } from "../store/store.ts";
import { glimpse } from "./glimpse.ts";
import { begunBy, type Openings } from "./openings.ts";
import { names } from "./records-naming.ts";

/** Whose events are wanted; everybody's in the account unless said. */
export type EventScope = {
  /** Only what this run did. */
  readonly runId?: string | undefined;
  /** Only what was called with this key. */
  readonly keyId?: string | undefined;
};

export type EventSource = EventScope & {
  readonly store: Store;
  readonly accountId: string;
  readonly openings: Openings;
};

/** The events of a record as it is kept; nothing where it is outside the scope that is asked for. */
export async function projectStored(
  source: EventSource,
  stream: string,
  stored: StoredRecord,
): Promise<readonly AgentEvent[] | undefined> {
  const { openings, runId, keyId } = source;
  if (runId !== undefined && !names(stored, runId)) return undefined;
  if (keyId !== undefined && (await isAnothers(source, keyId, stream, stored))) return undefined;
  const record = recordOf(stream, stored, runId);
  if (record === undefined) return undefined;
  const opening = await openingOf(source, stream, record);
  if (opening !== undefined) openings.note(stream, begunBy(opening), leavesPending(record.kind, record));
  if (keyId !== undefined && opening?.principal.keyId !== keyId) return undefined;
  return projectEvents(record, stored.content, opening);
}

/** A record, where it is of the run that is asked for. All events of a record are of one run. */
export function recordOf(
  stream: string,
  { seq, text }: Pick<StoredRecord, "seq" | "text">,
  runId: string | undefined,
): JournalRecord | undefined {
  const record = readKept(journalRecordSchema, text, `record ${seq} of ${stream}`);
  return runId === undefined || ("runId" in record && record.runId === runId) ? record : undefined;
}

/** Whether a glimpse is enough to pass a record over. One that cannot be made out is not: it is read, and refused. */
async function isAnothers(
  { store, accountId, openings }: EventSource,
  keyId: string,
  stream: string,
  stored: StoredRecord,
): Promise<boolean> {
  const seen = names(stored, keyId) ? undefined : glimpse(stored.text);
  if (seen === undefined) return false;
  const { kind, callId } = seen;
  let owner: string | undefined;
  if (opens(kind)) owner = seen.keyId;
  else if (ends(kind)) owner = await openings.keyOf(store, accountId, stream, { seq: stored.seq, callId });
  if (owner === undefined || owner === keyId) return false;
  openings.note(stream, { callId, keyId: owner }, leavesPending(kind, seen));
  return true;
}

/** What opened the call that a record is about, where it takes that to show it. */
async function openingOf(
  { store, accountId, openings, keyId }: EventSource,
  stream: string,
  record: JournalRecord,
): Promise<Opening | undefined> {
  if (isOpening(record)) return record;
  if (!isEnding(record) || (record.kind !== "call.settled" && keyId === undefined)) return undefined;
  return await openings.of(store, accountId, stream, record);
}

export function isOpening(record: JournalRecord): record is Opening {
  return opens(record.kind);
}

function opens(kind: JournalRecordKind): kind is Opening["kind"] {
  switch (kind) {
    case "call.waiting":
    case "call.intended":
    case "call.read":
    case "call.refused":
    case "call.repeated":
      return true;
    default:
      return false;
  }
}

type Ending = Extract<JournalRecord, { kind: "call.settled" | "call.released" | "call.withheld" }>;

function isEnding(record: JournalRecord): record is Ending {
  return ends(record.kind);
}

function ends(kind: JournalRecordKind): kind is Ending["kind"] {
  return kind === "call.settled" || kind === "call.released" || kind === "call.withheld";
}
