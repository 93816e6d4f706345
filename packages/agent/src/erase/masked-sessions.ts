// What of the revisions of an account's sessions is left. From the turn on that had the call, nothing stays that a model has said or noted
// in a turn that was shown any of it; a turn that was shown none, as after an undo, stays whole.
import {
  type AgentHead,
  type AgentRevision,
  canonicalJson,
  type CheckpointWire,
  isSimpleFunctionsError,
  type KeyedHash,
  type RunId,
} from "@spfunctions/contracts";
import { documentsOf, type Store, type StoredDocument } from "@spfunctions/kernel";
import {
  headIn,
  headKind,
  revisionId,
  revisionIn,
  revisionKind,
  type RevisionsOf,
} from "../kept/kept-revision.ts";
import type { Exposed } from "./exposed-runs.ts";
import { Keeps, maskCheckpoint } from "./mask-checkpoint.ts";
import type { RunFacts } from "./run-facts.ts";

/** A row that is to be written again, and the store's revision of it. */
export type MaskedRow = {
  readonly of: RevisionsOf;
  readonly value: AgentRevision;
  readonly stored: number;
};

export type MaskedSessions = {
  readonly rows: readonly MaskedRow[];
  /** Revisions of which something is erased for this call, now or before, by their ids. */
  readonly touched: readonly { readonly sessionId: string; readonly revision: number }[];
  /** What is left of those that had more than copies, by their ids. */
  readonly tainted: ReadonlyMap<string, CheckpointWire>;
  /** What is left in each session that has any of these. */
  readonly kept: ReadonlyMap<string, Keeps>;
  /** The logs of their turns. */
  readonly logs: readonly { readonly sessionId: string; readonly name: string }[];
  /** Sessions that cannot be read: nothing of them is erased. */
  readonly unreadable: readonly string[];
};

export type MaskTerms = {
  readonly store: Store;
  readonly accountId: string;
  readonly proves: KeyedHash;
  readonly callId: string;
  readonly runs: ReadonlyMap<RunId, RunFacts>;
  readonly exposed: Exposed;
  readonly isCopy: (text: string) => boolean;
  /** Of the walk before, where there was one: what is forked or imported may come before what it is from. */
  readonly before?: MaskedSessions | undefined;
};

export async function maskSessions(terms: MaskTerms): Promise<MaskedSessions> {
  const { store, accountId, proves } = terms;
  const walk = new Walk(terms);
  for await (const head of documentsOf(store, headKind, accountId)) {
    const of = { accountId, sessionId: head.id, proves };
    try {
      await walk.session(of, headIn(of, head));
    } catch (error) {
      if (!isSimpleFunctionsError(error) || error.code !== "journal_corrupt") throw error;
      // Who has changed it is told when it is verified; what of it can be read is masked.
      walk.unreadable.push(head.id);
    }
  }
  return walk;
}

class Walk implements MaskedSessions {
  readonly rows: MaskedRow[] = [];
  readonly touched: { readonly sessionId: string; readonly revision: number }[] = [];
  readonly tainted = new Map<string, CheckpointWire>();
  readonly kept = new Map<string, Keeps>();
  readonly logs: { readonly sessionId: string; readonly name: string }[] = [];
  readonly unreadable: string[] = [];
  readonly #terms: MaskTerms;

  constructor(terms: MaskTerms) {
    this.#terms = terms;
  }

  async session(of: RevisionsOf, { revision: last }: AgentHead): Promise<void> {
    const { store, accountId } = this.#terms;
    const own = new Keeps();
    let isTainted = false;
    let before: CheckpointWire | undefined;
    for (let number = 1; number <= last; number += pageSize) {
      const size = Math.min(pageSize, last - number + 1);
      const ids = Array.from({ length: size }, (_, index) => revisionId(of.sessionId, number + index));
      // oxlint-disable-next-line no-await-in-loop -- a few at a time
      for (const document of await store.documentsById(revisionKind, accountId, ids)) {
        before = this.#row(of, document, before);
        own.add(before);
        isTainted ||= this.tainted.has(document.id);
      }
    }
    if (isTainted) this.kept.set(of.sessionId, own);
  }

  /** What is left of it. */
  #row(of: RevisionsOf, document: StoredDocument, before: CheckpointWire | undefined): CheckpointWire {
    const { callId, isCopy, exposed } = this.#terms;
    const value = revisionIn(of, document);
    const { checkpoint, operatorConstraints, cause } = value;
    const known = value.erased?.find((one) => one.callId === callId);
    const keeps = this.#keepsFor(value, before);
    const left = maskCheckpoint(checkpoint, { keeps, isCopy, operatorConstraints });
    const isSame = canonicalJson(left) === canonicalJson(checkpoint);
    const isProvenance = known?.how === "turn" || (keeps !== undefined && !isSame);
    if (isProvenance) this.tainted.set(document.id, left);
    const { sessionId } = of;
    const { revision } = checkpoint;
    if (cause.type === "turn" && (exposed.has(cause.runId) || !isSame || known !== undefined))
      this.logs.push({ sessionId, name: turnLogName(revision, cause.runId) });
    if (known !== undefined || !isSame) this.touched.push({ sessionId, revision });
    const how = isProvenance ? "turn" : "copy";
    if (isSame && (known === undefined || known.how === how)) return left;
    const others = (value.erased ?? []).filter((one) => one !== known);
    const { salt: _, ...rest } = value;
    const erased = [...others, { callId, how }] as NonNullable<AgentRevision["erased"]>;
    this.rows.push({ of, value: { ...rest, checkpoint: left, erased }, stored: document.revision });
    return left;
  }

  /** Nothing where all of it stays but copies. */
  #keepsFor({ checkpoint, cause }: AgentRevision, before: CheckpointWire | undefined): Keeps | undefined {
    const { exposed, runs, before: walked } = this.#terms;
    const { session_id: sessionId, revision } = checkpoint;
    const isAfter = this.#isTainted(sessionId, revision - 1);
    switch (cause.type) {
      case "turn":
        return isAfter || exposed.has(cause.runId) ? keepsOf(before) : undefined;
      case "condensed":
        return isAfter ? keepsOf(before) : undefined;
      case "undone":
        return this.#left(sessionId, cause.to);
      case "forked":
        return this.#left(cause.from.sessionId, cause.from.revision);
      case "imported": {
        const names = (checkpoint.trace_tail ?? []).flatMap(
          (name) => /run_[0-9a-zA-Z-]+/.exec(name)?.[0] ?? [],
        );
        const from = names.map((name) => runs.get(name as RunId)).filter((one) => one !== undefined);
        const isSeen = from.some(({ opening }) => exposed.has(opening.runId));
        const sessions = new Set(from.map(({ opening }) => opening.sessionId ?? ""));
        const kept = [...sessions].map((one) => walked?.kept.get(one));
        return isSeen ? merged(kept.filter((one) => one !== undefined)) : undefined;
      }
      default:
        return undefined;
    }
  }

  #left(sessionId: string, revision: number): Keeps | undefined {
    const id = revisionId(sessionId, revision);
    const left = this.tainted.get(id) ?? this.#terms.before?.tainted.get(id);
    return left && keepsOf(left);
  }

  #isTainted(sessionId: string, revision: number): boolean {
    return this.tainted.has(revisionId(sessionId, revision));
  }
}

function keepsOf(checkpoint: CheckpointWire | undefined): Keeps {
  return checkpoint === undefined ? new Keeps() : new Keeps(checkpoint);
}

/** Of an import nobody knows from which of them it comes. */
function merged(all: readonly Keeps[]): Keeps {
  const [first = new Keeps(), ...others] = all;
  return others.reduce((one, other) => one.with(other), first);
}

const pageSize = 16;

/** As the log of a turn is called that has come to a revision. */
function turnLogName(revision: number, runId: string): string {
  return `turn-${String(revision).padStart(8, "0")}-${runId}.jsonl`;
}
