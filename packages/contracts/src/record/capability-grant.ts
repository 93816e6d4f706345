import { z } from "zod";
import { capabilitySchema } from "../capability/capability.ts";
import {
  accountIdSchema,
  callIdSchema,
  capabilityGrantIdSchema,
  keyIdSchema,
  runIdSchema,
  sessionIdSchema,
  timestampSchema,
} from "../identity/ids.ts";
import { principalSchema } from "../identity/principal.ts";
import { strictObject } from "../schema/strict-object.ts";

/** How far a grant goes: for one call, for a run and all below it, for a session, or for a time. It ends with its time in any case. */
export const grantScopeSchema = z.enum(["once", "turn", "session", "until"]);
export type GrantScope = z.infer<typeof grantScopeSchema>;

/** Who may use it: what is named must be so. */
export const capabilityHolderSchema = strictObject({
  accountId: accountIdSchema,
  keyId: keyIdSchema.optional(),
  sessionId: sessionIdSchema.optional(),
  /** The run at the top of a tree. */
  runId: runIdSchema.optional(),
});
export type CapabilityHolder = z.infer<typeof capabilityHolderSchema>;

export const capabilityStatusSchema = z.enum(["pending", "granted", "denied", "used", "revoked"]);
export type CapabilityStatus = z.infer<typeof capabilityStatusSchema>;

/** A capability that was asked for, or given without being asked for, and what became of it. */
export const capabilityGrantSchema = strictObject({
  grantId: capabilityGrantIdSchema,
  capability: capabilitySchema,
  holder: capabilityHolderSchema,
  status: capabilityStatusSchema,
  /** Absent until it is granted. */
  scope: grantScopeSchema.optional(),
  /** Absent where nobody has asked. */
  asker: principalSchema.optional(),
  reason: z.string().optional(),
  /** What whoever asks had read just before: where the wish may come from. */
  readBefore: z.array(z.string()).optional(),
  createdAt: timestampSchema,
  /** Of a question, until when it can be answered; of a no, until when nobody asks again. */
  expiresAt: timestampSchema,
  decidedBy: principalSchema.optional(),
  decidedAt: timestampSchema.optional(),
  note: z.string().optional(),
  /** The call that it was used up by. */
  usedBy: callIdSchema.optional(),
});
export type CapabilityGrant = z.infer<typeof capabilityGrantSchema>;

/** What an operator says of one. */
export const capabilityAnswerSchema = z.enum(["granted", "denied", "revoked"]);
export type CapabilityAnswer = z.infer<typeof capabilityAnswerSchema>;

/** As a store keeps it: with a proof that this installation wrote it. */
export const keptCapabilitySchema = strictObject({ value: capabilityGrantSchema, proof: z.string() });
