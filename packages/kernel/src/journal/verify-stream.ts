// B22: rows that were edited, removed, added, swapped or cut show here, and nothing goes on from them.
import {
  canonicalJson,
  checkAtDoor,
  type ContentDigest,
  type ContentRow,
  contentRowSchema,
  type Digest,
  hashText,
  isSimpleFunctionsError,
  JournalCorruptError,
  type JournalRecord,
  journalRecordSchema,
  parseJsonStrict,
} from "@spfunctions/contracts";
import { type GoneCounts, GonePayloads } from "./gone-payloads.ts";
import { contentDigest } from "./record-draft.ts";
import { genesisOf } from "./seal.ts";

/** A record as it lies somewhere: nothing about it is believed. */
export type FoundRecord = {
  readonly text: string;
  readonly content: readonly ContentRow[];
  /** The hash and the number that were kept beside it, where they were. */
  readonly hash?: string;
  readonly seq?: number;
};

/** A record that is what its writer wrote. */
export type VerifiedRecord = {
  readonly record: JournalRecord;
  readonly hash: Digest;
  readonly content: readonly ContentRow[];
};

/** What a sealed stream ends with. */
export type ExpectedEnd = { readonly count: number; readonly head: string };

/** The first record that is bad or missing. */
export type Broken = { readonly seq: number; readonly reason: string; readonly message: string };

export type StreamVerification =
  /** `ok`: sealed and whole. `open`: whole as far as it goes, and without a seal nobody can say how far it went. */
  | ({ readonly status: "ok" | "open"; readonly count: number; readonly head: Digest } & GoneCounts)
  | { readonly status: "broken"; readonly count: number; readonly broken: Broken };

export type Expectations = {
  /** What it ends with; without one nobody can say how far it went. */
  readonly seal?: ExpectedEnd | undefined;
  /** Which stream it is, and whose, where the asker knows. */
  readonly of?: { readonly stream: string; readonly accountId: string } | undefined;
};

/** Looks at a whole stream. Each record is given on to `seen` once nothing before it or in it was bad. */
export async function verifyStream(
  found: AsyncIterable<FoundRecord> | Iterable<FoundRecord>,
  { seal, of }: Expectations,
  seen?: (record: VerifiedRecord) => void,
): Promise<StreamVerification> {
  let last: VerifiedRecord | undefined;
  /** A record that does not continue the one before: which of the two was changed, the next one tells. */
  let doubtful: { readonly seq: number; readonly hash: Digest } | undefined;
  const gone = new GonePayloads();
  let count = 0;
  for await (const entry of found) {
    if (doubtful !== undefined) return broken(count, blame(doubtful, prevOf(entry)));
    count++;
    const looked = look(entry, count, last);
    if ("reason" in looked) return broken(count, looked);
    const before = last?.hash ?? genesis(looked.record, of);
    if (looked.record.prev !== before) doubtful = { seq: count, hash: looked.hash };
    else seen?.(looked);
    last = looked;
    gone.note(looked.record, looked.content);
  }
  if (doubtful !== undefined) return broken(count, blame(doubtful, seal?.head ?? doubtful.hash));
  if (last === undefined || (seal !== undefined && count < seal.count))
    return broken(count, missing(count, seal));
  if (seal !== undefined && count > seal.count) {
    return broken(count, bad(seal.count + 1, "after_the_seal", "was added after the seal"));
  }
  if (seal !== undefined && last.hash !== seal.head) {
    return broken(count, bad(count, "edited", "is not the one that was sealed"));
  }
  return { status: seal === undefined ? "open" : "ok", count, head: last.hash, ...gone.counts() };
}

/** For whoever goes on only from what is whole. */
export function requireWhole(verification: StreamVerification, what: string): void {
  if (verification.status !== "broken") return;
  const { seq, reason, message } = verification.broken;
  throw new JournalCorruptError(`${what} cannot be trusted: record ${seq} ${message}`, {
    details: { seq, reason },
  });
}

/** One record on its own: what it says is what was hashed, and its content is its content. */
export function verifyRecord(entry: FoundRecord, seq: number): VerifiedRecord | undefined {
  const record = read(entry.text);
  const hash = hashText(entry.text);
  if (record?.seq !== seq || hash !== entry.hash) return undefined;
  return contentProblem(record, entry.content) === undefined
    ? { record, hash, content: entry.content }
    : undefined;
}

function look(
  entry: FoundRecord,
  expected: number,
  last: VerifiedRecord | undefined,
): VerifiedRecord | Broken {
  const record = read(entry.text);
  if (record === undefined) return bad(expected, "unreadable", "is not a record");
  if (record.seq > expected) return bad(expected, "missing", "is missing");
  if (record.seq < expected) return bad(record.seq, "repeated", "is there twice");
  if (opensStream(record) !== (last === undefined)) {
    return bad(expected, "misplaced", "opens a stream in the middle, or does not open one at its beginning");
  }
  const hash = hashText(entry.text);
  if (entry.seq !== undefined && entry.seq !== expected)
    return bad(expected, "misplaced", "lies under another number");
  if (entry.hash !== undefined && entry.hash !== hash)
    return bad(expected, "edited", "does not have the hash it was kept with");
  return contentProblem(record, entry.content) ?? { record, hash, content: entry.content };
}

function read(text: string): JournalRecord | undefined {
  try {
    const value = parseJsonStrict(text);
    // Another spelling of the same record is not the record that was sealed.
    if (canonicalJson(value) !== text) return undefined;
    return checkAtDoor(journalRecordSchema, value, "record", JournalCorruptError);
  } catch (error) {
    if (isSimpleFunctionsError(error)) return undefined;
    throw error;
  }
}

function contentProblem(record: JournalRecord, rows: readonly ContentRow[]): Broken | undefined {
  const { seq } = record;
  const digests = contentDigestsIn(record);
  if (rows.length !== digests.length) return bad(seq, "content", "has lost or gained content");
  for (const [index, { ref, digest }] of digests.entries()) {
    const { data: row } = contentRowSchema.safeParse(rows[index]);
    if (row === undefined) return bad(seq, "content", "has content that nobody could have written");
    if (row.ref !== ref) return bad(seq, "content", "has the content of another record");
    if (!("erased" in row) && contentDigest(row.salt, row.text) !== digest) {
      return bad(seq, "content", "has content that was changed");
    }
  }
  return undefined;
}

/** What a record says about its content, in the order in which the rows lie beside it. */
export function contentDigestsIn(record: JournalRecord): ContentDigest[] {
  const { input, output, error, note, summary, told } = record as {
    input?: ContentDigest;
    output?: ContentDigest;
    error?: { message: ContentDigest };
    note?: ContentDigest;
    summary?: ContentDigest;
    told?: ContentDigest;
  };
  return [input, output, error?.message, note, summary, told].filter((digest) => digest !== undefined);
}

/** What the first record must continue: of another stream than the one that is asked for, it does not. */
function genesis(record: JournalRecord, of: Expectations["of"]): Digest | undefined {
  if (!opensStream(record)) return undefined;
  const { stream, accountId } = record;
  const isOther = of !== undefined && (of.stream !== stream || of.accountId !== accountId);
  return isOther ? undefined : genesisOf(stream, accountId);
}

type StreamOpening = Extract<JournalRecord, { kind: "segment.opened" | "run.opened" }>;

function opensStream(record: JournalRecord): record is StreamOpening {
  return record.kind === "segment.opened" || record.kind === "run.opened";
}

function prevOf({ text }: FoundRecord): string | undefined {
  return read(text)?.prev;
}

/** If the record after says that the doubtful one is as it was, the one before it was changed. */
function blame(
  { seq, hash }: { readonly seq: number; readonly hash: Digest },
  witness: string | undefined,
): Broken {
  if (seq === 1) return bad(1, "foreign", "is not the beginning of this stream");
  return witness === hash
    ? bad(seq - 1, "edited", "was changed: the next one does not continue it")
    : bad(seq, "broken_link", "does not continue the one before");
}

function missing(count: number, seal: ExpectedEnd | undefined): Broken {
  const rest = seal === undefined ? "" : `; the seal counts ${seal.count} records`;
  return bad(count + 1, "missing_tail", `is missing, as is everything after it${rest}`);
}

function bad(seq: number, reason: string, message: string): Broken {
  return { seq, reason, message };
}

function broken(count: number, what: Broken): StreamVerification {
  return { status: "broken", count, broken: what };
}
