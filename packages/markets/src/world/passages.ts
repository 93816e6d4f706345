// Nothing here is written anew: a passage is a sentence that a venue has published, and every one names its market.
import { wordsOf } from "@spfunctions/kernel";
import type { MarketRow } from "../venue/market.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import type { MarketSearch } from "./market-search.ts";
import type { Ranked } from "./ranked-markets.ts";
import { moveOf, priceOf } from "./row-figures.ts";
import type { VenueRows } from "./rows-by-tick.ts";
import { shortText } from "./short-text.ts";

export type Passage = {
  readonly score: number;
  readonly text: string;
  /** Whether it is the market's title or a sentence of its rules. */
  readonly kind: "title" | "rules";
  readonly source: { readonly venue: string; readonly ticker: string; readonly title: string };
  readonly facts: {
    readonly priceCents: number | null;
    readonly moveCents: number | null;
    readonly dayVolume: number;
    readonly closesAt: number;
  };
  readonly synthetic: boolean;
};

const passageLength = 400;

/** The passages that fit a question best. Rules are read where that costs no request to a real venue; elsewhere the title speaks. */
export async function findPassages(
  { readers, search }: { readonly readers: readonly VenueReader[]; readonly search: MarketSearch },
  venues: VenueRows,
  { question, limit }: { readonly question: string; readonly limit: number },
  signal: AbortSignal,
): Promise<Passage[]> {
  const found = await search.relevant(venues, question, limit);
  return await Promise.all(
    found.map(async (ranked) => {
      const reader = readers.find(({ venue }) => venue === ranked.row.venue);
      const rules = reader?.synthetic === true ? await rulesOf(reader, ranked.row.ticker, signal) : "";
      return passageOf(ranked, bestSentence(rules, question));
    }),
  );
}

async function rulesOf(reader: VenueReader, ticker: string, signal: AbortSignal): Promise<string> {
  try {
    return (await reader.market(ticker, signal))?.rules ?? "";
  } catch {
    // The title is known already, and speaks for the market.
    return "";
  }
}

function passageOf({ row, value }: Ranked, sentence: string | undefined): Passage {
  const { venue, ticker, title, synthetic } = row;
  return {
    score: Math.round(value * 1_000) / 1_000,
    text: sentence ?? shortText(title, passageLength),
    kind: sentence === undefined ? "title" : "rules",
    source: { venue, ticker, title },
    facts: factsOf(row),
    synthetic,
  };
}

function factsOf(row: MarketRow): Passage["facts"] {
  const { dayVolume, closesAt } = row;
  return { priceCents: priceOf(row), moveCents: moveOf(row), dayVolume, closesAt };
}

/** The sentence of a text that shares the most words with a question, the first of equals; none where nothing is shared. */
export function bestSentence(text: string, question: string): string | undefined {
  const asked = new Set(wordsOf(question));
  let best: string | undefined;
  let most = 0;
  for (const sentence of text.split(/(?<=[.!?])\s+/u)) {
    const shared = new Set(wordsOf(sentence).filter((word) => asked.has(word))).size;
    if (shared > most) [best, most] = [sentence, shared];
  }
  return best === undefined ? undefined : shortText(best, passageLength);
}
