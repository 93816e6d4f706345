import { z } from "zod";
import { costEffectSchema } from "../effect/cost-effect.ts";
import { sideEffectSchema } from "../effect/side-effect.ts";
import {
  approvalIdSchema,
  callIdSchema,
  digestSchema,
  keyIdSchema,
  runIdSchema,
  traceIdSchema,
} from "../identity/ids.ts";
import { originSchema, principalSchema } from "../identity/principal.ts";
import { jsonPointerSchema } from "../schema/json-schemas.ts";
import { strictObject } from "../schema/strict-object.ts";
import { verdictSchema } from "../verdict/verdict.ts";
import { spentSchema } from "./spent.ts";

/** Ed25519 by a seat's signing key. */
export const signatureSchema = strictObject({ keyId: keyIdSchema, sig: z.string().min(1) });
export type Signature = z.infer<typeof signatureSchema>;

/** The five answers of one call, verifiable offline against its trace. */
export const receiptSchema = strictObject({
  v: z.literal(1),
  runId: runIdSchema,
  callId: callIdSchema,
  principal: principalSchema,
  origin: originSchema,
  tool: z.string(),
  /** Absent when no such tool exists. */
  toolDigest: digestSchema.optional(),
  /** Absent when the call was refused before its input was looked at. */
  inputHash: digestSchema.optional(),
  /** Absent when there is no output: refused, failed or withheld. */
  outputHash: digestSchema.optional(),
  verdict: verdictSchema,
  policyDigest: digestSchema,
  approvalId: approvalIdSchema.optional(),
  sideEffect: sideEffectSchema.optional(),
  costEffect: costEffectSchema.optional(),
  spent: spentSchema,
  traceId: traceIdSchema,
  seq: z.int().positive(),
  hash: digestSchema,
  signature: signatureSchema.optional(),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** What a governed call answers. `output` is live only for a direct call; `redacted` points at where the record differs. */
export const toolCallResultSchema = strictObject({
  tool: z.string(),
  runId: runIdSchema,
  callId: callIdSchema,
  output: z.unknown(),
  redacted: z.array(jsonPointerSchema),
  durationMs: z.number().nonnegative(),
  receipt: receiptSchema,
  /** The answer of an earlier call with the same idempotency key, or of a trace: the recorded form, nothing ran. */
  replayed: z.literal(true).optional(),
  /** How a trace's entry was found: `redacted` when only after cutting every placeholder. */
  matchedBy: z.enum(["exact", "redacted"]).optional(),
  /** The recorded contract of a replayed call, where it is not the one of today. */
  recordedToolDigest: digestSchema.optional(),
});
export type ToolCallResult = z.infer<typeof toolCallResultSchema>;
