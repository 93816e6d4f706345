import { InvalidInputError, refuseUnknown } from "@spfunctions/contracts";

export type MemoryLimits = {
  /** The text of one memory. */
  readonly memoryChars: number;
  /** A text that is kept as several memories. */
  readonly longChars: number;
  readonly tags: number;
  readonly tagChars: number;
  /** What a source is called. */
  readonly nameChars: number;
  /** So much of a question is looked for. */
  readonly queryChars: number;
  /** So many of the best are looked at where some of them fall away: of another session, forgotten meanwhile, not ours. */
  readonly candidates: number;
  /** How long an embedder may take, and how long it is not asked again after it has failed. */
  readonly embedMs: number;
  readonly embedRestMs: number;
  /** So many texts are given to an embedder, and so many memories written, at once. */
  readonly batch: number;
  /** Numbers in a vector. */
  readonly dimensions: number;
  /**
   * So many vectors are held and searched. One costs 4 bytes for each of its numbers, and a multiplication for each of them in
   * every question: 20,000 of 384 are 31 MB and about 10 ms. Memories beyond are found by their words alone.
   */
  readonly vectors: number;
};

/**
 * @limits memory | `memoryLimits: { … }` of `Spectator`
 */
const defaultMemoryLimits: MemoryLimits = {
  /** @at `invalid_input`; `rememberLong` keeps it as several */
  memoryChars: 8000,
  /** @at `invalid_input` */
  longChars: 1_000_000,
  /** Tags of a memory. @at the others are left out */
  tags: 32,
  /** A tag. @at it is cut */
  tagChars: 64,
  /** @at it is cut */
  nameChars: 200,
  /** @at the rest is not looked for */
  queryChars: 4000,
  /** @at others are not found */
  candidates: 1000,
  /** How long an embedder may take. @at its memories are found by their words alone */
  embedMs: 2000,
  /** How long an embedder is not asked after it has failed. @at it is asked again */
  embedRestMs: 30_000,
  /** @at the next ones come after them */
  batch: 64,
  /** @at the vector is not taken */
  dimensions: 4096,
  /** @at further memories are found by their words alone */
  vectors: 20_000,
};

/** The usual ones where nothing else is given; each is a whole number from 1. */
export function memoryLimits(given: Partial<MemoryLimits> = {}): MemoryLimits {
  refuseUnknown(given, Object.keys(defaultMemoryLimits), "limit of a memory");
  const limits = { ...defaultMemoryLimits, ...given };
  const wrong = Object.entries(limits).find(([, limit]) => !Number.isSafeInteger(limit) || limit < 1);
  if (wrong === undefined) return limits;
  throw new InvalidInputError(`the limit ${wrong[0]} of a memory is a whole number from 1`, {
    details: { path: `/limits/${wrong[0]}` },
  });
}
