import { z } from "zod";
import {
  accountIdSchema,
  agentIdSchema,
  effectIdSchema,
  runIdSchema,
  sessionIdSchema,
  stepIdSchema,
  timestampSchema,
  traceIdSchema,
} from "../identity/ids.ts";
import { jsonObjectSchema } from "../schema/json-schemas.ts";
import { strictObject } from "../schema/strict-object.ts";
import { errorCodeSchema } from "../verdict/verdict.ts";
import { approvalOfCallSchema } from "./approval.ts";
import { spentSchema } from "./spent.ts";

export const runtimeSessionSchema = strictObject({
  sessionId: sessionIdSchema,
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  objective: z.string().optional(),
  policySummary: jsonObjectSchema,
});
export type RuntimeSession = z.infer<typeof runtimeSessionSchema>;

/** A session as a store keeps it: whose it is, and how far it has come. */
export const sessionDocumentSchema = strictObject({
  session: runtimeSessionSchema,
  accountId: accountIdSchema,
  agentId: agentIdSchema,
  /** Its last run. */
  runId: runIdSchema,
  /** Where it ends with the process that began it: a name of that. */
  process: z.string().min(1).max(64).optional(),
});
export type SessionDocument = z.infer<typeof sessionDocumentSchema>;
export const keptSessionSchema = strictObject({ value: sessionDocumentSchema, proof: z.string() });

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
  /** Why it failed or was blocked. */
  code: errorCodeSchema.optional(),
  /** The same in words. */
  reason: z.string().optional(),
});
export type RuntimeStep = z.infer<typeof runtimeStepSchema>;

/**
 * `requires_approval` and `recovery_needed` are no ends: the run goes on when somebody has answered, or has said what became of an
 * effect.
 */
export const runStatusSchema = z.enum([
  "completed",
  "failed",
  "blocked",
  "cancelled",
  "requires_approval",
  "recovery_needed",
]);
export type RunStatus = z.infer<typeof runStatusSchema>;

export const runtimeRunResultSchema = strictObject({
  runId: runIdSchema,
  sessionId: sessionIdSchema.optional(),
  status: runStatusSchema,
  output: z.unknown().optional(),
  steps: z.array(runtimeStepSchema),
  usage: spentSchema.optional(),
  /** Why it has not completed. */
  error: strictObject({ code: errorCodeSchema, message: z.string() }).optional(),
  /** The questions that wait for a person. */
  approvals: z.array(approvalOfCallSchema),
  /** The effects of which nobody knows what became, where there are any: a person says so. */
  unknownEffects: z.array(effectIdSchema).optional(),
  /** The subagents that it has started, where there are any, and how each stands. */
  children: z
    .array(
      strictObject({
        runId: runIdSchema,
        subagent: z.string(),
        status: z.enum([
          "completed",
          "blocked",
          "failed",
          "cancelled",
          "running",
          "resting",
          "asking",
          "detaching",
          "detached",
        ]),
        depth: z.int().positive(),
        spent: spentSchema.optional(),
      }),
    )
    .optional(),
});
export type RuntimeRunResult = z.infer<typeof runtimeRunResultSchema>;
