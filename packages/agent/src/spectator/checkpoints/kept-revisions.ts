// The rows of an account's sessions. No operation reads more of them than it gives out, however many there are.
import {
  accountIdSchema,
  type AgentHead,
  type AgentRevision,
  InvalidInputError,
  type KeyedHash,
  parseAtDoor,
  type SessionId,
  sessionIdSchema,
} from "@spfunctions/contracts";
import type { Store, StoredDocument } from "@spfunctions/kernel";
import {
  corrupt,
  headIn,
  headKey,
  headKind,
  type HeadStatus,
  putHead,
  putRevision,
  revisionId,
  revisionIn,
  revisionKind,
  type RevisionsOf,
} from "../../kept/kept-revision.ts";

/** A head, and the store's revision of it. */
export type KeptHead = {
  readonly value: AgentHead;
  readonly stored: number;
  readonly status: HeadStatus;
};

export type SessionEntry =
  | ({ readonly type: "session" } & Pick<AgentHead, "sessionId" | "revision" | "createdTs" | "updatedTs">)
  /** Its head is not as this installation has left it. */
  | { readonly type: "corrupt"; readonly sessionId: string };

const pageSize = 16;

export class KeptRevisions {
  readonly #store: Store;
  readonly accountId: AgentHead["accountId"];
  readonly proves: KeyedHash;

  constructor(store: Store, accountId: string, proves: KeyedHash) {
    this.#store = store;
    this.accountId = parseAtDoor(accountIdSchema, accountId, "account id", InvalidInputError);
    this.proves = proves;
  }

  of(sessionId: string): RevisionsOf {
    const id = parseAtDoor(sessionIdSchema, sessionId, "session id", InvalidInputError);
    return { accountId: this.accountId, sessionId: id, proves: this.proves };
  }

  async head(of: RevisionsOf): Promise<KeptHead | undefined> {
    const document = await this.#store.document(headKey(of));
    if (document === undefined) return undefined;
    const status = document.status === "erased" ? "erased" : "open";
    return { value: headIn(of, document), stored: document.revision, status };
  }

  async heads(limit: number, after: string | undefined): Promise<SessionEntry[]> {
    const query = { kind: headKind, accountId: this.accountId, limit };
    const documents = await this.#store.documents(after === undefined ? query : { ...query, after });
    return documents.map((document) => this.#entry(document));
  }

  #entry(document: StoredDocument): SessionEntry {
    try {
      const { sessionId, revision, createdTs, updatedTs } = headIn(this.of(document.id), document);
      return { type: "session", sessionId, revision, createdTs, updatedTs };
    } catch {
      return { type: "corrupt", sessionId: document.id };
    }
  }

  async last(of: RevisionsOf): Promise<AgentRevision | undefined> {
    for (let head = await this.head(of); ; ) {
      const last = head?.value.revision ?? 0;
      // oxlint-disable-next-line no-await-in-loop -- once, unless somebody appends at this moment
      const [document, next] = await this.#rows(of, [last, last + 1]);
      if (next === undefined) return head && lastIn(of, head.value, document);
      // oxlint-disable-next-line no-await-in-loop -- whether somebody did
      const now = await this.head(of);
      // A head that was put back to an earlier one, or taken away.
      if ((now?.value.revision ?? 0) <= last)
        throw corrupt(
          `the session ${of.sessionId} has a revision ${last + 1}, and its head does not know of it`,
          "behind_head",
        );
      head = now;
    }
  }

  async at(of: RevisionsOf, revision: number): Promise<AgentRevision | undefined> {
    const [document] = await this.#rows(of, [revision]);
    return document && revisionIn(of, document);
  }

  /** All from one number to another, in either direction, a few at a time. */
  async *between(of: RevisionsOf, from: number, to: number): AsyncGenerator<AgentRevision> {
    const step = from <= to ? 1 : -1;
    const count = Math.abs(to - from) + 1;
    for (let at = 0; at < count; at += pageSize) {
      const size = Math.min(pageSize, count - at);
      const numbers = Array.from({ length: size }, (_, index) => from + step * (at + index));
      // oxlint-disable-next-line no-await-in-loop -- a few at a time
      const documents = await this.#rows(of, numbers);
      for (const [index, document] of documents.entries()) {
        if (document === undefined) throw missing(of, numbers[index] ?? 0);
        yield revisionIn(of, document);
      }
    }
  }

  /** In the order of the numbers given; nothing where there is none. */
  async #rows({ accountId, sessionId }: RevisionsOf, numbers: readonly number[]) {
    const ids = numbers.map((number) => revisionId(sessionId, number));
    const found = await this.#store.documentsById(revisionKind, accountId, ids);
    const byId = new Map(found.map((document) => [document.id, document]));
    return ids.map((id) => byId.get(id));
  }

  /**
   * A revision, and the head that says that it is the last, in one commit. `stored`: the head's that it replaces, 0 where there is none.
   * Whether that was still so. A revision of more than `mostBytes` is refused before anything is written.
   */
  async write(
    of: RevisionsOf,
    revision: AgentRevision,
    {
      createdTs,
      stored,
      status = "open",
      now,
      mostBytes,
    }: { createdTs: number; stored: number; status?: HeadStatus; now: number; mostBytes: number },
  ): Promise<boolean> {
    const write = putRevision(of, revision);
    requireSize(of, Buffer.byteLength(write.body), mostBytes);
    const head: AgentHead = {
      accountId: this.accountId,
      sessionId: of.sessionId as SessionId,
      revision: revision.checkpoint.revision,
      hash: revision.hash,
      createdTs,
      updatedTs: revision.checkpoint.updated_ts,
    };
    const documents = [putHead(of, head, { expects: stored, status }), write];
    const { type } = await this.#store.commit({ durability: "power", now, documents });
    return type === "committed";
  }
}

function lastIn(
  of: RevisionsOf,
  { revision, hash }: AgentHead,
  document: StoredDocument | undefined,
): AgentRevision {
  if (document === undefined) throw missing(of, revision);
  const value = revisionIn(of, document);
  if (value.hash === hash) return value;
  throw corrupt(
    `the head of the session ${of.sessionId} names another revision ${revision}`,
    "head_mismatch",
  );
}

function missing({ sessionId }: RevisionsOf, revision: number) {
  return corrupt(`revision ${revision} of the session ${sessionId} is missing`, "missing");
}

function requireSize({ sessionId }: RevisionsOf, bytes: number, mostBytes: number): void {
  if (bytes <= mostBytes) return;
  throw new InvalidInputError(
    `the checkpoint of ${sessionId} has ${bytes} bytes, and ${mostBytes} are kept at most; condense it, or raise the limit checkpointBytes`,
    { details: { reason: "too_large", limit: "checkpointBytes", bytes } },
  );
}
