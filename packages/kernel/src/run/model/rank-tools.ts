import type { ContractTool } from "@spfunctions/contracts";
import { bestHits, bm25 } from "../../search/bm25.ts";
import { countWords, wordsOf } from "../../search/words.ts";

type Ranked = Pick<ContractTool, "name" | "title" | "description" | "permissions">;

/** Finds tools by what they are called, say of themselves and need; the best first. */
export type RankTools = (query: string, limit: number) => string[];

export function rankTools(tools: readonly Ranked[]): RankTools {
  const entries = tools.map((tool) => {
    const words = countWords(stemsIn(textOf(tool)));
    return { name: tool.name, words, length: [...words.values()].reduce((sum, count) => sum + count, 0) };
  });
  const all = {
    entries: Math.max(1, entries.length),
    words: Math.max(
      1,
      entries.reduce((sum, one) => sum + one.length, 0),
    ),
  };
  const rank = bm25(all);
  return (query, limit) => {
    const scores = new Map<string, number>();
    for (const word of new Set(stemsIn(query))) {
      const having = entries.filter(({ words }) => words.has(word));
      const scoreOf = rank(having.length);
      for (const { name, words, length } of having)
        scores.set(name, (scores.get(name) ?? 0) + scoreOf(words.get(word) ?? 0, length));
    }
    return bestHits(
      Array.from(scores, ([id, score]) => ({ id, score })),
      limit,
    ).map(({ id }) => id);
  };
}

/** Whoever wants to close a market looks for what closes markets. */
function stemsIn(text: string): string[] {
  return wordsOf(text).map((word) => (word.length > 3 ? word.replace(/(?:ing|ed|es|s|e)$/, "") : word));
}

/** What a tool is called says more of it than its description: it counts three times. */
function textOf({ name, title, description, permissions }: Ranked): string {
  const called = name.replaceAll(/[._-]/g, " ");
  return [
    called,
    called,
    called,
    title,
    description,
    ...permissions.map((one) => one.replaceAll(/[:._-]/g, " ")),
  ].join(" ");
}
