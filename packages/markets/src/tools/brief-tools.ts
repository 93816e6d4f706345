import {
  HostConfigurationNeededError,
  InvalidInputError,
  NotFoundError,
  strictObject,
  withoutSecret,
} from "@spfunctions/contracts";
import { defineTool, type ModelAdapter } from "@spfunctions/kernel";
import { z } from "zod";
import { askForText, nameOf } from "../models/ask-model.ts";
import { briefPrompt } from "../models/brief-prompt.ts";
import { type MarketRow, marketStatuses } from "../venue/market.ts";
import { currentWorld } from "../world/current-world.ts";
import { findAtVenues } from "../world/find-at-venues.ts";
import type { World } from "../world/open-world.ts";
import { shortText } from "../world/short-text.ts";
import { tickerSchema } from "../venue/ticker.ts";
import type { MarketsHost } from "./markets-host.ts";

const inputSchema = strictObject({
  // B34: it would stand in a model's context.
  topic: withoutSecret(z.string().min(1).max(200), "topic").optional(),
  tickers: z.array(tickerSchema).min(1).max(10).optional(),
  venue: z.string().min(1).max(64).meta({ description: "Of the tickers." }).optional(),
  maxWords: z.int().min(20).max(500).optional(),
});
type BriefInput = z.infer<typeof inputSchema>;

const cents = z.int().nullable();
const sourceSchema = strictObject({
  venue: z.string(),
  ticker: z.string(),
  title: z.string(),
  status: z.enum(marketStatuses),
  bidCents: cents,
  askCents: cents,
  lastCents: cents,
  dayAgoCents: cents,
  dayVolume: z.number(),
  synthetic: z.boolean(),
});
type Source = z.infer<typeof sourceSchema>;

const tokens = z.int().nonnegative();
const mostSources = 10;
const titleLength = 120;
/** A word and what stands beside it, generously. */
const charsPerWord = 16;
const tokensPerWord = 4;

/** A text about the world, by the model that the host was given. */
export function briefTools({ model: given }: Pick<MarketsHost, "model">, world: World) {
  return [
    defineTool({
      name: "brief.write",
      title: "Have a brief written",
      description:
        "A short text about a topic or some markets, written by a model from the prices that stand beside it. The text is a model's: the sources are the facts.",
      permissions: ["briefs:write"],
      sideEffect: "none",
      costEffect: "llm_cost",
      risk: ["paid_upstream", "search", "llm", "venue"],
      stability: "beta",
      input: inputSchema,
      output: strictObject({
        text: z.string(),
        truncated: z.boolean(),
        sources: z.array(sourceSchema),
        model: z.string(),
        usage: strictObject({ inputTokens: tokens, outputTokens: tokens }),
        synthetic: z.boolean(),
      }),
      http: { method: "POST", path: "/api/briefs" },
      sdk: { package: "@spfunctions/sdk", method: "brief.write" },
      run: async (input, { signal }) => {
        const model = requireModel(given);
        const { topic, maxWords = 150 } = input;
        const sources = await sourcesFor(world, input, signal);
        const { regime, indices, counts, ...current } = await currentWorld(world);
        const facts = {
          ...(topic !== undefined && { topic }),
          world: { regime, indices, counts },
          markets: sources,
        };
        const { text, truncated, usage } = await askForText(model, {
          messages: briefPrompt(facts, maxWords),
          maxTokens: maxWords * tokensPerWord,
          maxChars: maxWords * charsPerWord,
          signal,
        });
        // Whatever the text may speak of was in the prompt: the sources, and how everything else stands.
        const synthetic = current.synthetic && sources.every((source) => source.synthetic);
        return { text, truncated, sources, model: nameOf(model.name), usage, synthetic };
      },
    }),
  ];
}

function requireModel(model: ModelAdapter | undefined): ModelAdapter {
  if (model !== undefined) return model;
  throw new HostConfigurationNeededError(
    "no model is configured to write with; give the host one as model: fixedAnswerModel(text) works without a network",
    { details: { reason: "not_configured_here" } },
  );
}

async function sourcesFor(
  world: World,
  { topic, tickers, venue }: BriefInput,
  signal: AbortSignal,
): Promise<Source[]> {
  if (tickers !== undefined) {
    const wanted = [...new Set(tickers)];
    const ask = (ticker: string) =>
      findAtVenues(world.readers, venue, (reader) => reader.market(ticker, signal));
    return (await Promise.all(wanted.map(ask))).map(({ found }) => sourceOf(found));
  }
  if (topic === undefined) throw bad("/topic", "give a topic or tickers");
  if (venue !== undefined) throw bad("/venue", "venue is that of tickers; leave it out with a topic");
  const found = await world.search.relevant(await world.rows.current(), topic, mostSources);
  if (found.length > 0) return found.map(({ row }) => sourceOf(row));
  throw new NotFoundError("no open market is about this topic; try other words, or give tickers", {
    details: { path: "/topic" },
  });
}

function sourceOf({ venue, ticker, title, status, synthetic, ...row }: MarketRow): Source {
  const { bidCents, askCents, lastCents, dayAgoCents, dayVolume } = row;
  const quote = { bidCents, askCents, lastCents, dayAgoCents, dayVolume };
  return { venue, ticker, title: shortText(title, titleLength), status, ...quote, synthetic };
}

function bad(path: string, message: string): InvalidInputError {
  return new InvalidInputError(message, { details: { path } });
}
