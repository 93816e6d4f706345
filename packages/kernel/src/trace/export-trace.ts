// A trace is an export of one segment, or of one run: the records as they were hashed, their content, and the contracts it takes to read them.
import {
  canonicalJson,
  type ContentRow,
  type ContractTool,
  hashText,
  JournalCorruptError,
  type JournalRecord,
  NotFoundError,
  type SegmentSeal,
  type TraceHeader,
  type TraceSeal,
} from "@spfunctions/contracts";
import type { Signer } from "../installation/installation.ts";
import { readWholeStream } from "../journal/read-stream.ts";
import { readContracts, readSeal } from "../journal/segment.ts";
import { isSealSignedBy } from "../journal/look-at-segment.ts";
import { verifyCalls } from "../journal/verify-calls.ts";
import { requireWhole } from "../journal/verify-stream.ts";
import type { Store } from "../store/store.ts";

/**
 * The lines of a trace, in order. Without a seal in the journal it has none either, and verifies as `open`. B22: a segment that
 * is not what was written is not exported, and nothing is signed that this installation did not seal.
 */
export async function* exportTrace(
  store: Store,
  accountId: string,
  stream: string,
  signer?: Signer,
): AsyncGenerator<string> {
  // Twice over the stream, so that it is never in memory whole: the first line needs to know which tools come.
  const seal = await readSeal(store, accountId, stream);
  const { digests, opened, count, unreleased } = await lookThrough(store, { stream, accountId }, seal);
  const first = await headerLine(store, opened, digests);
  yield first;
  for await (const { seq, text, content } of readWholeStream(store, stream, accountId)) {
    // What was written since is for the next export.
    if (seq > count) break;
    yield recordLine(text, content, unreleased);
  }
  if (seal !== undefined) yield sealLine(stream, seal, first, signer);
}

/** A trace's first line: what it takes to read the rest. */
export async function headerLine(
  store: Store,
  { stream, redactionVersion, manifestDigest }: Opened,
  digests: readonly string[],
): Promise<string> {
  const tools = await contractsOf(store, digests, stream);
  return canonicalJson({ v: 1, redactionVersion, tools, manifestDigest } satisfies TraceHeader);
}

/** A record as it was hashed, with its payloads; an output that nobody was given is given to nobody. */
export function recordLine(
  text: string,
  content: readonly ContentRow[],
  unreleased: { readonly has: (ref: string) => boolean },
): string {
  const rows = content.map((row) =>
    unreleased.has(row.ref) ? { ref: row.ref, erased: true as const } : row,
  );
  return canonicalJson(rows.length === 0 ? { record: text } : { record: text, content: rows });
}

/** A trace's last line, signed where this installation has signed the segment. */
export function sealLine(
  stream: string,
  seal: SegmentSeal,
  first: string,
  signer: Signer | undefined,
): string {
  const { count, head } = seal;
  const facts: SealFacts = { count, head, headerDigest: hashText(first) };
  if (signer === undefined || !isSealSignedBy(stream, seal, signer.publicKey))
    return canonicalJson({ seal: facts } satisfies TraceSeal);
  const signature = { keyId: signer.keyId, sig: signer.sign(traceSealText(facts)) };
  return canonicalJson({ seal: { ...facts, signature } } satisfies TraceSeal);
}

async function contractsOf(
  store: Store,
  digests: readonly string[],
  stream: string,
): Promise<ContractTool[]> {
  const contracts = await readContracts(store, digests);
  if (contracts.length === digests.length) return contracts;
  throw new JournalCorruptError(
    `a contract that ${stream} was written under is missing or was changed; verify the journal`,
    {
      details: { stream, reason: "contract" },
    },
  );
}

type SealFacts = Pick<TraceSeal["seal"], "count" | "head" | "headerDigest">;

/** What a signature of a trace's seal is over. */
export function traceSealText({ count, head, headerDigest }: SealFacts): string {
  return `simplefunctions trace v1\n${canonicalJson({ count, head, headerDigest })}`;
}

export type Opened = Extract<JournalRecord, { kind: "segment.opened" | "run.opened" }>;

type Overview = {
  /** The contracts it takes to read it. */
  readonly digests: readonly string[];
  readonly opened: Opened;
  readonly count: number;
  /** Outputs that nobody was given: a trace gives them to nobody either. */
  readonly unreleased: ReadonlySet<string>;
};

async function lookThrough(
  store: Store,
  of: { readonly stream: string; readonly accountId: string },
  seal: SegmentSeal | undefined,
): Promise<Overview> {
  const { stream, accountId } = of;
  if ((await store.readStream({ stream, accountId, limit: 1 })).length === 0)
    throw new NotFoundError(`there is no journal segment ${stream} in this account`);
  const digests = new Set<string>();
  const held = new Map<string, string>();
  let opened: Opened | undefined;
  const { verification } = await verifyCalls(
    readWholeStream(store, stream, accountId),
    { seal, of },
    ({ record }) => {
      if (record.kind === "segment.opened" || record.kind === "run.opened") opened = record;
      if ("toolDigest" in record && record.toolDigest !== undefined) digests.add(record.toolDigest);
      if ("held" in record && record.held === true && record.output !== undefined)
        held.set(record.callId, record.output.ref);
      if (record.kind === "call.released") held.delete(record.callId);
    },
  );
  requireWhole(verification, `the journal segment ${stream}`);
  return {
    digests: [...digests].toSorted(),
    opened: opened as Opened,
    count: verification.count,
    unreleased: new Set(held.values()),
  };
}
