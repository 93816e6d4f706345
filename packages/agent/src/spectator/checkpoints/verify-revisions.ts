// B22: every revision of a session, one after another, a few at a time.
import {
  type AgentHead,
  type AgentRevision,
  isSimpleFunctionsError,
  NotFoundError,
} from "@spfunctions/contracts";
import type { Store, StoredDocument } from "@spfunctions/kernel";
import {
  genesisOf,
  headIn,
  headKey,
  numberIn,
  revisionIn,
  revisionKind,
  type RevisionsOf,
} from "../../kept/kept-revision.ts";

type RevisionProblem = {
  /** Of the head where there is none. */
  readonly revision?: number;
  readonly reason: string;
  readonly message: string;
};

export type RevisionsVerification = {
  readonly sessionId: string;
  readonly isWhole: boolean;
  /** How many were found. */
  readonly revisions: number;
  /** The first of them. */
  readonly problems: readonly RevisionProblem[];
  /** How many more there are. */
  readonly moreProblems: number;
};

const pageSize = 16;
const mostProblems = 100;

/**
 * What is wrong with the revisions of a session: one that is missing, was changed, moved or written by somebody else, or stands behind the
 * head. A store that was put back to an earlier time as a whole looks as it did then.
 */
export async function verifyRevisions(store: Store, of: RevisionsOf): Promise<RevisionsVerification> {
  const walk = new Walk(of);
  let head: AgentHead | undefined;
  // The head is read after the rows, and both are written at once: whoever appends meanwhile is no problem.
  for (let isGrowing = true; isGrowing; ) {
    // oxlint-disable-next-line no-await-in-loop -- the rows first
    isGrowing = await walk.on(store);
    // oxlint-disable-next-line no-await-in-loop -- then the head
    head = walk.readHead(await store.document(headKey(of)));
    if (head === undefined || head.revision <= walk.last) break;
  }
  if (walk.rows === 0 && head === undefined && walk.isSound)
    throw new NotFoundError(`there is no session ${of.sessionId}`, { details: { sessionId: of.sessionId } });
  return walk.end(head);
}

class Walk {
  /** The number of the last row. */
  last = 0;
  rows = 0;
  readonly #of: RevisionsOf;
  readonly #problems: RevisionProblem[] = [];
  #more = 0;
  #after: string;
  /** Nothing where the one before could not be read. */
  #lastHash: string | undefined;
  #headProblem: RevisionProblem | undefined;

  constructor(of: RevisionsOf) {
    this.#of = of;
    // A full stop comes before a slash: nothing of this session stands before.
    this.#after = `${of.sessionId}.\uFFFF`;
    this.#lastHash = genesisOf(of);
  }

  get isSound(): boolean {
    return this.#problems.length === 0 && this.#headProblem === undefined;
  }

  /** Up to the last row there is now. Whether there were any. */
  async on(store: Store): Promise<boolean> {
    const { accountId, sessionId } = this.#of;
    const before = this.rows;
    for (;;) {
      const query = { kind: revisionKind, accountId, after: this.#after, limit: pageSize };
      // oxlint-disable-next-line no-await-in-loop -- a page says where the next begins
      const page = await store.documents(query);
      const own = page.filter(({ id }) => id.startsWith(`${sessionId}/`));
      for (const document of own) this.#take(document);
      if (own.length < pageSize) return this.rows > before;
    }
  }

  readHead(document: StoredDocument | undefined): AgentHead | undefined {
    this.#headProblem = undefined;
    if (document === undefined) return undefined;
    return this.#read(
      () => headIn(this.#of, document),
      (problem) => {
        this.#headProblem = problem;
      },
    );
  }

  end(head: AgentHead | undefined): RevisionsVerification {
    if (this.#headProblem !== undefined) this.#tell(this.#headProblem);
    else if (head === undefined)
      this.#tell({ reason: "head_missing", message: "nothing says which revision is the last" });
    else this.#compare(head);
    return {
      sessionId: this.#of.sessionId,
      isWhole: this.#problems.length === 0,
      revisions: this.rows,
      problems: this.#problems,
      moreProblems: this.#more,
    };
  }

  #compare({ revision, hash }: AgentHead): void {
    if (revision > this.last) this.#missing(this.last + 1, revision);
    else if (revision < this.last)
      this.#tell({
        reason: "behind_head",
        message: `the head says that revision ${revision} is the last, and there are others up to ${this.last}`,
      });
    else if (this.#lastHash !== undefined && hash !== this.#lastHash)
      this.#tell({
        revision,
        reason: "head_mismatch",
        message: `the head names another revision ${revision}`,
      });
  }

  #take(document: StoredDocument): void {
    this.rows += 1;
    this.#after = document.id;
    const number = numberIn(this.#of.sessionId, document.id);
    if (number === undefined || number <= this.last)
      return this.#tell({ reason: "wrong_place", message: "a row stands where none is written" });
    if (number > this.last + 1) this.#missing(this.last + 1, number - 1);
    this.last = number;
    const read = this.#read(
      () => revisionIn(this.#of, document),
      (problem) => this.#tell({ revision: number, ...problem }),
    );
    this.#continue(number, read);
  }

  #continue(revision: number, read: AgentRevision | undefined): void {
    if (read !== undefined && this.#lastHash !== undefined && read.prev !== this.#lastHash)
      this.#tell({
        revision,
        reason: "prev_mismatch",
        message: `revision ${revision} does not continue the one before it`,
      });
    this.#lastHash = read?.hash;
  }

  #missing(from: number, to: number): void {
    const which = from === to ? `revision ${from} is` : `revisions ${from} to ${to} are`;
    this.#tell({ revision: from, reason: "missing", message: `${which} missing` });
    this.#lastHash = undefined;
  }

  #read<Kept>(read: () => Kept, tell: (problem: RevisionProblem) => void): Kept | undefined {
    try {
      return read();
    } catch (error) {
      if (!isSimpleFunctionsError(error) || error.code !== "journal_corrupt") throw error;
      const { message, details } = error;
      tell({ reason: details?.reason ?? "unreadable", message });
      return undefined;
    }
  }

  #tell(problem: RevisionProblem): void {
    if (this.#problems.length < mostProblems) this.#problems.push(problem);
    else this.#more += 1;
  }
}
