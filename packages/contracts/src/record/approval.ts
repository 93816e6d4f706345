import { z } from "zod";
import { costEffectSchema } from "../effect/cost-effect.ts";
import { sideEffectSchema } from "../effect/side-effect.ts";
import {
  approvalIdSchema,
  callIdSchema,
  digestSchema,
  grantIdSchema,
  keyIdSchema,
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

/** A part of a payload that its recorded form hides. */
const hiddenPartSchema = strictObject({
  /** Where, as a JSON pointer. */
  pointer: z.string(),
  /** What it was taken for, as its placeholder says: `secret`, `password`, a vendor's token. */
  kind: z.string(),
  /** How many characters are hidden there. Left out where only the recorded form is left. */
  length: z.int().nonnegative().optional(),
});
export type HiddenPart = z.infer<typeof hiddenPartSchema>;

/** A question to a person, bound to exactly one call (A1): this principal, tool, input and policy. */
export const approvalSchema = strictObject({
  approvalId: approvalIdSchema,
  runId: runIdSchema,
  callId: callIdSchema,
  asker: principalSchema,
  tool: toolNameSchema,
  toolDigest: digestSchema,
  sideEffect: sideEffectSchema,
  costEffect: costEffectSchema,
  inputHash: digestSchema,
  policyDigest: digestSchema,
  /** The session that it was asked in: a yes can be for all of it. */
  sessionId: sessionIdSchema.optional(),
  /** The recorded input: what the person sees is what was hashed. */
  input: z.unknown(),
  /** The parts of the input that nobody was shown, and that its tool does not declare as secrets. A yes is for this one call then. */
  hidden: z.array(hiddenPartSchema).optional(),
  reason: z.string(),
  /** It is the host's own policy that asks, about this call: a yes is for it alone. Left out: a policy level asks. */
  gate: z.literal("pre_tool").optional(),
  /** Of a call that a model proposed: what it had read just before, the latest first, as the tool and the call of each. Where the call may come from. */
  readBefore: z.array(z.string()).optional(),
  /** Key ids that may answer besides `admin` keys. */
  approvers: z.array(keyIdSchema).optional(),
  status: approvalStatusSchema,
  createdAt: timestampSchema,
  expiresAt: timestampSchema,
  decidedBy: principalSchema.optional(),
  decidedAt: timestampSchema.optional(),
  /** What whoever decided says to whoever asked. */
  note: z.string().optional(),
  /** The standing grant that it was derived from, or that it made. */
  grantId: grantIdSchema.optional(),
  /** The call that it was used for. */
  usedBy: callIdSchema.optional(),
  /** The later call that this approval counts for as well, because the call that used it has ordered that one. */
  alsoUsedBy: callIdSchema.optional(),
  /** The approval of the call that ordered this one for later. Nobody was asked again. */
  orderedUnder: approvalIdSchema.optional(),
  /** What was asked about was erased: input, reason and note are gone. */
  erased: z.literal(true).optional(),
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
  /** How often it was used. */
  uses: z.int().nonnegative(),
  expiresAt: timestampSchema,
  grantedBy: principalSchema,
  revokedBy: principalSchema.optional(),
  /** Its time was over when somebody looked. */
  expired: z.literal(true).optional(),
});
export type StandingGrant = z.infer<typeof standingGrantSchema>;

/** What a person answers. Nothing else is an answer (B8): not "approve", not "yes". */
export const approvalAnswerSchema = z.enum(["approved", "approved_for_session", "denied"]);
export type ApprovalAnswer = z.infer<typeof approvalAnswerSchema>;

/** By which approval a call runs, or for want of which it does not, and whose decision that was (B10). */
export const approvalOfCallSchema = strictObject({
  approvalId: approvalIdSchema,
  status: approvalStatusSchema,
  expiresAt: timestampSchema,
  decidedBy: principalSchema.optional(),
  grantId: grantIdSchema.optional(),
  /** It was asked where the tool runs, and is answered there: none of this side's. */
  elsewhere: strictObject({
    /** How often that place has asked about this call by now. */
    times: z.int().positive(),
    /** By which approval of this side the call was sent there, where it took one. */
    sentBy: approvalIdSchema.optional(),
  }).optional(),
});
export type ApprovalOfCall = z.infer<typeof approvalOfCallSchema>;

/** An approval or a grant as a store keeps it: with a proof that this installation wrote it. */
export const keptApprovalSchema = strictObject({ value: approvalSchema, proof: z.string() });
export const keptGrantSchema = strictObject({ value: standingGrantSchema, proof: z.string() });

/** Which approval was asked for about a call that nobody waits in: whoever comes again with it finds it by this. */
export const askedSchema = strictObject({ approvalId: approvalIdSchema });
