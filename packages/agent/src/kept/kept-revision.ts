// B22: a revision is bound to the one before it by its hash, to its account and session by the first one's, and to this installation by a
// proof made with its secret, which is in no store. A row that somebody else wrote, changed or moved counts for nothing.
import {
  type AgentHead,
  type AgentRevision,
  canonicalJson,
  type Digest,
  hashInput,
  JournalCorruptError,
  type KeyedHash,
  keptAgentHeadSchema,
  keptRevisionSchema,
} from "@spfunctions/contracts";
import { type DocumentKey, type DocumentWrite, readKept, type StoredDocument } from "@spfunctions/kernel";

export const headKind = "agent";
export const revisionKind = "agent_revision";

/** Whose revisions, and who proves them. */
export type RevisionsOf = {
  readonly accountId: string;
  readonly sessionId: string;
  readonly proves: KeyedHash;
};

/** Before the first revision. */
export function genesisOf({ accountId, sessionId }: Pick<RevisionsOf, "accountId" | "sessionId">): Digest {
  return hashInput({ genesis: "simplefunctions agent v1", accountId, sessionId });
}

export function sealRevision(revision: Omit<AgentRevision, "hash">): AgentRevision {
  return { ...revision, hash: hashOf(revision) };
}

/** `hash` is over everything else. */
export function hashOf({
  checkpoint,
  operatorConstraints,
  importedMessages,
  cause,
  prev,
  salt,
}: Omit<AgentRevision, "hash">): Digest {
  return hashInput({ checkpoint, operatorConstraints, importedMessages, cause, prev, salt });
}

const digits = 10;

/** In the order of their numbers. No session id has a slash in it, so that a session's rows stand together, and alone. */
export function revisionId(sessionId: string, revision: number): string {
  return `${sessionId}/${String(revision).padStart(digits, "0")}`;
}

/** The number in an id; nothing where it is none of ours. */
export function numberIn(sessionId: string, id: string): number | undefined {
  const number = Number(id.slice(sessionId.length + 1));
  return Number.isSafeInteger(number) && revisionId(sessionId, number) === id ? number : undefined;
}

export function headKey({ accountId, sessionId }: RevisionsOf): DocumentKey {
  return { kind: headKind, accountId, id: sessionId };
}

/** `expects`: the store's revision of the row that it replaces, where something of it was erased; 0 of a new one. */
export function putRevision(
  of: RevisionsOf,
  value: AgentRevision,
  expects = 0,
): DocumentWrite & { readonly body: string } {
  const { accountId, sessionId } = of;
  const id = revisionId(sessionId, value.checkpoint.revision);
  const body = canonicalJson({ value, proof: proofOf(of, revisionKind, provenPart(value)) });
  return { type: "put", kind: revisionKind, accountId, id, expects, status: "kept", body };
}

/** The hash stands for all of it. Where something was erased it does not any more, and all that is left is proven. */
function provenPart(value: AgentRevision): unknown {
  return value.erased === undefined ? value.hash : value;
}

/** `erased`: something of the session was erased, so that what was read before may be more than there is. */
export type HeadStatus = "open" | "erased";

/** `expects`: the store's revision of the head that it replaces; 0 of a new one. */
export function putHead(
  of: RevisionsOf,
  value: AgentHead,
  { expects, status }: { readonly expects: number; readonly status: HeadStatus },
): DocumentWrite {
  const body = canonicalJson({ value, proof: proofOf(of, headKind, value) });
  return { type: "put", ...headKey(of), expects, status, body };
}

export function revisionIn(of: RevisionsOf, document: StoredDocument): AgentRevision {
  const what = `revision ${document.id}`;
  const { value, proof } = readKept(keptRevisionSchema, document.body, what);
  const { session_id: sessionId, revision } = value.checkpoint;
  if (sessionId !== of.sessionId || revisionId(sessionId, revision) !== document.id)
    throw corrupt(`${what} says that it is ${revisionId(sessionId, revision)}`, "wrong_place");
  if (value.erased === undefined && hashOf(value) !== value.hash)
    throw corrupt(`${what} is not what its hash says`, "hash_mismatch");
  if (proof !== proofOf(of, revisionKind, provenPart(value))) throw noProof(what);
  return value;
}

export function headIn(of: RevisionsOf, document: StoredDocument): AgentHead {
  const what = `the head of the session ${document.id}`;
  const { value, proof } = readKept(keptAgentHeadSchema, document.body, what);
  if (value.sessionId !== of.sessionId || value.accountId !== of.accountId)
    throw corrupt(`${what} is another session's`, "wrong_place");
  if (proof !== proofOf(of, headKind, value)) throw noProof(what);
  return value;
}

function proofOf({ accountId, sessionId, proves }: RevisionsOf, kind: string, value: unknown): string {
  return proves(`simplefunctions ${kind} v1\n${canonicalJson({ accountId, sessionId, value })}`);
}

export function corrupt(message: string, reason: string): JournalCorruptError {
  return new JournalCorruptError(`${message}: nothing goes on from it; verify the session`, {
    details: { reason },
  });
}

function noProof(what: string): JournalCorruptError {
  return corrupt(`${what} was not written by this installation, or was changed since`, "no_proof");
}
