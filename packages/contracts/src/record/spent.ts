import { z } from "zod";
import { strictObject } from "../schema/strict-object.ts";

const count = z.int().nonnegative();

/** What was used up: by a call, a run, or a whole tree of runs. Absent means none of it. */
export const spentSchema = strictObject({
  steps: count.optional(),
  toolCalls: count.optional(),
  inputTokens: count.optional(),
  outputTokens: count.optional(),
  wallMs: z.number().nonnegative().optional(),
  usd: z.number().nonnegative().optional(),
  children: count.optional(),
});
export type Spent = z.infer<typeof spentSchema>;

/** A budget's state: what is gone, and what is set aside for calls under way. */
export const budgetStateSchema = strictObject({ spent: spentSchema, reserved: spentSchema });
export type BudgetState = z.infer<typeof budgetStateSchema>;
