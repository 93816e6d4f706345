// An account's journal is a chain of segments, each with one writer: no two processes ever contend for a record.
import {
  type AccountId,
  canonicalJson,
  type ContractTool,
  type Digest,
  journalEndSchema,
  JournalCorruptError,
  LeaseLostError,
  parseJsonStrict,
  RevisionConflictError,
  redactionVersion,
  type SegmentSeal,
  segmentSealSchema,
  toolDigest,
} from "@spfunctions/contracts";
import type { Signer } from "../installation/installation.ts";
import { contractKind, journalKind, segmentKind } from "../store/kernel-kinds.ts";
import { type DocumentWrite, type Head, installationAccount, type Store } from "../store/store.ts";
import type { Clock } from "../time/clock.ts";
import type { Ids } from "../time/ids.ts";
import { readKept } from "./read-kept.ts";
import { draftRecord } from "./record-draft.ts";
import { isRunStream, readRunSeal } from "./run-seal.ts";
import { genesisOf, sealText } from "./seal.ts";
import { StreamWriter } from "./stream-writer.ts";

export type SegmentHost = { readonly store: Store; readonly clock: Clock; readonly ids: Ids };

/** Begins a new segment of an account's journal, tied to the one before. */
export async function openSegment(
  host: SegmentHost,
  accountId: AccountId,
  manifestDigest: Digest,
): Promise<StreamWriter> {
  const { store, clock, ids } = host;
  const stream = `seg_${ids.unique()}`;
  const lease = await store.lease(stream, accountId, genesisOf(stream, accountId));
  if (lease.type === "held") throw new LeaseLostError(`a living process writes ${stream}`);
  const writer = new StreamWriter(store, clock, { stream, accountId, epoch: lease.epoch, head: lease.head });
  try {
    await writeOpening(store, writer, manifestDigest);
    return writer;
  } catch (error) {
    await store.release(stream, lease.epoch);
    throw error;
  }
}

async function writeOpening(store: Store, writer: StreamWriter, manifestDigest: Digest): Promise<void> {
  const { stream } = writer;
  const accountId = writer.accountId as AccountId;
  for (let attempt = 0; attempt < 100; attempt++) {
    // oxlint-disable-next-line no-await-in-loop -- again only when another process was first
    const { journal, previous } = await lastSegment(store, accountId);
    const opened = draftRecord("segment.opened", {
      stream,
      accountId,
      redactionVersion,
      manifestDigest,
      ...(previous === undefined ? {} : { previous }),
    });
    // oxlint-disable-next-line no-await-in-loop -- see above
    const written = await writer.write({
      durability: "process",
      records: [opened],
      documents: [
        { type: "put", kind: segmentKind, accountId, id: stream, expects: 0, status: "open", body: "{}" },
        {
          type: "put",
          kind: journalKind,
          accountId,
          id: journalKind,
          expects: journal.revision,
          status: "open",
          body: canonicalJson({ segments: journal.segments + 1, last: stream }),
        },
      ],
    });
    if (written.type === "written") return;
  }
  throw new RevisionConflictError(
    `the journal of ${accountId} is being changed by too many processes at once`,
  );
}

type Journal = { readonly revision: number; readonly segments: number; readonly last?: string };

async function lastSegment(
  store: Store,
  accountId: string,
): Promise<{ journal: Journal; previous?: { stream: string } & Head }> {
  const document = await store.document({ kind: journalKind, accountId, id: journalKind });
  if (document === undefined) {
    const [left] = await store.documents({ kind: segmentKind, accountId, limit: 1 });
    // Whoever begins the very first one at the same time has written both.
    if (
      left !== undefined &&
      (await store.document({ kind: journalKind, accountId, id: journalKind })) === undefined
    )
      throw new JournalCorruptError(
        `what says where the journal of ${accountId} ends is gone; verify the journal`,
        {
          details: { reason: "missing_end" },
        },
      );
    return { journal: { revision: 0, segments: 0 } };
  }
  const { segments, last } = readKept(
    journalEndSchema,
    document.body,
    `the end of the journal of ${accountId}`,
  );
  const seal = await readSeal(store, accountId, last);
  const head =
    seal === undefined ? { seq: 0, hash: genesisOf(last, accountId) } : { seq: seal.count, hash: seal.head };
  return { journal: { revision: document.revision, segments, last }, previous: { stream: last, ...head } };
}

export async function readSeal(
  store: Store,
  accountId: string,
  stream: string,
): Promise<SegmentSeal | undefined> {
  if (isRunStream(stream)) return await readRunSeal(store, accountId, stream);
  const document = await store.document({ kind: segmentKind, accountId, id: stream });
  if (document === undefined || document.status === "open") return undefined;
  if (document.status !== "sealed")
    throw new JournalCorruptError(`${stream} is neither open nor sealed; verify the journal`, {
      details: { stream, reason: "unreadable" },
    });
  return readKept(segmentSealSchema, document.body, `the seal of ${stream}`);
}

/** Ends a segment: after its seal nothing can be added, cut or changed without showing. */
export async function sealSegment(
  { store, clock }: Pick<SegmentHost, "store" | "clock">,
  writer: StreamWriter,
  signer?: Signer,
): Promise<SegmentSeal> {
  const { stream, accountId, head } = writer;
  const document = await store.document({ kind: segmentKind, accountId, id: stream });
  const facts = { count: head.seq, head: head.hash, sealedAt: new Date(clock.now()).toISOString() };
  const signature = signer && { keyId: signer.keyId, sig: signer.sign(sealText(stream, facts)) };
  const seal: SegmentSeal = signature === undefined ? facts : { ...facts, signature };
  const key = { kind: segmentKind, accountId, id: stream } as const;
  const expects = document?.revision ?? 0;
  const write: DocumentWrite = { type: "put", ...key, expects, status: "sealed", body: canonicalJson(seal) };
  const result = await store.commit({ durability: "process", now: clock.now(), documents: [write] });
  if (result.type === "conflict") throw new RevisionConflictError(`${stream} was sealed by somebody else`);
  return seal;
}

/** A contract is kept once, under its digest, so that what was recorded of a tool can be read without it. */
export function keepContract(contract: ContractTool): DocumentWrite {
  return {
    type: "keep",
    kind: contractKind,
    accountId: installationAccount,
    id: contract.digest,
    status: "kept",
    body: canonicalJson(contract),
  };
}

/** The contracts of these digests that are there, each as it was kept: one that was changed, or lies under another's digest, is not. */
export async function readContracts(store: Store, digests: readonly string[]): Promise<ContractTool[]> {
  const documents = await store.documentsById(contractKind, installationAccount, digests);
  return documents.flatMap(({ id, body }) => contractIn(id, body));
}

function contractIn(id: string, body: string): ContractTool[] {
  try {
    const contract = parseJsonStrict(body) as ContractTool;
    const { digest, ...definition } = contract;
    return digest === id && toolDigest(definition) === id ? [contract] : [];
  } catch {
    return [];
  }
}
