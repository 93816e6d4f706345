import { z } from "zod";
import {
  approvalIdSchema,
  callIdSchema,
  digestSchema,
  grantIdSchema,
  runIdSchema,
  sessionIdSchema,
  timestampSchema,
} from "../identity/ids.ts";
import { principalSchema } from "../identity/principal.ts";
import { isJsonPointer } from "../json/json-pointer.ts";
import { jsonObjectSchema } from "../schema/json-schemas.ts";
import { strictObject } from "../schema/strict-object.ts";
import { toolNameSchema } from "../tool/tool-name.ts";

export const approvalStatusSchema = z.enum([
  "pending",
  "approved",
  "used",
  "approved_for_session",
  "denied",
  "expired",
  "cancelled",
  "superseded",
]);
export type ApprovalStatus = z.infer<typeof approvalStatusSchema>;

/** A question to a person, bound to exactly one call (A1): this principal, tool, input and policy. */
export const approvalSchema = strictObject({
  approvalId: approvalIdSchema,
  runId: runIdSchema,
  callId: callIdSchema,
  asker: principalSchema,
  tool: toolNameSchema,
  toolDigest: digestSchema,
  inputHash: digestSchema,
  policyDigest: digestSchema,
  /** The recorded input: what the person sees is what was hashed. */
  input: z.unknown(),
  reason: z.string(),
  /** What the person should read first, as JSON pointers or references. */
  readBefore: z.array(z.string()).optional(),
  status: approvalStatusSchema,
  createdAt: timestampSchema,
  expiresAt: timestampSchema,
  decidedBy: principalSchema.optional(),
  decidedAt: timestampSchema.optional(),
});
export type Approval = z.infer<typeof approvalSchema>;

/** "Yes, for this session": each use derives a single-use approval that names it. */
export const standingGrantSchema = strictObject({
  grantId: grantIdSchema,
  principal: principalSchema,
  tool: toolNameSchema,
  toolDigest: digestSchema,
  policyDigest: digestSchema,
  sessionId: sessionIdSchema,
  /** Input members that must stay as they were, by JSON pointer. */
  fixedInput: jsonObjectSchema
    .refine((fixed) => Object.keys(fixed).every(isJsonPointer), "expected JSON pointers as keys")
    .optional(),
  maxUses: z.int().positive().optional(),
  expiresAt: timestampSchema,
  grantedBy: principalSchema,
});
export type StandingGrant = z.infer<typeof standingGrantSchema>;
