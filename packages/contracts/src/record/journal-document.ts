// What a journal keeps beside its records: where it ends, which effects nobody knows the end of, what a key was used for.
import { z } from "zod";
import {
  agentIdSchema,
  callIdSchema,
  digestSchema,
  effectIdSchema,
  runIdSchema,
  sessionIdSchema,
  timestampSchema,
} from "../identity/ids.ts";
import { principalSchema } from "../identity/principal.ts";
import { strictObject } from "../schema/strict-object.ts";
import { signatureSchema } from "./receipt.ts";
import { streamIdSchema } from "./record-parts.ts";

/** Where a sealed segment ends. */
export const segmentSealSchema = strictObject({
  count: z.int().positive(),
  head: digestSchema,
  sealedAt: timestampSchema,
  signature: signatureSchema.optional(),
});
export type SegmentSeal = z.infer<typeof segmentSealSchema>;

/** How many segments an account's journal has, and which began last. */
export const journalEndSchema = strictObject({ segments: z.int().positive(), last: streamIdSchema });
export type JournalEnd = z.infer<typeof journalEndSchema>;

/** An effect that was begun, and of which nobody knows what became. */
export const unknownEffectSchema = strictObject({
  effectId: effectIdSchema,
  runId: runIdSchema,
  callId: callIdSchema,
  stream: streamIdSchema,
  tool: z.string(),
  idempotencyKey: z.string(),
  /** Why it is unknown. */
  reason: z.string(),
  externalOperationId: z.string().optional(),
  reconciliationRef: z.string().optional(),
  /** What a person has found out since. */
  resolved: z.enum(["completed", "failed"]).optional(),
});
export type UnknownEffect = z.infer<typeof unknownEffectSchema>;

/** The call that an idempotency key was used for, and its records once it has ended: named so that no other can pass for one. */
export const claimedCallSchema = strictObject({
  callId: callIdSchema,
  /** What makes the claim's digest unguessable. Claims from before there was one have none. */
  salt: z.string().min(1).optional(),
  /** What it was used for was erased: salt and digest are gone, and nobody runs or is answered by it. */
  erased: z.literal(true).optional(),
  records: z
    .array(strictObject({ stream: streamIdSchema, seq: z.int().positive(), hash: digestSchema }))
    .min(1)
    .optional(),
});
export type ClaimedCall = z.infer<typeof claimedCallSchema>;

/** A run as it is listed: where its stream is, whose it is, what it runs under. */
export const runDocumentSchema = strictObject({
  runId: runIdSchema,
  agentId: agentIdSchema,
  starter: principalSchema,
  sessionId: sessionIdSchema.optional(),
  packageFingerprint: z.string().min(1),
  /** Whose child it is. */
  parentRunId: runIdSchema.optional(),
  startedAt: timestampSchema,
  updatedAt: timestampSchema,
  /** Where its stream stood when this was written, proved with the secret of the installation that drives it. */
  head: strictObject({ seq: z.int().positive(), hash: digestSchema, proof: z.string().min(1) }).optional(),
  /** Where its stream ends, once it has. */
  seal: segmentSealSchema.optional(),
});
export type RunDocument = z.infer<typeof runDocumentSchema>;
