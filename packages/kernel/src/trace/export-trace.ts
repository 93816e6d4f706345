// A trace is an export of one segment: the records as they were hashed, their content, and the contracts it takes to read them.
import {
  canonicalJson,
  hashText,
  type JournalRecord,
  JournalCorruptError,
  NotFoundError,
  parseJsonStrict,
  type TraceHeader,
  type TraceSeal,
} from "@spfunctions/contracts";
import type { Signer } from "../installation/installation.ts";
import { readWholeStream } from "../journal/read-stream.ts";
import { readContracts, readSeal } from "../journal/segment.ts";
import type { Store, StoredRecord } from "../store/store.ts";

/** The lines of a trace, in order. Without a seal in the journal it has none either, and verifies as `open`. */
export async function* exportTrace(
  store: Store,
  accountId: string,
  stream: string,
  signer?: Signer,
): AsyncGenerator<string> {
  // Twice over the stream, so that it is never in memory whole: the first line needs to know which tools come.
  const { digests, opened, count } = await lookThrough(store, stream, accountId);
  const header: TraceHeader = {
    v: 1,
    redactionVersion: opened.redactionVersion,
    tools: (await readContracts(store, digests)).map((text) =>
      parseJsonStrict(text),
    ) as unknown as TraceHeader["tools"],
    manifestDigest: opened.manifestDigest,
  };
  const first = canonicalJson(header);
  yield first;
  for await (const { seq, text, content } of readWholeStream(store, stream, accountId)) {
    // What was written since is for the next export.
    if (seq > count) break;
    yield canonicalJson(content.length === 0 ? { record: text } : { record: text, content });
  }
  const seal = await readSeal(store, accountId, stream);
  if (seal?.count === count)
    yield canonicalJson(sealLine({ ...seal, headerDigest: hashText(first) }, signer));
}

type SealFacts = Pick<TraceSeal["seal"], "count" | "head" | "headerDigest">;

function sealLine({ count, head, headerDigest }: SealFacts, signer: Signer | undefined): TraceSeal {
  const seal = { count, head, headerDigest };
  if (signer === undefined) return { seal };
  return { seal: { ...seal, signature: { keyId: signer.keyId, sig: signer.sign(traceSealText(seal)) } } };
}

/** What a signature of a trace's seal is over. */
export function traceSealText({ count, head, headerDigest }: SealFacts): string {
  return `simplefunctions trace v1\n${canonicalJson({ count, head, headerDigest })}`;
}

async function lookThrough(
  store: Store,
  stream: string,
  accountId: string,
): Promise<{ digests: string[]; opened: Extract<JournalRecord, { kind: "segment.opened" }>; count: number }> {
  const digests = new Set<string>();
  let opened: JournalRecord | undefined;
  let count = 0;
  for await (const stored of readWholeStream(store, stream, accountId)) {
    const record = readRecord(stored);
    count = stored.seq;
    opened ??= record;
    if ("toolDigest" in record && record.toolDigest !== undefined) digests.add(record.toolDigest);
  }
  if (opened === undefined) throw new NotFoundError(`there is no journal segment ${stream} in this account`);
  if (opened.kind !== "segment.opened")
    throw new JournalCorruptError(`${stream} does not begin with its opening`);
  return { digests: [...digests].toSorted(), opened, count };
}

function readRecord({ text, seq }: StoredRecord): JournalRecord {
  try {
    return parseJsonStrict(text) as unknown as JournalRecord;
  } catch (cause) {
    throw new JournalCorruptError(`record ${seq} is not JSON; verify the journal`, {
      details: { seq },
      cause,
    });
  }
}
