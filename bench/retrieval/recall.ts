import { createMemorySearchIndex, createMemoryStore, openInstallation } from "@spfunctions/kernel";
import type { Embedder } from "../../packages/agent/src/spectator/memory/ask-embedder.ts";
import { Memory } from "../../packages/agent/src/spectator/memory/memory.ts";
import type { Half, Question } from "./questions.ts";
import { textOf } from "./wordnet.ts";

export const depths = [5, 10] as const;

/** How much of what fits is among the first few, by way, by kind of question and by depth. */
export type Recall = { readonly [way: string]: { readonly [kind: string]: readonly number[] } };

const installation = openInstallation(Buffer.alloc(32, 1));

/** The same memories and questions through words, through vectors, and through both. */
export async function recallOf({ meanings, questions }: Half, embed: Embedder): Promise<Recall> {
  const [store, search] = [createMemoryStore(), createMemorySearchIndex()];
  const shared = { store, accountId: "bench", installation, limits: { batch: 500, embedMs: 600_000 } };
  const both = new Memory({ ...shared, search, embed });
  const items = await both.rememberAll(
    meanings.map((meaning) => ({ text: textOf(meaning), source: { type: "import", name: meaning.id } })),
  );
  if (items.length !== meanings.length) throw new Error("not every meaning was kept");
  const ways = {
    "BM25 alone": new Memory({ ...shared, search }),
    "vectors alone": new Memory({ ...shared, search: { ...search, query: async () => [] }, embed }),
    fused: both,
  };
  const recall: Record<string, Record<string, readonly number[]>> = {};
  for (const [way, memory] of Object.entries(ways)) {
    recall[way] = {};
    for (const [kind, asked] of Object.entries(questions)) {
      const shares: (readonly number[])[] = [];
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (const question of asked) shares.push(await sharesOf(memory, question));
      recall[way][kind] = depths.map((_, place) => mean(shares.map((share) => share[place] ?? 0)));
    }
  }
  return recall;
}

async function sharesOf(memory: Memory, { text, fits, but }: Question): Promise<number[]> {
  // One more than is counted, for what the question was made from.
  const { hits, troubles } = await memory.retrieve({ text, limit: Math.max(...depths) + 1 });
  if (troubles.length > 0) throw new Error(troubles[0]?.message);
  const found = hits.map(({ item }) => item.source.name ?? "").filter((id) => id !== but);
  return depths.map((depth) => {
    const first = new Set(found.slice(0, depth));
    return fits.filter((id) => first.has(id)).length / fits.length;
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
