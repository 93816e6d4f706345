// Everything that is to go with a call, found before anything is changed. Each thing that is found may lead to more: a memory was shown to a
// turn, which has noted something. So it is looked through again until nothing more is found.
import {
  type CallId,
  type JournalRecord,
  type KeyedHash,
  keptCapabilitySchema,
  type MemoryId,
  type RunId,
} from "@spfunctions/contracts";
import {
  documentsOf,
  type DocumentWrite,
  type Erasure,
  forgetObjectives,
  provenBody,
  readKept,
  segmentsOf,
  type Store,
  type StoredRecord,
} from "@spfunctions/kernel";
import { revisionId } from "../kept/kept-revision.ts";
import { memoryIn, memoryKind } from "../kept/kept-memory.ts";
import { CallWords } from "./call-words.ts";
import { type Exposed, exposedRuns, runsOfAgents } from "./exposed-runs.ts";
import { Keeps } from "./mask-checkpoint.ts";
import { type MaskedSessions, maskSessions } from "./masked-sessions.ts";
import { endingKinds, isOf, readAccountFacts, readRecord, recordsIn, type RunFacts } from "./run-facts.ts";

export type PlanTerms = {
  readonly store: Store;
  readonly accountId: string;
  readonly proves: KeyedHash;
  readonly callId: CallId;
  /** Memories that are known to be erased for this call: they are there no more, and turns were shown them. */
  readonly memories: readonly string[];
  /** As it was read before anything was erased. */
  readonly words?: CallWords | undefined;
};

export type ErasurePlan = {
  readonly words: CallWords;
  readonly exposed: Exposed;
  readonly runs: ReadonlyMap<RunId, RunFacts>;
  readonly sessions: MaskedSessions;
  /** Those that are still there. */
  readonly memories: readonly MemoryId[];
  /** What models have said since, and copies of the call beside other records than those of calls. */
  readonly payloads: readonly Omit<Erasure, "accountId">[];
  /** Other calls that hold words of this one. */
  readonly calls: readonly CallId[];
  /** Wishes without the words of whoever asked. */
  readonly wishes: readonly (DocumentWrite & { readonly type: "put" })[];
  /** What is kept of sessions without what was asked in them last. */
  readonly objectives: readonly DocumentWrite[];
};

export async function planErasure(terms: PlanTerms): Promise<ErasurePlan> {
  const { store, accountId, callId } = terms;
  const facts = await readAccountFacts(store, accountId, callId);
  const words = terms.words ?? new CallWords(facts.payloads);
  const { runs } = facts;
  const gone = new Set<string>(terms.memories);
  const found = new Set<MemoryId>();
  let exposed: Exposed = exposedRuns(runs, []);
  let sessions: MaskedSessions | undefined;
  for (;;) {
    /* oxlint-disable no-await-in-loop -- until nothing more is found */
    const walked: MaskedSessions = await maskSessions({
      ...terms,
      runs,
      exposed,
      isCopy: (text) => words.isIn(text),
      before: sessions,
    });
    const memories = await memoriesOf(terms, { words, sessions: walked, runs, exposed });
    /* oxlint-enable no-await-in-loop */
    const size = gone.size + exposed.size + (sessions?.tainted.size ?? -1);
    for (const memoryId of memories) {
      found.add(memoryId);
      gone.add(memoryId);
    }
    sessions = walked;
    exposed = exposedRuns(runs, shownIn(runs, sessions, gone));
    if (gone.size + exposed.size + sessions.tainted.size === size) break;
  }
  const family = runsOfAgents(runs);
  exposed = new Map([...exposed].filter(([runId]) => family.has(runId)));
  const rows = new Rows(terms, { words, exposed, runs, sessions, gone });
  for (const runId of family) {
    // oxlint-disable-next-line no-await-in-loop -- run by run
    for await (const stored of recordsIn(store, runId, accountId)) rows.take(runId, stored);
  }
  const wishes = await wishesOf(terms, { words, sessions, runs, exposed });
  for await (const stream of segmentsOf(store, accountId))
    for await (const stored of recordsIn(store, stream, accountId)) rows.takeWish(stream, stored, wishes);
  const { payloads, calls } = rows;
  const opened = new Set(payloads.flatMap(({ stream, seq }) => (seq === 1 ? stream : [])));
  const isErased = (objective: string, runId: RunId) =>
    opened.has(runId) || (family.has(runId) && words.isIn(objective));
  const objectives = await forgetObjectives(store, accountId, terms.proves, isErased);
  const memories = [...found];
  return { words, exposed, runs, sessions, memories, payloads, calls: [...calls], wishes, objectives };
}

/** Turns that were shown what is erased, by the revision that they go on from or by a memory. */
function* shownIn(
  runs: ReadonlyMap<RunId, RunFacts>,
  sessions: MaskedSessions,
  gone: ReadonlySet<string>,
): Generator<RunId> {
  for (const [runId, { opening, base, shown, condenses }] of runs) {
    const { sessionId = "" } = opening;
    const isOnTainted = base !== undefined && sessions.tainted.has(revisionId(sessionId, base));
    const isOfTainted =
      condenses !== undefined && sessions.tainted.has(revisionId(condenses.sessionId, condenses.revision));
    if (
      isOnTainted ||
      isOfTainted ||
      shown.some((one) => gone.has(one)) ||
      isOldSummary(runs, sessions, runId)
    )
      yield runId;
  }
}

/** Earlier versions did not say of which session a summary was made: any may be of this one. */
function isOldSummary(
  runs: ReadonlyMap<RunId, RunFacts>,
  { tainted }: MaskedSessions,
  runId: RunId,
): boolean {
  const { opening, condenses } = runs.get(runId) as RunFacts;
  return tainted.size > 0 && condenses === undefined && opening.agentId.endsWith(".condense");
}

type Found = {
  readonly words: CallWords;
  readonly sessions: MaskedSessions;
  readonly runs: ReadonlyMap<RunId, RunFacts>;
  readonly exposed: Exposed;
};

async function memoriesOf(
  { store, accountId, proves }: PlanTerms,
  { words, sessions, runs, exposed }: Found,
): Promise<MemoryId[]> {
  const since = sinceWhen(runs, exposed);
  const found: MemoryId[] = [];
  for await (const document of documentsOf(store, memoryKind, accountId)) {
    const item = memoryIn({ proves }, document);
    if (item === undefined) continue;
    const { text, tags, source, createdAt, memoryId } = item;
    const isCopy = [text, source.name ?? "", ...tags].some((one) => words.isIn(one));
    if (isCopy || isDerived(source, text, createdAt)) found.push(memoryId);
  }
  return found;

  /** Kept from a revision that had it, or by a session that had, and nobody can say from which revision. */
  function isDerived(
    {
      type,
      sessionId,
      revision,
    }: { type: string; sessionId?: string | undefined; revision?: number | undefined },
    text: string,
    createdAt: string,
  ): boolean {
    if (type === "user" || type === "operator" || sessionId === undefined) return false;
    if (revision === undefined) return createdAt >= (since.get(sessionId) ?? "~");
    const left = sessions.tainted.get(revisionId(sessionId, revision));
    return left !== undefined && !new Keeps(left).hasPart(text);
  }
}

/** When the first turn of a session was opened that had seen it. */
function sinceWhen(runs: ReadonlyMap<RunId, RunFacts>, exposed: Exposed): ReadonlyMap<string, string> {
  const since = new Map<string, string>();
  for (const runId of exposed.keys()) {
    const { sessionId, ts } = (runs.get(runId) as RunFacts).opening;
    if (sessionId !== undefined && ts < (since.get(sessionId) ?? "~")) since.set(sessionId, ts);
  }
  return since;
}

/** What an operator was told of why something is asked for: the model's words, and what it had read. */
async function wishesOf(
  { store, accountId, proves }: PlanTerms,
  { words, runs, exposed }: Found,
): Promise<ErasurePlan["wishes"]> {
  const since = sinceWhen(runs, exposed);
  const writes: (DocumentWrite & { readonly type: "put" })[] = [];
  for await (const document of documentsOf(store, "capability", accountId)) {
    const kept = (() => {
      try {
        return readKept(keptCapabilitySchema, document.body, document.id);
      } catch {
        return undefined;
      }
    })();
    if (kept === undefined) continue;
    const { reason, readBefore, note, ...grant } = kept.value;
    if (reason === undefined && readBefore === undefined && note === undefined) continue;
    const { sessionId, runId } = grant.holder;
    const isSeen =
      (sessionId !== undefined && grant.createdAt >= (since.get(sessionId) ?? "~")) ||
      (runId !== undefined && exposed.has(runId));
    if (!isSeen && ![reason, note, ...(readBefore ?? [])].some((one) => one !== undefined && words.isIn(one)))
      continue;
    const { kind, id, status, revision: expects } = document;
    const body = provenBody("capability", grant, proves);
    writes.push({ type: "put", kind, accountId, id, expects, status, body });
  }
  return writes;
}

/** Records whose words are a model's, or quote what a model was shown. */
const saidKinds: ReadonlySet<string> = new Set<JournalRecord["kind"]>([
  "model.settled",
  "model.intended",
  "context.condensed",
  "run.ended",
  "run.asked",
  "run.told",
  "subagent.started",
  "subagent.message",
  "subagent.ended",
  "subagent.detaching",
  "call.revised",
  "capability.requested",
]);

class Rows {
  readonly payloads: Omit<Erasure, "accountId">[] = [];
  readonly calls = new Set<CallId>();
  readonly #terms: PlanTerms;
  readonly #found: Found & { readonly gone: ReadonlySet<string> };
  /** Calls that started children which have seen it: what they came to is what the child has said. */
  readonly #reports: ReadonlySet<string>;

  constructor(terms: PlanTerms, found: Found & { readonly gone: ReadonlySet<string> }) {
    this.#terms = terms;
    this.#found = found;
    const starts = [...found.runs.values()].flatMap(({ children }) => children);
    const seen = starts.filter(({ childRunId }) => found.exposed.has(childRunId));
    this.#reports = new Set(seen.flatMap(({ call }) => call ?? []));
  }

  take(runId: RunId, stored: StoredRecord): void {
    const present = stored.content.filter((row) => "text" in row);
    if (present.length === 0) return;
    const { callId } = this.#terms;
    const { words } = this.#found;
    const record = readRecord(stored);
    if (record === undefined) return;
    // The call's own go with it.
    if (isOf(record, callId) && "callId" in record) return;
    if (this.#isSaidSince(runId, record)) return this.#add(runId, stored);
    if (!present.some(({ text }) => words.isIn(text))) return;
    if ("callId" in record && record.kind !== "call.revised") this.calls.add(record.callId);
    else this.#add(runId, stored);
  }

  /** What is asked for is on record with the words of whoever asks. */
  takeWish(stream: string, stored: StoredRecord, wishes: ErasurePlan["wishes"]): void {
    if (wishes.length === 0 || !stored.text.includes('"kind":"capability.')) return;
    const record = readRecord(stored);
    if (record === undefined) return;
    const ids = new Set<string>(wishes.map(({ id }) => id));
    const isOne =
      (record.kind === "capability.requested" && ids.has(record.grantId)) ||
      (record.kind === "capability.answered" && ids.has(record.grant?.grantId ?? record.named));
    if (isOne) this.#add(stream, stored);
  }

  #isSaidSince(runId: RunId, record: JournalRecord): boolean {
    const { exposed, runs, gone } = this.#found;
    const after = exposed.get(runId);
    if (endingKinds.has(record.kind) && "callId" in record && this.#reports.has(record.callId)) return true;
    if (after === undefined) return false;
    if (record.kind === "run.opened") {
      const { opening, shown, condenses } = runs.get(runId) as RunFacts;
      const isToldAll =
        opening.parent !== undefined || condenses !== undefined || opening.origin !== "spectator";
      return after === 0 && (isToldAll || shown.some((one) => gone.has(one)));
    }
    return record.seq > after && saidKinds.has(record.kind);
  }

  #add(stream: string, { seq, content }: StoredRecord): void {
    for (const row of content) if ("text" in row) this.payloads.push({ stream, seq, ref: row.ref });
  }
}
