import { InvalidInputError } from "@spfunctions/contracts";
import { refuseUnknown } from "../../given-options.ts";

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

const defaultMemoryLimits: MemoryLimits = {
  memoryChars: 8000,
  longChars: 1_000_000,
  tags: 32,
  tagChars: 64,
  nameChars: 200,
  queryChars: 4000,
  candidates: 1000,
  embedMs: 2000,
  embedRestMs: 30_000,
  batch: 64,
  dimensions: 4096,
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
