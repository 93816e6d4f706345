// J3, I1: the store keeps three kinds of thing and changes them in one kind of write. It accepts a record only if the
// record continues its stream under the current epoch, and it answers an account only with what is that account's.
import type { ContentRow, Digest } from "@spfunctions/contracts";

/** `power` survives a power cut, `process` the death of the process alone. */
export type Durability = "power" | "process";

/** Where a stream ends: the number and the hash of its last record. */
export type Head = { readonly seq: number; readonly hash: Digest };

/** A record of some stream, named so that no other can pass for it. */
export type Place = Head & { readonly stream: string };

/** A record as its writer sealed it: `text` is what was hashed, byte for byte. */
export type SealedRecord = {
  readonly seq: number;
  /** The hash of the record before. */
  readonly prev: Digest;
  readonly hash: Digest;
  readonly text: string;
  /** Payloads that lie beside the record and can be erased without breaking the chain. */
  readonly content: readonly ContentRow[];
};

/** A record as it was found; nothing about it has been verified. */
export type StoredRecord = Omit<SealedRecord, "prev">;

/** Records for one stream, in order. Records that the stream already ends with are accepted as a repetition. */
export type Append = {
  readonly stream: string;
  readonly epoch: number;
  readonly records: readonly SealedRecord[];
};

/** Documents of the installation itself belong to no account. No principal can have this account id. */
export const installationAccount = "";

export type DocumentKey = { readonly kind: string; readonly accountId: string; readonly id: string };
export type StoredDocument = DocumentKey & {
  readonly status: string;
  /** Counts up from 1 with every change. */
  readonly revision: number;
  readonly body: string;
};

/** `expects` is the revision that must be there now: 0 when none may be. `keep` writes only where nothing is. */
export type DocumentWrite =
  | (DocumentKey & {
      readonly type: "put";
      readonly expects: number;
      readonly status: string;
      readonly body: string;
    })
  | (DocumentKey & { readonly type: "keep"; readonly status: string; readonly body: string })
  | (DocumentKey & { readonly type: "remove"; readonly expects: number });

export type ClaimKey = { readonly accountId: string; readonly scope: string; readonly key: string };
export type Claim = ClaimKey & {
  /** What the claim is for: the same key for another digest is a conflict. */
  readonly digest: string;
  /** Milliseconds since 1970. From then on it counts as not there. */
  readonly expiresAt: number;
  /** Where the claimed work stands; written by whoever took the claim. */
  readonly ref: string;
};

/** `take` fails where a claim stands that has not expired; `update` and `release` fail unless it stands with this digest. */
export type ClaimWrite =
  | (Claim & { readonly type: "take" })
  | (Claim & { readonly type: "update" })
  | (ClaimKey & { readonly type: "release"; readonly digest: string });

/** Content to erase: text and salt go, a mark stays. */
export type Erasure = {
  readonly stream: string;
  readonly accountId: string;
  readonly seq: number;
  readonly ref: string;
};

/** All or nothing. */
export type Unit = {
  readonly durability: Durability;
  /** The writer's clock, in milliseconds since 1970: what claims are expired against. */
  readonly now: number;
  readonly appends?: readonly Append[];
  readonly documents?: readonly DocumentWrite[];
  readonly claims?: readonly ClaimWrite[];
  readonly erasures?: readonly Erasure[];
  /** Names that whoever listens is told once this is written. */
  readonly wakes?: readonly string[];
};

/** Told the name of a wake; nothing where some may have been missed, and whoever waits looks again. */
export type Hear = (key: string | undefined) => void;

/**
 * Why nothing of a unit was written. `epoch`: the stream is not held under that epoch. `head`: the records do not continue
 * the stream, which ends at `head`.
 */
export type Conflict =
  | { readonly type: "conflict"; readonly on: "epoch"; readonly stream: string }
  | { readonly type: "conflict"; readonly on: "head"; readonly stream: string; readonly head: Head }
  | {
      readonly type: "conflict";
      readonly on: "document";
      readonly key: DocumentKey;
      readonly revision: number;
    }
  | { readonly type: "conflict"; readonly on: "claim"; readonly key: ClaimKey; readonly claim?: Claim }
  | { readonly type: "conflict"; readonly on: "content"; readonly erasure: Erasure };
export type CommitResult = { readonly type: "committed" } | Conflict;

export type LeaseResult =
  | { readonly type: "leased"; readonly epoch: number; readonly head: Head }
  | { readonly type: "held" };

export type StreamRange = {
  readonly stream: string;
  readonly accountId: string;
  /** First sequence number wanted; 1 unless given. */
  readonly from?: number;
  readonly limit: number;
};

export type DocumentQuery = {
  readonly kind: string;
  readonly accountId: string;
  readonly status?: string;
  /** Only ids after this one; answers are in the order of ids, by code unit. */
  readonly after?: string;
  readonly limit: number;
};

/** The runs of an account that were started under one package. */
export type PackageRuns = { readonly accountId: string; readonly packageFingerprint: string };

/** Which runs are asked for that nobody drives. */
export type UndrivenRunsQuery = {
  /** Only runs of these, however many there are. */
  readonly of: readonly PackageRuns[];
  /** Only ids after this one; answers are in the order of ids, by code unit. */
  readonly after?: string;
  readonly limit: number;
};

export type UndrivenRun = PackageRuns & { readonly id: string };

/**
 * What somebody knows of a stream, the number of its last record, or of a document, its revision. 0 where nothing is there.
 */
export type Watched =
  | { readonly type: "stream"; readonly accountId: string; readonly stream: string; readonly seq: number }
  | (DocumentKey & { readonly type: "document"; readonly revision: number });

/**
 * Where everything is kept. Every method is one whole operation. A refusal of a commit is a value; what a method throws is
 * a fault of the store (`journal_append_failed`, `lease_lost`), and a thrown commit has written nothing or everything.
 */
export interface Store {
  /** Whether what is written here outlives this process. */
  lasts(): boolean;
  commit(unit: Unit): Promise<CommitResult>;
  /**
   * Makes this opened store the writer of a stream, which begins to exist here with `genesis` as its head if it did not. A
   * new epoch shuts out whoever wrote before. `held`: a living writer has it.
   */
  lease(stream: string, accountId: string, genesis: Digest): Promise<LeaseResult>;
  /**
   * Begins anew the time for which this opened store holds a stream. False where it does not hold the stream under this epoch any
   * more; what it throws says that nobody knows.
   */
  renew(stream: string, epoch: number): Promise<boolean>;
  /** Milliseconds without a sign of this opened store after which others may take over what it holds; Infinity where nobody can. */
  leaseMs(): number;
  /** Gives a stream up; without effect where the epoch is no longer current. */
  release(stream: string, epoch: number): Promise<void>;
  /** Records in order; none where the stream is another account's. */
  readStream(range: StreamRange): Promise<StoredRecord[]>;
  document(key: DocumentKey): Promise<StoredDocument | undefined>;
  documents(query: DocumentQuery): Promise<StoredDocument[]>;
  /** The documents of one account among these ids, in the order of the ids given. */
  documentsById(kind: string, accountId: string, ids: readonly string[]): Promise<StoredDocument[]>;
  /** The accounts that have a document of this kind, and of this status where one is given. For whoever opens the store, never for a principal. */
  accountsWith(kind: string, status?: string): Promise<string[]>;
  claim(key: ClaimKey, now: number): Promise<Claim | undefined>;
  /**
   * Streams of an account whose writer is gone without having given them up, while others go on: for whoever takes them over.
   * Where only one process writes there are none; what the one before has left is found when the store is opened.
   */
  abandoned(accountId: string): Promise<string[]>;
  /**
   * Documents of this kind and status, of all accounts, that have the name of such a stream. However many streams living writers
   * have, answering takes no longer. For whoever opens the store, never for a principal.
   */
  abandonedWith(kind: string, status: string): Promise<DocumentKey[]>;
  /**
   * Runs that have not ended and whose stream no living process holds: the process that drove them has died, or has given them
   * up. However many runs of other packages there are, answering takes no longer.
   */
  undrivenRuns(query: UndrivenRunsQuery): Promise<UndrivenRun[]>;
  /** Those of which something else is there now than is known, each with what is there now. One operation, however many are asked about. */
  moved(known: readonly Watched[]): Promise<Watched[]>;
  /** Tells of the wakes of every committed unit, also of other processes', until what is given back is called. */
  listen(hear: Hear): () => void;
  /** Ends what is under way and gives every lease up. */
  close(): Promise<void>;
}
