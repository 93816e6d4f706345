// A session is one run after another, in whichever process: what was said in the runs before comes first in the next. It has one run
// at a time, and every run names the one before it.
import {
  canonicalJson,
  InvalidInputError,
  InvalidTransitionError,
  type JsonObject,
  JournalCorruptError,
  type KeyedHash,
  keptSessionSchema,
  parseAtDoor,
  type Principal,
  type RunId,
  type RuntimeSession,
  type SessionDocument,
  type SessionId,
} from "@spfunctions/contracts";
import { readKept, unlessCorrupt } from "../journal/read-kept.ts";
import { type Installation, processInstallation } from "../installation/installation.ts";
import { documentsOf } from "../store/documents-of.ts";
import { sessionKind } from "../store/kernel-kinds.ts";
import type { DocumentWrite, Store, StoredDocument } from "../store/store.ts";
import { listedRun, readRun } from "./journal/read-run.ts";
import type { RunHost } from "./run-host.ts";
import { hasEnded } from "./state/run-states.ts";

/** Where the next run of a session goes on. */
export type SessionPlace = {
  readonly sessionId: SessionId;
  /** Nothing where it would be the first. */
  readonly last?: SessionDocument | undefined;
  /** Of what is kept; 0 before anything is. */
  readonly revision: number;
};

/** What tells a process from others, for sessions that end with it. */
export function processName(given: string): string {
  const { process } = keptSessionSchema.shape.value.shape;
  return parseAtDoor(process.unwrap(), given, "process", InvalidInputError);
}

type SessionHost = Pick<RunHost, "store" | "clock" | "proves" | "session" | "package" | "requireProven">;

/** Nothing where no policy says how sessions are kept: then its name is a name, and no more. */
export async function enterSession(
  host: SessionHost,
  { accountId }: Principal,
  sessionId: SessionId,
): Promise<SessionPlace | undefined> {
  const { store, proves, session: terms } = host;
  if (terms === undefined) return undefined;
  const kept = await keptSession(store, accountId, sessionId, proves);
  if (kept === undefined) return { sessionId, revision: 0 };
  const { value, revision } = kept;
  await requireGoingOn(host, value, terms);
  return { sessionId, last: value, revision };
}

/** What is known of a session. */
export async function readSession(
  store: Store,
  accountId: string,
  sessionId: string,
  { keyHash }: Installation = processInstallation(),
): Promise<RuntimeSession | undefined> {
  return (await keptSession(store, accountId, sessionId, keyHash))?.value.session;
}

/** I1: of this account. B22: as this installation has left it. */
export async function keptSession(
  store: Store,
  accountId: string,
  sessionId: string,
  proves: KeyedHash,
): Promise<{ readonly value: SessionDocument; readonly revision: number } | undefined> {
  const document = await store.document({ kind: sessionKind, accountId, id: sessionId });
  return document && { value: sessionIn(document, proves), revision: document.revision };
}

function sessionIn({ accountId, id: sessionId, body }: StoredDocument, proves: KeyedHash): SessionDocument {
  const { value, proof } = readKept(keptSessionSchema, body, `what is kept of ${sessionId}`);
  const isInPlace = value.session.sessionId === sessionId && value.accountId === accountId;
  if (isInPlace && proof === sessionProof(value, proves)) return value;
  throw new JournalCorruptError(
    `${sessionId} is not as this installation has left it: nothing goes on by it; begin another session`,
    { details: { reason: "no_proof" } },
  );
}

async function requireGoingOn(
  { store, clock, package: { agentId }, requireProven }: SessionHost,
  { session: { sessionId }, accountId, runId, process, ...last }: SessionDocument,
  terms: NonNullable<RunHost["session"]>,
): Promise<void> {
  const refused = (why: string, reason: string) => notHere(sessionId, why, reason);
  if (last.agentId !== agentId)
    throw refused(`is one of the agent ${last.agentId}; begin another`, "other_agent");
  if (process !== undefined && process !== terms.process)
    throw refused("has ended with its process, as its policy says; begin another", "not_persisted");
  const { state } = await listedRun(store, accountId, runId);
  if (!hasEnded(state))
    throw refused(
      `has a run under way: ${runId} is ${state}. Wait for it, resume it, or cancel it`,
      "run_under_way",
    );
  const before = await readRun(store, accountId, runId);
  requireProven(before);
  // Its end, and not what a tool has said after it.
  const idleSince = Date.parse(before.run.end?.ts ?? before.run.lastTs);
  if (clock.now() - idleSince > terms.ttlMs)
    throw refused(
      `has ended: nothing was said in it for longer than ${terms.ttlMs} ms; begin another`,
      "session_expired",
    );
}

function notHere(sessionId: SessionId, why: string, reason: string): InvalidTransitionError {
  return new InvalidTransitionError(`the session ${sessionId} ${why}`, { details: { sessionId, reason } });
}

/** Of two that start at the same moment one has it. */
export function overtaken(sessionId: SessionId): InvalidTransitionError {
  return notHere(
    sessionId,
    "has a run under way that was started at the same moment; nothing was started here. Wait for that one",
    "run_under_way",
  );
}

/** The session with one more run, as it is kept in the commit that opens that. */
export function putSession(
  { proves, session: terms, package: { agentId } }: SessionHost,
  { sessionId, last, revision }: SessionPlace,
  now: { readonly runId: RunId; readonly accountId: SessionDocument["accountId"]; readonly at: string },
  about: { readonly objective?: string | undefined; readonly policySummary: JsonObject },
): DocumentWrite {
  const { runId, accountId, at } = now;
  const { objective, policySummary } = about;
  const value: SessionDocument = {
    session: {
      sessionId,
      createdAt: last?.session.createdAt ?? at,
      updatedAt: at,
      ...(objective !== undefined && { objective }),
      policySummary,
    },
    accountId,
    agentId,
    runId,
    ...(terms?.persist === false && { process: terms.process }),
  };
  return writeOf(value, revision, proves);
}

function writeOf(value: SessionDocument, expects: number, proves: KeyedHash): SessionWrite {
  const { accountId } = value;
  const { sessionId: id } = value.session;
  const body = canonicalJson({ value, proof: sessionProof(value, proves) });
  return { type: "put", kind: sessionKind, accountId, id, expects, status: "open", body };
}

type SessionWrite = DocumentWrite & { readonly type: "put" };

/**
 * What is kept of an account's sessions without what was asked last, where that is to be erased. What nobody here has left so is left as
 * it is.
 */
export async function forgetObjectives(
  store: Store,
  accountId: string,
  proves: KeyedHash,
  isErased: (objective: string, runId: RunId) => boolean,
): Promise<readonly SessionWrite[]> {
  const writes: SessionWrite[] = [];
  for await (const document of documentsOf(store, sessionKind, accountId)) {
    const value = unlessCorrupt(() => sessionIn(document, proves));
    const { objective, ...session } = value?.session ?? {};
    if (value === undefined || objective === undefined || !isErased(objective, value.runId)) continue;
    writes.push(writeOf({ ...value, session: session as RuntimeSession }, document.revision, proves));
  }
  return writes;
}

function sessionProof(value: SessionDocument, proves: KeyedHash): string {
  return proves(`simplefunctions session v1\n${canonicalJson(value)}`);
}
