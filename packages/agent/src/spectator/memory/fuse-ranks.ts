/** By what a memory was found. */
export type Way = "bm25" | "embedding";

/** Ids and how well they fit, best first. */
export type Ranking = readonly { readonly id: string; readonly score: number }[];

/** What was found: where it stands in each ranking that has it, with its score there. */
export type Ranked = {
  readonly id: string;
  readonly score: number;
  readonly ranks: { readonly [By in Way]?: number };
  readonly scores: { readonly [By in Way]?: number };
};

/** How little the very first places count for more than the next: the usual number. */
const flatness = 60;

/**
 * One ranking as it is; of several, one that counts places and not scores, which do not compare: reciprocal rank fusion. Equals
 * stand in the order of their ids.
 */
export function fuseRanks(rankings: { readonly [By in Way]?: Ranking }): Ranked[] {
  const ways = (["bm25", "embedding"] as const).filter((way) => rankings[way] !== undefined);
  const found = new Map<
    string,
    { ranks: Partial<Record<Way, number>>; scores: Partial<Record<Way, number>> }
  >();
  for (const way of ways) {
    for (const [place, { id, score }] of (rankings[way] ?? []).entries()) {
      const one = found.get(id) ?? { ranks: {}, scores: {} };
      found.set(id, one);
      // An index that names something twice has named it once.
      one.ranks[way] ??= place + 1;
      one.scores[way] ??= Number.isFinite(score) ? score : 0;
    }
  }
  const [only, another] = ways;
  const fused = Array.from(found, ([id, { ranks, scores }]): Ranked => {
    const isAlone = only !== undefined && another === undefined;
    return { id, score: isAlone ? (scores[only] ?? 0) : fusedScore(ranks), ranks, scores };
  });
  if (another === undefined) return fused;
  return fused.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

function fusedScore(ranks: Ranked["ranks"]): number {
  return Object.values(ranks).reduce((sum, rank) => sum + 1 / (flatness + rank), 0);
}
