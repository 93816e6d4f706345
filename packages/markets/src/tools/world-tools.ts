import { InvalidInputError, strictObject, timestampSchema } from "@spfunctions/contracts";
import { defineTool } from "@spfunctions/kernel";
import { z } from "zod";
import { intervalMs } from "../venue/market.ts";
import { closingMarkets } from "../world/calendar.ts";
import type { World } from "../world/open-world.ts";
import { regimes } from "../world/regime.ts";
import { indicesSchema } from "./index-tools.ts";
import {
  isoTime,
  limitSchema,
  listOf,
  nameShape,
  shortMarketSchema,
  unavailableSchema,
  wordSchema,
} from "./market-view.ts";
import { answerOf, answerShape } from "./venue-answer.ts";

const label = z.enum(regimes);
const regimeSchema = strictObject({ label, reason: z.string() });
const moverSchema = strictObject({
  ...nameShape,
  title: z.string(),
  priceCents: z.int().nullable(),
  moveCents: z.int(),
  synthetic: z.boolean(),
});
const turnoverSchema = strictObject({ count: z.int().min(0), items: listOf(shortMarketSchema) });

const stateSchema = strictObject({
  at: timestampSchema,
  synthetic: z.boolean(),
  regime: regimeSchema,
  indices: indicesSchema,
  counts: strictObject({
    markets: z.int().min(0),
    venues: z.int().min(0),
    moving: z.int().min(0),
    closingWithinDay: z.int().min(0),
  }),
  movers: listOf(moverSchema),
  regions: listOf(
    strictObject({
      region: z.string(),
      markets: z.int().min(0),
      regime: label,
      moveCents: z.number(),
      synthetic: z.boolean(),
    }),
  ),
  unavailable: unavailableSchema,
});

const deltaSchema = strictObject({
  at: timestampSchema,
  since: timestampSchema,
  synthetic: z.boolean(),
  indices: strictObject({ before: indicesSchema, after: indicesSchema }),
  regime: strictObject({ before: label, after: label }),
  movers: listOf(moverSchema),
  opened: turnoverSchema,
  closed: turnoverSchema,
  without: listOf(z.string()),
  unavailable: unavailableSchema,
});

const groupSchema = strictObject({
  name: z.string(),
  markets: z.int().min(0),
  synthetic: z.boolean(),
  regime: regimeSchema,
  components: strictObject({
    breadth: z.number().min(0).max(100),
    volatility: z.number().min(0).max(100),
    activity: z.number().min(0).max(100).nullable(),
    nearCertainty: z.number().min(0).max(100),
  }),
});

const closingSchema = strictObject({
  closesAt: timestampSchema,
  ...nameShape,
  title: z.string(),
  category: z.string(),
  region: z.string(),
  synthetic: z.boolean(),
});

const reading = {
  permissions: ["world:read"],
  sideEffect: "none",
  costEffect: "api_cost",
  stability: "beta",
} as const;

/**
 * How long ago world.delta looks back.
 * @limit market.deltaMs | `invalid_input`, reason `too_long_ago` | fixed: the world is remembered no longer
 */
const longestDelta = 30 * intervalMs["1d"];
const sdkPackage = "@spfunctions/sdk";

/** What is going on over all markets. */
export function worldTools(world: World) {
  return [
    defineTool({
      ...reading,
      name: "world.read",
      title: "Read the world",
      description:
        "What is going on over all markets, in under 1,000 tokens: regime, indices, salient movers of the last day, regions, counts.",
      input: strictObject({}),
      output: stateSchema,
      http: { method: "GET", path: "/api/agent/world" },
      sdk: { package: sdkPackage, method: "world.read" },
      run: async () => {
        const { at, ...state } = await world.stateOf(await world.rows.known());
        return { at: isoTime(at), ...state };
      },
    }),
    defineTool({
      ...reading,
      name: "world.delta",
      title: "Read what changed",
      description:
        "What changed since a time within the last 30 days: indices and regime before and after, movers since, markets opened and closed. Venues that cannot tell their past are named in `without` and left out.",
      input: strictObject({ since: timestampSchema }),
      output: deltaSchema,
      http: { method: "GET", path: "/api/agent/world/delta" },
      sdk: { package: sdkPackage, method: "world.delta" },
      run: async (input) => {
        const since = readSince(input.since, world.now());
        const { at, ...delta } = await world.deltaSince(since);
        return { at: isoTime(at), since: isoTime(since), ...delta };
      },
    }),
    defineTool({
      ...reading,
      name: "regime.scan",
      title: "Scan the regimes",
      description:
        "Which regime each category and each region is in, with the numbers that decided it: breadth, volatility, activity and the share of markets near certainty. The largest groups come first.",
      input: strictObject({ limit: limitSchema.optional() }),
      output: strictObject({
        at: timestampSchema,
        synthetic: z.boolean(),
        overall: groupSchema,
        categories: listOf(groupSchema),
        regions: listOf(groupSchema),
        unavailable: unavailableSchema,
      }),
      http: { method: "GET", path: "/api/public/regime/scan" },
      sdk: { package: sdkPackage, method: "regime.scan" },
      run: async ({ limit = 50 }) => {
        const venues = await world.rows.known();
        const { overall, categories, regions } = await world.scanOf(venues);
        return {
          at: isoTime(venues.at),
          synthetic: venues.synthetic,
          overall,
          categories: categories.slice(0, limit),
          regions: regions.slice(0, limit),
          unavailable: venues.unavailable,
        };
      },
    }),
    calendarTool(world),
  ];
}

/** Open to everybody, so it asks no real venue for anything: what others have not read is not in it. */
function calendarTool(world: World) {
  return defineTool({
    name: "calendar.list",
    title: "List what closes when",
    description:
      "The markets that close next, within 30 days unless said. Markets of real venues are in it once somebody has read them.",
    permissions: [],
    sideEffect: "none",
    costEffect: "none",
    authRequired: false,
    access: { anonymousAllowed: true },
    stability: "beta",
    input: strictObject({
      days: z.int().min(1).max(366).optional(),
      category: wordSchema.optional(),
      limit: limitSchema.optional(),
    }),
    output: strictObject(answerShape(closingSchema)),
    http: { method: "GET", path: "/api/public/calendar" },
    sdk: { package: sdkPackage, method: "calendar.list" },
    run: async ({ days = 30, category, limit = 20 }) => {
      const known = await world.rows.known();
      const closing = closingMarkets(world.byClosing(known.rows), { days, category, limit }, known.at);
      const items = closing.map(({ venue, ticker, title, region, synthetic, ...row }) => ({
        closesAt: isoTime(row.closesAt),
        venue,
        ticker,
        title,
        category: row.category,
        region,
        synthetic,
      }));
      return answerOf(known, items);
    },
  });
}

function readSince(text: string, now: number): number {
  const since = Date.parse(text);
  if (since <= now && since >= now - longestDelta) return since;
  throw new InvalidInputError("since is no time within the last 30 days; give one that is", {
    details: { path: "/since", reason: since > now ? "in_the_future" : "too_long_ago" },
  });
}
