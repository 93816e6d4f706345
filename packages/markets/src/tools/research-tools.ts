import { strictObject, timestampSchema } from "@spfunctions/contracts";
import { defineTool } from "@spfunctions/kernel";
import { z } from "zod";
import type { World } from "../world/open-world.ts";
import { findPassages } from "../world/passages.ts";
import { isoTime, nameShape } from "./market-view.ts";
import { answerOf, answerShape } from "./venue-answer.ts";

const passageSchema = strictObject({
  score: z.number().min(0).meta({ description: "Higher fits better; only comparable within one answer." }),
  text: z.string(),
  kind: z.enum(["title", "rules"]),
  source: strictObject({ ...nameShape, title: z.string() }),
  facts: strictObject({
    priceCents: z.int().nullable(),
    moveCents: z.int().nullable(),
    dayVolume: z.number().min(0),
    closesAt: timestampSchema,
  }),
  synthetic: z.boolean(),
});

/** Answers from what the venues publish. */
export function researchTools(world: World) {
  return [
    defineTool({
      name: "research.query",
      title: "Look something up",
      description:
        "Passages of markets and their rules that fit a question best, with their sources and what those markets cost. Nothing is written anew: what no venue has published is not in the answer.",
      permissions: ["research:read"],
      sideEffect: "none",
      costEffect: "search_cost",
      stability: "beta",
      input: strictObject({
        question: z.string().min(1).max(500),
        limit: z.int().min(1).max(20).optional(),
      }),
      output: strictObject(answerShape(passageSchema)),
      http: { method: "GET", path: "/api/public/research" },
      sdk: { package: "@spfunctions/sdk", method: "research.query" },
      run: async ({ question, limit = 5 }, { signal }) => {
        const venues = await world.rows.known();
        const passages = await findPassages(world, venues, { question, limit }, signal);
        const items = passages.map(({ facts, ...passage }) => ({
          ...passage,
          facts: { ...facts, closesAt: isoTime(facts.closesAt) },
        }));
        return answerOf(venues, items);
      },
    }),
  ];
}
