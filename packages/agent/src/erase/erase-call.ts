// Erases a call with everything that a long-lived agent has made of it. What was derived goes first and the call itself last: until then it
// can be found again what it said, so that whoever comes after a crash does all of it again.
import {
  type AgentErasure,
  type CallId,
  callIdSchema,
  InternalError,
  isSimpleFunctionsError,
  type KeyedHash,
  type MemoryId,
  type RunId,
} from "@spfunctions/contracts";
import { headIn, headKey, headKind, putHead, putRevision, type RevisionsOf } from "../kept/kept-revision.ts";
import { memoryKind, vectorKind } from "../kept/kept-memory.ts";
import type { DocumentWrite, Erasure, SearchIndex, Store } from "@spfunctions/kernel";
import type { CallWords } from "./call-words.ts";
import { keepErasure, keptErasure, mergedErasure, nothingOf } from "./kept-erasure.ts";
import type { MaskedRow } from "./masked-sessions.ts";
import { type ErasurePlan, planErasure } from "./plan-erasure.ts";

/** A log of turns that can be erased. */
export type ErasableLogs = {
  /** Nothing where there is none. */
  readonly remove: (sessionId: string, name: string) => Promise<void>;
};

export type EraseTerms = {
  readonly store: Store;
  readonly accountId: string;
  readonly proves: KeyedHash;
  readonly clock: { readonly now: () => number };
  /** Where memories are found. Without it, whoever opens the agent next takes them out of its own. */
  readonly search?: Pick<SearchIndex, "remove"> | undefined;
  readonly logs?: ErasableLogs | undefined;
  /** A run that is read again from here on: what it says then was not told of the call. */
  readonly read?: string | undefined;
  /** Refuses whoever may not erase, before anything is changed. */
  readonly requireEraser: () => void;
  /** The call's own payloads, and others with them; how many there were. */
  readonly eraseInJournal: (callId: string, also: readonly Omit<Erasure, "accountId">[]) => Promise<number>;
};

/** What was erased with a call, by ids; and what nobody can know. */
export type ErasedCall = {
  readonly callId: string;
  /** How many payloads of the journal: the call's own, what models have said since, and copies. */
  readonly payloads: number;
  readonly revisions: readonly { readonly sessionId: string; readonly revision: number }[];
  readonly memories: readonly string[];
  /** Runs whose model had seen it: what it has said since is erased. */
  readonly runs: readonly string[];
  /** Of these, those that are not over: they are erased again once they are. */
  readonly underWay: readonly string[];
  /** Other calls that held its words: they are erased, too. */
  readonly calls: readonly string[];
  /** Questions for capabilities: what the model said of them is erased. */
  readonly wishes: readonly string[];
  readonly logs: readonly string[];
  /** In words: where it may be told in a way that nobody can find. */
  readonly unknown: readonly string[];
};

/** So often it is looked through again for what was written meanwhile. */
const maxRounds = 32;

function bySession(rows: readonly MaskedRow[]): Iterable<readonly MaskedRow[]> {
  return Map.groupBy(rows, ({ of }) => of.sessionId).values();
}

export async function eraseCallOfAgents(terms: EraseTerms, given: string): Promise<ErasedCall> {
  const { store, accountId } = terms;
  terms.requireEraser();
  const id = callIdSchema.safeParse(given);
  const hasAgents = (await store.documents({ kind: headKind, accountId, limit: 1 })).length > 0;
  if (!id.success || !hasAgents)
    return { ...nothingErased(given), payloads: await terms.eraseInJournal(given, []) };
  const callId = id.data;
  const known = await keptErasure(terms, callId);
  let words: CallWords | undefined;
  let done = nothingErased(callId);
  for (let round = 0; round < maxRounds; round++) {
    /* oxlint-disable no-await-in-loop -- until nothing more is found */
    const kept = await keptErasure(terms, callId);
    const before = kept?.value ?? nothingOf(callId);
    const plan = await planErasure({ ...terms, callId, memories: before.memories, words });
    words = plan.words;
    const isFound = isAnything(plan);
    // Nothing of an agent's: it is told as before where there is no such call.
    if (!isFound && known === undefined && round === 0 && plan.exposed.size === 0)
      return { ...done, payloads: await terms.eraseInJournal(callId, []) };
    if (!isFound && round > 0) return await finish(terms, { plan, before, expects: kept?.stored ?? 0 }, done);
    const erasure = mergedErasure(before, { ...idsOf(plan), status: "begun" });
    if (!(await keepErasure(terms, erasure, kept?.stored ?? 0, terms.clock.now()))) continue;
    if (!(await eraseDerived(terms, plan))) continue;
    done = plus(done, plan, await erasePayloads(terms, callId, plan));
    /* oxlint-enable no-await-in-loop */
  }
  throw new InternalError(
    `${callId} is not erased whole: it was told again and again while it was erased; end what is under way, and erase it again`,
    { details: { callId, reason: "overtaken" } },
  );
}

/** Whether there is something to erase besides the call itself. */
function isAnything({ sessions, memories, payloads, calls, wishes, objectives }: ErasurePlan): boolean {
  const all = [sessions.rows, memories, payloads, calls, wishes, objectives];
  return all.some(({ length }) => length > 0);
}

function idsOf({ exposed, runs, memories, sessions }: ErasurePlan): Omit<AgentErasure, "callId" | "status"> {
  const ids = [...exposed.keys()];
  return {
    runs: ids,
    underWay: ids.filter((runId) => runs.get(runId)?.isOver === false),
    memories: [...memories],
    logs: sessions.logs as AgentErasure["logs"],
  };
}

/** False where something has changed meanwhile, and is to be looked at again. */
async function eraseDerived(
  terms: EraseTerms,
  { memories, sessions, wishes, objectives }: ErasurePlan,
): Promise<boolean> {
  let isWhole = await eraseMemories(terms, memories);
  for (const rows of bySession(sessions.rows)) {
    // oxlint-disable-next-line no-await-in-loop -- session by session
    isWhole = (await eraseRows(terms, rows)) && isWhole;
  }
  for (const row of [...wishes, ...objectives]) {
    // oxlint-disable-next-line no-await-in-loop -- one or two
    isWhole = (await isCommitted(terms, [row])) && isWhole;
  }
  await eraseLogs(terms, sessions.logs);
  return isWhole;
}

/** Gone from the index, the store and the vectors. */
async function eraseMemories(terms: EraseTerms, memories: readonly MemoryId[]): Promise<boolean> {
  const { store, accountId, search } = terms;
  if (memories.length > 0) await search?.remove(accountId, memories);
  let isWhole = true;
  for (const id of memories) {
    /* oxlint-disable no-await-in-loop -- one after the other */
    const rows = await Promise.all(
      [memoryKind, vectorKind].map((kind) => store.document({ kind, accountId, id })),
    );
    const documents = rows.flatMap((row): DocumentWrite[] =>
      row === undefined ? [] : [{ type: "remove", kind: row.kind, accountId, id, expects: row.revision }],
    );
    if (documents.length > 0) isWhole = (await isCommitted(terms, documents)) && isWhole;
    /* oxlint-enable no-await-in-loop */
  }
  return isWhole;
}

const rowsAtOnce = 16;

/** The head is written with them: whoever appends at this moment what it has read before is told to read again. */
async function eraseRows(terms: EraseTerms, rows: readonly MaskedRow[]): Promise<boolean> {
  const [first] = rows;
  if (first === undefined) return true;
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const documents = rows
      .slice(at, at + rowsAtOnce)
      .map(({ of, value, stored }) => putRevision(of, value, stored));
    // oxlint-disable-next-line no-await-in-loop -- a few at a time
    if (!(await writeWithHead(terms, first.of, documents))) return false;
  }
  return true;
}

async function writeWithHead(
  terms: EraseTerms,
  of: RevisionsOf,
  documents: readonly DocumentWrite[],
): Promise<boolean> {
  const head = await terms.store.document(headKey(of));
  if (head === undefined) return false;
  return await isCommitted(terms, [
    putHead(of, headIn(of, head), { expects: head.revision, status: "erased" }),
    ...documents,
  ]);
}

async function eraseLogs({ logs }: EraseTerms, names: readonly { sessionId: string; name: string }[]) {
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const { sessionId, name } of logs === undefined ? [] : names) await logs?.remove(sessionId, name);
}

/** Other calls first, then this one with what was said since, in one write. */
async function erasePayloads(terms: EraseTerms, callId: CallId, plan: ErasurePlan): Promise<number> {
  let payloads = 0;
  for (const other of plan.calls) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    payloads += await eraseUnlessGone(terms, other, []);
  }
  return payloads + (await eraseUnlessGone(terms, callId, plan.payloads));
}

async function eraseUnlessGone(
  terms: EraseTerms,
  callId: string,
  also: ErasurePlan["payloads"],
): Promise<number> {
  try {
    return await terms.eraseInJournal(callId, also);
  } catch (error) {
    // Somebody else erases it at this moment, or has erased it before.
    if (isSimpleFunctionsError(error) && error.code === "not_found") return 0;
    throw error;
  }
}

async function isCommitted(
  { store, clock }: EraseTerms,
  documents: readonly DocumentWrite[],
): Promise<boolean> {
  return (await store.commit({ durability: "power", now: clock.now(), documents })).type === "committed";
}

type Finish = { readonly plan: ErasurePlan; readonly before: AgentErasure; readonly expects: number };

async function finish(
  terms: EraseTerms,
  { plan, before, expects }: Finish,
  done: ErasedCall,
): Promise<ErasedCall> {
  const ids = idsOf(plan);
  const underWay = ids.underWay.filter((runId) => runId !== terms.read);
  const erasure = mergedErasure(before, { ...ids, underWay, status: "done" });
  await eraseLogs(terms, erasure.logs);
  // Whoever has written it meanwhile finishes it.
  await keepErasure(terms, erasure, expects, terms.clock.now());
  const { touched, unreadable } = plan.sessions;
  return {
    ...done,
    revisions: touched,
    memories: erasure.memories,
    runs: erasure.runs,
    underWay,
    logs: erasure.logs.map(({ name }) => name),
    unknown: unknownOf(unreadable, underWay),
  };
}

function unknownOf(unreadable: readonly string[], underWay: readonly RunId[]): string[] {
  return [
    "words of the call that a user has written otherwise, and short ones, stay in what users have said",
    "copies that were made elsewhere stay: exports, backups, traces, what a tool, a model's provider or a host keeps",
    ...unreadable.map(
      (sessionId) => `the session ${sessionId} could not be read whole: verify it, and erase again`,
    ),
    ...underWay.map((runId) => `${runId} is not over: what it says until then is erased once it is`),
  ];
}

function nothingErased(callId: string): ErasedCall {
  const nothing = { revisions: [], memories: [], runs: [], underWay: [], calls: [], wishes: [], logs: [] };
  return { callId, payloads: 0, ...nothing, unknown: [] };
}

function plus(done: ErasedCall, { calls, wishes }: ErasurePlan, payloads: number): ErasedCall {
  return {
    ...done,
    payloads: done.payloads + payloads,
    calls: [...new Set([...done.calls, ...calls])],
    wishes: [...new Set([...done.wishes, ...wishes.map(({ id }) => id)])],
  };
}
