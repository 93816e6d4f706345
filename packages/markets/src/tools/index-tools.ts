import { strictObject, timestampSchema } from "@spfunctions/contracts";
import { defineTool } from "@spfunctions/kernel";
import { z } from "zod";
import { intervalMs } from "../venue/market.ts";
import { areSynthetic } from "../world/gather-rows.ts";
import type { World } from "../world/open-world.ts";
import { canTellThePast } from "../world/open-past.ts";
import { isoTime, listOf, unavailableSchema } from "./market-view.ts";

const indexSchema = z.number().min(0).max(100);
const indicesShape = {
  disagreement: indexSchema.meta({
    description:
      "How far books and venues disagree: the mean spread as a share of the dearer side's price and, where two venues offer the same thing, the mean of that and of the cents between them.",
  }),
  breadth: indexSchema.meta({
    description: "The share of moving markets that go up; 50 where none moves.",
  }),
  activity: indexSchema.nullable().meta({
    description:
      "Volume against the usual one of the three days before: 50 is as usual, 75 three times it; null where that is not known.",
  }),
} as const;

export const indicesSchema = strictObject(indicesShape);

const reading = {
  permissions: ["index:read"],
  sideEffect: "none",
  costEffect: "api_cost",
  stability: "beta",
} as const;

/** The numbers about all markets, now and before. */
export function indexTools(world: World) {
  return [
    defineTool({
      ...reading,
      name: "index.current",
      title: "Read the indices",
      description: "Disagreement, breadth and activity over all open markets, each from 0 to 100.",
      input: strictObject({}),
      output: strictObject({
        at: timestampSchema,
        synthetic: z.boolean(),
        ...indicesShape,
        markets: z.int().min(0),
        unavailable: unavailableSchema,
      }),
      http: { method: "GET", path: "/api/public/index" },
      sdk: { package: "@spfunctions/sdk", method: "index.current" },
      run: async () => {
        const venues = await world.rows.known();
        const { at, synthetic, indices, counts } = await world.stateOf(venues);
        const { unavailable } = venues;
        return { at: isoTime(at), synthetic, ...indices, markets: counts.markets, unavailable };
      },
    }),
    defineTool({
      ...reading,
      name: "index.history",
      title: "Read the indices of before",
      description:
        "The indices at the end of each hour or day, the oldest first: 30 of them unless said. Venues that cannot tell their past are named in `without` and left out.",
      input: strictObject({
        interval: z.enum(["1h", "1d"]),
        points: z.int().min(1).max(90).optional(),
      }),
      output: strictObject({
        interval: z.enum(["1h", "1d"]),
        synthetic: z.boolean(),
        items: listOf(
          strictObject({
            at: timestampSchema,
            ...indicesShape,
            markets: z.int().min(0),
            synthetic: z.boolean(),
          }),
        ),
        without: listOf(z.string()),
        unavailable: unavailableSchema,
      }),
      http: { method: "GET", path: "/api/public/index/history" },
      sdk: { package: "@spfunctions/sdk", method: "index.history" },
      run: async ({ interval, points = 30 }, { signal }) => {
        const history = await world.indexHistory(timesBefore(world.now(), interval, points), signal);
        return {
          interval,
          synthetic: areSynthetic(history.points, world.readers.filter(canTellThePast)),
          items: history.points.map((point) => ({ ...point, at: isoTime(point.at) })),
          without: world.readers.filter((reader) => !canTellThePast(reader)).map(({ venue }) => venue),
          unavailable: history.unavailable,
        };
      },
    }),
  ];
}

/** The last ends of an interval, in order. */
function timesBefore(now: number, interval: "1h" | "1d", points: number): number[] {
  const last = Math.floor(now / intervalMs[interval]);
  return Array.from({ length: points }, (_, place) => (last - points + 1 + place) * intervalMs[interval]);
}
