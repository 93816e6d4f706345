import { z } from "zod";
import { strictObject } from "../schema/strict-object.ts";

const maxInFlight = z.int().min(1, "maxInFlight is at least 1: with less, no call would ever start");

/** How the calls of one step run: one after the other, several at once, or several at once and delivered in order. */
export const toolExecutionStrategySchema = z.discriminatedUnion("type", [
  strictObject({ type: z.literal("sequential") }),
  strictObject({ type: z.literal("bounded_concurrent"), maxInFlight }),
  strictObject({ type: z.literal("ordered_batch"), maxInFlight }),
]);
export type ToolExecutionStrategy = z.infer<typeof toolExecutionStrategySchema>;
