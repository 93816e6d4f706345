import { z } from "zod";
import { costEffectSchema } from "../effect/cost-effect.ts";
import { sideEffectSchema } from "../effect/side-effect.ts";
import {
  approvalIdSchema,
  callIdSchema,
  contentRefSchema,
  digestSchema,
  runIdSchema,
  timestampSchema,
  traceIdSchema,
} from "../identity/ids.ts";
import { principalSchema } from "../identity/principal.ts";
import { strictObject } from "../schema/strict-object.ts";
import { contractToolSchema } from "../tool/contract-tool.ts";
import { errorCodeSchema } from "../verdict/verdict.ts";
import { effectTerminalStatusSchema } from "./effect.ts";
import { signatureSchema } from "./receipt.ts";

/** First line of a trace file: with the contracts used, so that the trace replays alone. */
export const traceHeaderSchema = strictObject({
  v: z.literal(1),
  redactionVersion: z.int().positive(),
  tools: z.array(contractToolSchema),
  manifestDigest: digestSchema,
});
export type TraceHeader = z.infer<typeof traceHeaderSchema>;

/** A payload beside its record: its salt lies with it, so that erasing removes both and leaves the chain whole. */
export const contentRowSchema = z.union([
  strictObject({ ref: contentRefSchema, salt: z.string().min(1), text: z.string() }),
  strictObject({ ref: contentRefSchema, erased: z.literal(true) }),
]);
export type ContentRow = z.infer<typeof contentRowSchema>;

/** One journal record: `record` is the hashed text, byte for byte. */
export const traceLineSchema = strictObject({
  record: z.string().min(2),
  content: z.array(contentRowSchema).optional(),
});
export type TraceLine = z.infer<typeof traceLineSchema>;

/** Last line of a trace file. Without it a trace is `open`, never `ok`. */
export const traceSealSchema = strictObject({
  seal: strictObject({
    count: z.int().nonnegative(),
    head: digestSchema,
    headerDigest: digestSchema,
    signature: signatureSchema.optional(),
  }),
});
export type TraceSeal = z.infer<typeof traceSealSchema>;

/** One call as a person reads it: intent and result paired. A view, never what is verified. */
export const traceEntrySchema = strictObject({
  v: z.literal(1),
  traceId: traceIdSchema,
  runId: runIdSchema,
  callId: callIdSchema,
  type: z.enum(["tool", "model"]),
  tool: z.string(),
  /** Absent, as are the input's hash and the effects, in a call that was refused before they were known. */
  toolDigest: digestSchema.optional(),
  inputHash: digestSchema.optional(),
  /** Null, as is an output, where there is none that can be shown. */
  input: z.unknown(),
  status: effectTerminalStatusSchema,
  output: z.unknown(),
  outputSummary: z.string(),
  error: strictObject({ code: errorCodeSchema, message: z.string() }).optional(),
  sideEffect: sideEffectSchema.optional(),
  costEffect: costEffectSchema.optional(),
  principal: principalSchema,
  /** The question that was put to a person about it, or the approval that it ran by. */
  approvalId: approvalIdSchema.optional(),
  policyDigest: digestSchema,
  packageFingerprint: z.string().min(1),
  startedAt: timestampSchema,
  durationMs: z.number().nonnegative(),
  seq: z.int().positive(),
  hash: digestSchema,
  /** What was there and is no more. */
  erased: z.array(z.enum(["input", "output"])).optional(),
});
export type TraceEntry = z.infer<typeof traceEntrySchema>;
