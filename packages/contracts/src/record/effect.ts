import { z } from "zod";
import { costEffectSchema } from "../effect/cost-effect.ts";
import { sideEffectSchema } from "../effect/side-effect.ts";
import {
  approvalIdSchema,
  callIdSchema,
  contentRefSchema,
  digestSchema,
  effectIdSchema,
  runIdSchema,
  timestampSchema,
} from "../identity/ids.ts";
import { strictObject } from "../schema/strict-object.ts";
import { idempotencySchema } from "../tool/contract-tool.ts";
import { toolNameSchema } from "../tool/tool-name.ts";
import { errorCodeSchema } from "../verdict/verdict.ts";

/** How an effect ended. `unknown` is not an end: it stays until it is reconciled or a person decides. */
export const effectTerminalStatusSchema = z.enum([
  "completed",
  "failed",
  "timed_out",
  "cancelled",
  "denied_before_execution",
  "unknown",
]);
export type EffectTerminalStatus = z.infer<typeof effectTerminalStatusSchema>;

/** What is about to be done, as the record says that is written before it is done (J1). */
export const effectIntentSchema = strictObject({
  effectId: effectIdSchema,
  runId: runIdSchema,
  callId: callIdSchema,
  tool: toolNameSchema,
  toolDigest: digestSchema,
  /** Gone once the input was erased. */
  inputHash: digestSchema.optional(),
  sideEffect: sideEffectSchema,
  costEffect: costEffectSchema,
  idempotency: idempotencySchema,
  /** The key every attempt is made with: the caller's, or the effect id. */
  idempotencyKey: z.string().min(1).max(256),
  policyDigest: digestSchema,
  packageFingerprint: z.string().min(1),
  approvalId: approvalIdSchema.optional(),
  contentRefs: z.array(contentRefSchema),
  redactedSummary: z.string(),
  intendedAt: timestampSchema,
});
export type EffectIntent = z.infer<typeof effectIntentSchema>;

const outcome = {
  terminalStatus: effectTerminalStatusSchema,
  contentRefs: z.array(contentRefSchema),
  redactedSummary: z.string(),
  /** What the other side calls this operation: a platform's receipt, a venue's order id. */
  externalOperationId: z.string().optional(),
  /** Where an executor can ask later what became of an `unknown` effect. */
  reconciliationRef: z.string().optional(),
  errorRef: errorCodeSchema.optional(),
};

/** What an execution comes to. */
export const toolExecutionOutputSchema = strictObject(outcome);
export type ToolExecutionOutput = z.infer<typeof toolExecutionOutputSchema>;

/** What became of an intent. */
export const effectResultSchema = strictObject({ effectId: effectIdSchema, ...outcome });
export type EffectResult = z.infer<typeof effectResultSchema>;
