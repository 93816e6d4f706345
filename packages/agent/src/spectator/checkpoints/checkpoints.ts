// The checkpoints of an account's long-lived agents: every revision of every session, each a whole, bound to the one before (B22). One is
// appended only to the last there is, in one commit with the head that says so. What is kept has no secrets in it (S1); what is read has
// the operator's constraints of now (B31); what is restored or brought along grants nothing (G3).
import {
  type AgentRevision,
  canonicalJson,
  type CheckpointWire,
  type Digest,
  encodeCheckpoint,
  givenSessionIdSchema,
  InvalidInputError,
  parseAtDoor,
  InvalidTransitionError,
  type KeyedHash,
  NotFoundError,
  type RevisionCause,
  type SessionId,
  sessionIdSchema,
} from "@spfunctions/contracts";
import { type Clock, randomIds, type Store } from "@spfunctions/kernel";
import { keptErasures } from "../../erase/kept-erasure.ts";
import { type AgentLimits, agentLimits } from "../state/agent-limits.ts";
import { type CheckpointDiff, diffCheckpoints } from "../state/diff-checkpoints.ts";
import { readOperatorConstraints, withOperatorConstraints } from "../state/operator-constraints.ts";
import { genesisOf, type RevisionsOf, sealRevision } from "../../kept/kept-revision.ts";
import { type KeptHead, KeptRevisions, type SessionEntry } from "./kept-revisions.ts";
import { type ImportedRevision, type NotImported, readImport } from "./read-import.ts";
import {
  asItCounts,
  contentOf,
  emptyContent,
  type Revision,
  type RevisionContent,
  withCapabilities,
} from "./revision-content.ts";
import { type RevisionsVerification, verifyRevisions } from "./verify-revisions.ts";
import { withoutSecrets } from "./without-secrets.ts";

export type CheckpointsOptions = {
  readonly store: Store;
  readonly accountId: string;
  /** Keyed with the installation's secret. */
  readonly proves: KeyedHash;
  /** For what stands in place of a secret; made from `proves` unless given. */
  readonly redaction?: KeyedHash;
  readonly clock: Pick<Clock, "now">;
  readonly operatorConstraints?: readonly string[];
  readonly limits?: Partial<AgentLimits>;
};

/** Somebody else has appended since: what is the last now. Nothing was written. */
export type RevisionOvertaken = { readonly type: "conflict"; readonly latest: Revision };

/** Why a caller appends. The other causes are made here. */
export type AppendCause = Extract<RevisionCause, { type: "turn" | "condensed" }>;

export type RevisionEntry = Pick<AgentRevision, "cause" | "prev" | "hash"> & {
  readonly revision: number;
  readonly updatedTs: number;
};

export type ListRevisions = { readonly limit?: number; readonly before?: number };
export type ListSessions = { readonly limit?: number; readonly after?: string };
export type ExportRevisions = { readonly revision?: number; readonly all?: boolean };

/**
 * Revisions in one page.
 * @limit checkpoint.listed | `invalid_input` | fixed: the next page goes on where it ended
 */
const mostListed = 1000;
const format = "simplefunctions agent v1";

export class Checkpoints {
  readonly operatorConstraints: readonly string[];
  readonly limits: AgentLimits;
  readonly #store: Store;
  readonly #kept: KeptRevisions;
  readonly #redaction: KeyedHash;
  readonly #clock: Pick<Clock, "now">;

  constructor(options: CheckpointsOptions) {
    const { store, accountId, proves, redaction, clock, operatorConstraints = [], limits } = options;
    this.#store = store;
    this.#kept = new KeptRevisions(store, accountId, proves);
    this.#redaction = redaction ?? ((secret) => proves(`simplefunctions agent secret v1\n${secret}`));
    this.#clock = clock;
    this.operatorConstraints = readOperatorConstraints(operatorConstraints, { keyedHash: this.#redaction });
    this.limits = agentLimits(limits);
  }

  /** The last revision; the first one where there is none yet. */
  async open(sessionId: string): Promise<Revision> {
    const there = await this.latest(sessionId);
    if (there !== undefined) return there;
    const begun = await this.#begin(sessionId, emptyContent, { type: "created" });
    // Or somebody else has opened it at the same moment.
    return begun ?? this.#require(sessionId);
  }

  async latest(sessionId: string): Promise<Revision | undefined> {
    const last = await this.#kept.last(this.#kept.of(sessionId));
    return last && this.#counts(last);
  }

  async get(sessionId: string, revision: number): Promise<Revision | undefined> {
    const there = await this.#kept.at(this.#kept.of(sessionId), requireNumber(revision, "revision"));
    return there && this.#counts(there);
  }

  /** The next revision after `base`, if that is still the last. */
  async append(
    sessionId: string,
    base: AgentRevision,
    next: RevisionContent,
    cause: AppendCause,
  ): Promise<Revision | RevisionOvertaken> {
    return this.#append(sessionId, base, next, cause);
  }

  /** The newest first, without what is in them. `before`: only those with a smaller number. */
  async list(sessionId: string, { limit = 20, before }: ListRevisions = {}): Promise<RevisionEntry[]> {
    const of = this.#kept.of(sessionId);
    const { revision } = (await this.#requireHead(of)).value;
    const newest = before === undefined ? revision : Math.min(revision, requireNumber(before, "before") - 1);
    const oldest = Math.max(1, newest - requireLimit(limit) + 1);
    const entries: RevisionEntry[] = [];
    if (newest < 1) return entries;
    for await (const { checkpoint, cause, prev, hash } of this.#kept.between(of, newest, oldest))
      entries.push({ revision: checkpoint.revision, updatedTs: checkpoint.updated_ts, cause, prev, hash });
    return entries;
  }

  /** In the order of their names. `after`: only those behind this one. */
  async sessions({ limit = 100, after }: ListSessions = {}): Promise<SessionEntry[]> {
    return this.#kept.heads(requireLimit(limit), after);
  }

  /**
   * One more revision, with what is in an earlier one: in `to`, or in the one before the last; said again, in the one before that. The
   * lists of capabilities stay as they are now.
   */
  async undo(sessionId: string, to?: number): Promise<Revision | RevisionOvertaken> {
    const latest = await this.#require(sessionId);
    const target = to === undefined ? await this.#before(latest) : requireNumber(to, "to");
    const { revision } = latest.checkpoint;
    if (target < 1 || target >= revision)
      throw new InvalidTransitionError(
        `the session ${sessionId} is at revision ${revision}, and there is nothing earlier at ${target}`,
        { details: { sessionId, reason: "nothing_to_undo" } },
      );
    const past = await this.#requireAt(sessionId, target);
    const content = withCapabilities(contentOf(past), latest.current.state);
    return this.#append(sessionId, latest, content, { type: "undone", to: target });
  }

  /** A new session that goes on from a revision of this one, the last unless given. It has no capabilities. */
  async fork(sessionId: string, newSessionId: string, revision?: number): Promise<Revision> {
    const from = await this.#requireAt(sessionId, revision);
    const source = {
      sessionId: from.checkpoint.session_id as SessionId,
      revision: from.checkpoint.revision,
    };
    const content = withCapabilities(contentOf(from), emptyContent.state);
    const forked = await this.#begin(newSessionId, content, { type: "forked", from: source });
    return forked ?? exists(newSessionId);
  }

  async diff(sessionId: string, from: number, to: number): Promise<CheckpointDiff> {
    const one = await this.#requireAt(sessionId, from);
    const other = await this.#requireAt(sessionId, to);
    return diffCheckpoints(one.current, other.current);
  }

  /** What is wrong with the session, if anything. */
  async verify(sessionId: string): Promise<RevisionsVerification> {
    return verifyRevisions(this.#store, this.#kept.of(sessionId));
  }

  /** JSON text for `import`: one revision, the last unless given, or `all` of them. */
  async export(sessionId: string, { revision, all = false }: ExportRevisions = {}): Promise<string> {
    const to = (await this.#requireAt(sessionId, all ? undefined : revision)).checkpoint.revision;
    const from = all ? 1 : to;
    const texts: string[] = [];
    let left = this.limits.exportBytes - Buffer.byteLength(exported([]));
    for await (const one of this.#kept.between(this.#kept.of(sessionId), from, to)) {
      const text = canonicalJson(one);
      left -= Buffer.byteLength(text) + 1;
      if (left < 0) throw tooMuch(sessionId, this.limits.exportBytes);
      texts.push(text);
    }
    return exported(texts);
  }

  /** A new session that begins with what is in a text, but for what such a text cannot bring along. */
  async import(
    text: string,
    sessionId: string,
  ): Promise<{ readonly revision: Revision; readonly dropped: NotImported }> {
    const { operatorConstraints, limits } = this;
    const left = async (named: ImportedRevision) => await this.#leftOf(named);
    const { content, dropped } = await readImport(text, { operatorConstraints, limits, left });
    const imported = { ...content, importedMessages: content.recentMessages.length };
    const revision = await this.#begin(sessionId, imported, { type: "imported" });
    return { revision: revision ?? exists(sessionId), dropped };
  }

  /** What is left here of a revision that was exported here, where something of it was erased since. */
  async #leftOf({ checkpoint, hash }: ImportedRevision): Promise<AgentRevision | undefined> {
    const { session_id: sessionId, revision, updated_ts: updatedTs } = checkpoint;
    const isNamed = sessionIdSchema.safeParse(sessionId).success && revision >= 1;
    const kept = isNamed ? await this.#kept.at(this.#kept.of(sessionId), revision) : undefined;
    const isSame = hash === undefined ? kept?.checkpoint.updated_ts === updatedTs : kept?.hash === hash;
    if (kept === undefined || !isSame) return await this.#requireNoneErased(checkpoint);
    return kept.erased === undefined ? undefined : kept;
  }

  /** What was changed since it was exported may hold what was erased here: its logs say which turns it comes from. */
  async #requireNoneErased({ trace_tail: logs = [] }: CheckpointWire): Promise<undefined> {
    const { accountId, proves } = this.#kept;
    for await (const { callId, runs } of keptErasures({ store: this.#store, accountId, proves }))
      if (runs.some((runId) => logs.some((name) => name.includes(runId))))
        throw new InvalidInputError(
          `the checkpoint cannot be imported: it comes from a turn that had ${callId}, which was erased here since; export it again and import that`,
          { details: { path: "/trace_tail", reason: "erased", callId } },
        );
    return undefined;
  }

  /**
   * B32: how many messages of a revision, the first ones, an import has brought; nothing where its session comes from none. All of them
   * where that was not kept yet when it was written.
   */
  async importedMessages({ importedMessages, checkpoint }: AgentRevision): Promise<number | undefined> {
    if (importedMessages !== undefined) return importedMessages;
    return (await this.#isOwn(checkpoint.session_id)) ? undefined : checkpoint.recent_messages.length;
  }

  /** Whether it was begun here, with nothing, or was forked from one that was. */
  async #isOwn(sessionId: string): Promise<boolean> {
    const { cause } = (await this.#kept.at(this.#kept.of(sessionId), 1)) ?? {};
    return cause?.type === "forked" ? this.#isOwn(cause.from.sessionId) : cause?.type === "created";
  }

  #counts(revision: AgentRevision): Revision {
    return asItCounts(revision, this.operatorConstraints);
  }

  async #requireHead(of: RevisionsOf): Promise<KeptHead> {
    return (await this.#kept.head(of)) ?? notFound(of.sessionId);
  }

  async #require(sessionId: string): Promise<Revision> {
    return (await this.latest(sessionId)) ?? notFound(sessionId);
  }

  async #requireAt(sessionId: string, revision?: number): Promise<Revision> {
    const latest = await this.#require(sessionId);
    if (revision === undefined || revision === latest.checkpoint.revision) return latest;
    return (await this.get(sessionId, revision)) ?? notFound(sessionId, revision);
  }

  /** What an undone revision stands for is the one that it went back to. */
  async #before(latest: Revision): Promise<number> {
    let at = latest;
    while (at.cause.type === "undone")
      // oxlint-disable-next-line no-await-in-loop -- each says which it stands for
      at = (await this.get(at.checkpoint.session_id, at.cause.to)) ?? notFound(at.checkpoint.session_id);
    return at.checkpoint.revision - 1;
  }

  async #append(
    sessionId: string,
    base: AgentRevision,
    next: RevisionContent,
    cause: RevisionCause,
  ): Promise<Revision | RevisionOvertaken> {
    const of = this.#kept.of(sessionId);
    const { checkpoint } = base;
    if (checkpoint.session_id !== sessionId)
      throw new InvalidInputError(`the revision to go on from is of the session ${checkpoint.session_id}`, {
        details: { path: "/base", reason: "other_session" },
      });
    const { value: head, stored, status } = await this.#requireHead(of);
    const isLast = checkpoint.revision === head.revision && base.hash === head.hash;
    if (isLast && (status === "open" || (await this.#isLeft(of, base)))) {
      const sealed = this.#seal(of, { revision: head.revision + 1, prev: head.hash }, next, cause);
      const terms = { createdTs: head.createdTs, stored, status, ...this.#terms() };
      if (await this.#kept.write(of, sealed, terms)) return this.#counts(sealed);
    }
    return { type: "conflict", latest: await this.#require(sessionId) };
  }

  /** Whether nothing of it was erased since it was read: whoever erases writes the head, too. */
  async #isLeft(of: RevisionsOf, { checkpoint, erased }: AgentRevision): Promise<boolean> {
    const kept = await this.#kept.at(of, checkpoint.revision);
    return canonicalJson(kept?.erased ?? []) === canonicalJson(erased ?? []);
  }

  /** The first revision; nothing where the session is there already. */
  async #begin(
    sessionId: string,
    content: RevisionContent,
    cause: RevisionCause,
  ): Promise<Revision | undefined> {
    parseAtDoor(givenSessionIdSchema, sessionId, "session id", InvalidInputError);
    const of = this.#kept.of(sessionId);
    const sealed = this.#seal(of, { revision: 1, prev: genesisOf(of) }, content, cause);
    const open = { stored: 0, status: "open" } as const;
    const terms = { createdTs: sealed.checkpoint.updated_ts, ...open, ...this.#terms() };
    return (await this.#kept.write(of, sealed, terms)) ? this.#counts(sealed) : undefined;
  }

  #terms() {
    return { now: this.#clock.now(), mostBytes: this.limits.checkpointBytes };
  }

  #seal(
    { sessionId }: RevisionsOf,
    { revision, prev }: { readonly revision: number; readonly prev: Digest },
    content: RevisionContent,
    cause: RevisionCause,
  ): AgentRevision {
    const { state, recentMessages, importedMessages, traceTail } = withoutSecrets(content, this.#redaction);
    const constraints = withOperatorConstraints(state.constraints, this.operatorConstraints);
    const tail = traceTail?.slice(Math.max(0, traceTail.length - this.limits.traceTail));
    const checkpoint = encodeCheckpoint({
      sessionId,
      revision,
      updatedTs: this.#clock.now() / 1000,
      state: { ...state, constraints },
      recentMessages,
      ...(tail !== undefined && { traceTail: tail }),
    });
    return sealRevision({
      checkpoint,
      operatorConstraints: this.operatorConstraints.length,
      ...(importedMessages !== undefined && { importedMessages }),
      cause,
      prev,
      salt: randomIds.salt(),
    });
  }
}

function exported(texts: readonly string[]): string {
  return `{"format":${JSON.stringify(format)},"revisions":[${texts.join(",")}]}`;
}

function tooMuch(sessionId: string, mostBytes: number): InvalidInputError {
  return new InvalidInputError(
    `what is to be exported of ${sessionId} is more than ${mostBytes} bytes; export one revision, or raise the limit exportBytes`,
    { details: { reason: "too_large", limit: "exportBytes" } },
  );
}

function requireNumber(value: number, name: string): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidInputError(`${name} is a whole number from 1 on`, {
    details: { path: `/${name}`, reason: "bad_option" },
  });
}

function requireLimit(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= mostListed) return limit;
  throw new InvalidInputError(`limit is a whole number from 1 to ${mostListed}`, {
    details: { path: "/limit", reason: "bad_option" },
  });
}

function notFound(sessionId: string, revision?: number): never {
  const what =
    revision === undefined ? `session ${sessionId}` : `revision ${revision} of the session ${sessionId}`;
  throw new NotFoundError(`there is no ${what}`, { details: { sessionId } });
}

function exists(sessionId: string): never {
  throw new InvalidTransitionError(`there is a session ${sessionId} already: choose another name`, {
    details: { sessionId, reason: "session_exists" },
  });
}
