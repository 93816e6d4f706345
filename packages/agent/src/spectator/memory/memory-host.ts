import type { KeyedHash } from "@spfunctions/contracts";
import type { Clock, Installation, SearchIndex, Store } from "@spfunctions/kernel";
import type { Embedder } from "./ask-embedder.ts";
import type { MemoryLimits } from "./memory-limits.ts";

export type MemoryOptions = {
  readonly store: Store;
  /** The memories' alone: it is forgotten as a whole when it is rebuilt. */
  readonly search: SearchIndex;
  readonly accountId: string;
  /** What proves rows, and what tells placeholders of secrets apart. */
  readonly installation: Pick<Installation, "keyHash" | "redaction">;
  readonly clock?: Clock;
  /** Memories are also found by what they mean, as this says it. */
  readonly embed?: Embedder;
  readonly limits?: Partial<MemoryLimits>;
};

/** What a memory works with. */
export type MemoryHost = {
  readonly store: Store;
  readonly search: SearchIndex;
  readonly accountId: string;
  readonly proves: KeyedHash;
  readonly keyedHash: KeyedHash;
  readonly clock: Clock;
  readonly limits: MemoryLimits;
};
