import {
  canonicalJson,
  type ContentDigest,
  type ContentRef,
  type ContentRow,
  type Digest,
  hashText,
  InternalError,
  type JournalRecord,
  type JournalRecordKind,
  type JsonValue,
  journalRecordSchema,
} from "@spfunctions/contracts";
import type { Head, SealedRecord } from "../store/store.ts";

/** Fields of a record, each already in its canonical text: what many records share is written once. */
export type Fields = Readonly<Record<string, string>>;

/** A record that is not in a stream yet: without its place, its time and its seal. */
export type RecordDraft = {
  readonly kind: JournalRecordKind;
  readonly body: Readonly<Record<string, unknown>>;
  /** The rest of the body. */
  readonly shared: Fields | undefined;
  readonly content: readonly ContentRow[];
};

type Placed = "v" | "seq" | "prev" | "ts" | "passedMs" | "kind";
/** What a record of a kind says of itself. */
export type RecordBody<Kind extends JournalRecordKind> = Omit<Extract<JournalRecord, { kind: Kind }>, Placed>;

/** What fields were made of. */
const madeOf = new WeakMap<Fields, Readonly<Record<string, unknown>>>();

/** Fields to be shared by many drafts. */
export function fieldsOf(body: Readonly<Record<string, unknown>>): Fields {
  const fields = Object.fromEntries(Object.entries(body).map(([key, value]) => [key, canonicalJson(value)]));
  madeOf.set(fields, body);
  return fields;
}

export function draftRecord<Kind extends JournalRecordKind>(
  kind: Kind,
  body: Partial<RecordBody<Kind>>,
  { content = [], shared }: { readonly content?: readonly ContentRow[]; readonly shared?: Fields } = {},
): RecordDraft {
  return { kind, body, shared, content };
}

/** A draft that says how long after the record before it was sealed, where that is to be said. */
export function timedDraft(draft: RecordDraft, passedMs: number | undefined): RecordDraft {
  return passedMs === undefined ? draft : { ...draft, body: { ...draft.body, passedMs } };
}

/** What a record of each kind can say, in the order in which canonical text says it. */
const keysOf = Object.fromEntries(
  journalRecordSchema.options.map(({ shape }) => [shape.kind.value, Object.keys(shape).toSorted()]),
) as unknown as { readonly [Kind in JournalRecordKind]: readonly string[] };

/** A kind of record with what many of them share filled in; each piece begins with a comma. */
type Frame = { readonly slots: readonly Slot[]; readonly after: string };
/** Where a field goes that differs: what stands before it, without and with its own name. */
type Slot = { readonly key: string; readonly before: string; readonly lead: string };

const frames = new WeakMap<Fields, Map<JournalRecordKind, Frame>>();
const nothingShared: Fields = {};

function frameOf(kind: JournalRecordKind, shared: Fields): Frame {
  const known = frames.get(shared) ?? new Map<JournalRecordKind, Frame>();
  frames.set(shared, known);
  const frame = known.get(kind) ?? makeFrame(kind, shared);
  known.set(kind, frame);
  return frame;
}

function makeFrame(kind: JournalRecordKind, shared: Fields): Frame {
  const fixed: Fields = { ...shared, kind: `"${kind}"`, v: "1" };
  const slots: Slot[] = [];
  let before = "";
  for (const key of keysOf[kind]) {
    const lead = `${before},"${key}":`;
    const field = fixed[key];
    if (field === undefined) slots.push({ key, before, lead });
    before = field === undefined ? "" : lead + field;
  }
  return { slots, after: before };
}

/** A record in its place, as whoever reads its text gets it. */
export function placedRecord(
  { kind, body, shared }: RecordDraft,
  { seq, prev }: Pick<SealedRecord, "seq" | "prev">,
  ts: string,
): JournalRecord {
  const own = { v: 1, seq, prev, ts, kind };
  return { ...(shared && madeOf.get(shared)), ...body, ...own } as JournalRecord;
}

/** Throws where whoever reads it would find that it is no record. `before`: the record that it would follow. */
export function requireReadable(draft: RecordDraft, before: Head, ts: string): void {
  const record = placedRecord(draft, { seq: before.seq + 1, prev: before.hash }, ts);
  const { error } = journalRecordSchema.safeParse(record);
  if (error !== undefined)
    throw new InternalError(`${draft.kind} would not be readable: nothing of it was written`, {
      cause: error,
    });
}

/** The canonical text of a record in its place. */
export function recordText({ kind, body, shared }: RecordDraft, { seq, hash }: Head, ts: string): string {
  const { slots, after } = frameOf(kind, shared ?? nothingShared);
  let text = "";
  for (const { key, before, lead } of slots) {
    const field = fieldText(key, body[key], seq, hash, ts);
    const piece = field === undefined ? before : lead + field;
    text += text === "" ? piece.slice(1) : piece;
  }
  return `{${text}${after}}`;
}

function fieldText(key: string, value: unknown, seq: number, hash: Digest, ts: string): string | undefined {
  switch (key) {
    case "prev":
      return `"${hash}"`;
    case "seq":
      return `${seq + 1}`;
    case "ts":
      return `"${ts}"`;
    default:
      return value === undefined ? undefined : canonicalJson(value);
  }
}

/** A payload on its way beside a record: the row to keep and what the record says of it. */
export type ContentDraft = { readonly row: ContentRow; readonly digest: ContentDigest };

/** `hash` and `value`: the text's own, where somebody has them already. */
export function draftContent(
  ref: ContentRef,
  salt: string,
  text: string,
  hash = hashText(text),
  value?: JsonValue,
): ContentDraft {
  const row = { ref, salt, text };
  if (value !== undefined) valueOf.set(row, value);
  return { row, digest: { ref, digest: saltedDigest(salt, hash) } };
}

/** What stands in rows that were made here. */
const valueOf = new WeakMap<ContentRow, JsonValue>();

/** Nothing where that would have to be read. */
export function knownValue(row: ContentRow): JsonValue | undefined {
  return valueOf.get(row);
}

export function contentDigest(salt: string, text: string): Digest {
  return saltedDigest(salt, hashText(text));
}

function saltedDigest(salt: string, hash: Digest): Digest {
  return hashText(`${salt}\n${hash}`);
}
