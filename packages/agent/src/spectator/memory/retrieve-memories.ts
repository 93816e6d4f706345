// I1: what an index or a vector names is a hint. A memory comes only from the store, asked with the account, and only where this
// installation wrote it.
import { cutText, type MemoryItem, type MemoryTrust, redactText, trustOf } from "@spfunctions/contracts";
import { wordsOf } from "@spfunctions/kernel";
import { fuseRanks, type Ranked, type Ranking, type Way } from "./fuse-ranks.ts";
import { memoryIn, memoryKind, searchTextOf } from "../../kept/kept-memory.ts";
import type { MemoryHost } from "./memory-host.ts";
import { type MemoryTrouble, troubleOf } from "./memory-trouble.ts";
import type { MemoryVectors } from "./memory-vectors.ts";

export type Question = {
  readonly text: string;
  /** At most 100. */
  readonly limit?: number;
  /** Only what was kept from this session. */
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
};

/** A memory and why it was found. */
export type MemoryHit = {
  readonly item: MemoryItem;
  /** BM25's where words alone were looked for, otherwise of the fused ranks; only comparable within one answer. */
  readonly score: number;
  readonly ranks: { readonly [By in Way]?: number };
  readonly scores: { readonly [By in Way]?: number };
  readonly trust: MemoryTrust;
  /** The words of the question that it has. */
  readonly matched: readonly string[];
};

export type Retrieved = {
  /** Best first. */
  readonly hits: readonly MemoryHit[];
  /** By what was looked for. */
  readonly ways: readonly Way[];
  /** What was not done, and why. */
  readonly troubles: readonly MemoryTrouble[];
};

/** So many of each ranking are fused, unless too many of them fall away. */
const usualPool = 100;
/**
 * Memories that one question finds.
 * @limit memory.found | no more are given | fixed: a question is about something
 */
const mostHits = 100;
const mostMatched = 32;
const mostRead = 64 * 1024;

export async function retrieveMemories(
  host: MemoryHost,
  vectors: MemoryVectors | undefined,
  { text: given, limit = 5, sessionId, signal }: Question,
): Promise<Retrieved> {
  const { keyedHash, limits } = host;
  const text = cutText(redactText(cutText(given, mostRead), { keyedHash }), limits.queryChars);
  const wanted = Math.min(Math.floor(limit), mostHits);
  if (!(wanted >= 1) || text.trim() === "") return { hits: [], ways: [], troubles: [] };
  const nearest = vectors === undefined ? undefined : await nearestTo(text, vectors, signal);
  for (const pool of [usualPool, Math.max(usualPool, limits.candidates)]) {
    // oxlint-disable-next-line no-await-in-loop -- again only when too many fell away
    const { rankings, troubles } = await look(host, text, pool, nearest);
    // oxlint-disable-next-line no-await-in-loop -- see above
    const hits = await load(host, fuseRanks(rankings), { text, wanted, sessionId });
    const isAll = Object.values(rankings).every(({ length }) => length < pool);
    if (hits.length < wanted && !isAll && pool < limits.candidates) continue;
    return { hits, ways: Object.keys(rankings) as Way[], troubles };
  }
  return { hits: [], ways: [], troubles: [] };
}

type Nearest = {
  readonly near?: (limit: number) => Ranking;
  readonly troubles: readonly MemoryTrouble[];
};

async function nearestTo(text: string, vectors: MemoryVectors, signal?: AbortSignal): Promise<Nearest> {
  const embedded = await vectors.embed([text], signal);
  if (embedded.type === "trouble") return { troubles: [embedded.trouble] };
  const vector = embedded.vectors[0] as Float32Array;
  const { shelf, isWhole } = await vectors.shelfFor(vector);
  const most = `there are more vectors than the ${shelf.size} that are searched; the other memories are found by their words`;
  return {
    near: (limit) => shelf.nearest(vector, limit),
    troubles: isWhole ? [] : [troubleOf("embed", "too_many", most)],
  };
}

async function look(
  { search, accountId }: MemoryHost,
  text: string,
  pool: number,
  { near, troubles = [] }: Partial<Nearest> = {},
) {
  const embedding = near?.(pool);
  try {
    const found = await search.query({ accountId, text, limit: pool });
    const bm25 = found.slice(0, pool).filter(({ id }) => typeof id === "string");
    return { rankings: { bm25, ...(embedding && { embedding }) }, troubles };
  } catch (error) {
    const trouble = troubleOf("search", "failed", error);
    return { rankings: { ...(embedding && { embedding }) }, troubles: [...troubles, trouble] };
  }
}

type Filter = { readonly text: string; readonly wanted: number; readonly sessionId: string | undefined };

async function load(host: MemoryHost, ranked: readonly Ranked[], filter: Filter): Promise<MemoryHit[]> {
  const { wanted } = filter;
  const asked = new Set(wordsOf(filter.text));
  const hits: MemoryHit[] = [];
  // No more is read than is shown, as long as nothing falls away.
  for (let from = 0; from < ranked.length && hits.length < wanted; from += wanted) {
    // oxlint-disable-next-line no-await-in-loop -- see above
    const items = await itemsOf(host, ranked.slice(from, from + wanted));
    for (const { item, ...why } of items)
      if (filter.sessionId === undefined || item.source.sessionId === filter.sessionId)
        hits.push({ item, ...why, trust: trustOf(item), matched: matchedIn(item, asked) });
  }
  return hits.slice(0, wanted);
}

async function itemsOf(host: MemoryHost, ranked: readonly Ranked[]) {
  const ids = ranked.map(({ id }) => id);
  const documents = await host.store.documentsById(memoryKind, host.accountId, ids);
  const items = new Map(documents.map((document) => [document.id, memoryIn(host, document)]));
  return ranked.flatMap(({ id, score, ranks, scores }) => {
    const item = items.get(id);
    return item === undefined ? [] : [{ item, score, ranks, scores }];
  });
}

function matchedIn(item: MemoryItem, asked: ReadonlySet<string>): string[] {
  const has = new Set(wordsOf(searchTextOf(item)));
  return [...asked].filter((word) => has.has(word)).slice(0, mostMatched);
}
