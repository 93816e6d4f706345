import { z } from "zod";
import {
  runIdSchema,
  sessionIdSchema,
  stepIdSchema,
  timestampSchema,
  traceIdSchema,
} from "../identity/ids.ts";
import { jsonObjectSchema } from "../schema/json-schemas.ts";
import { strictObject } from "../schema/strict-object.ts";
import { spentSchema } from "./spent.ts";

export const runtimeSessionSchema = strictObject({
  sessionId: sessionIdSchema,
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  objective: z.string().optional(),
  policySummary: jsonObjectSchema,
});
export type RuntimeSession = z.infer<typeof runtimeSessionSchema>;

/** One move of a run, as a person follows it. */
export const runtimeStepSchema = strictObject({
  stepId: stepIdSchema,
  runId: runIdSchema,
  type: z.enum(["model", "tool", "approval", "handoff", "system"]),
  status: z.enum(["started", "completed", "failed", "blocked"]),
  tool: z.string().optional(),
  traceId: traceIdSchema.optional(),
  startedAt: timestampSchema,
  completedAt: timestampSchema.optional(),
});
export type RuntimeStep = z.infer<typeof runtimeStepSchema>;

/** `requires_approval` is not an end: the run goes on when somebody has answered. */
export const runStatusSchema = z.enum(["completed", "failed", "blocked", "cancelled", "requires_approval"]);
export type RunStatus = z.infer<typeof runStatusSchema>;

export const runtimeRunResultSchema = strictObject({
  runId: runIdSchema,
  sessionId: sessionIdSchema.optional(),
  status: runStatusSchema,
  output: z.unknown().optional(),
  steps: z.array(runtimeStepSchema),
  usage: spentSchema.optional(),
});
export type RuntimeRunResult = z.infer<typeof runtimeRunResultSchema>;
