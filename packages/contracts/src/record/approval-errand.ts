import { z } from "zod";
import { timestampSchema } from "../identity/ids.ts";
import { principalSchema } from "../identity/principal.ts";
import { strictObject } from "../schema/strict-object.ts";
import { errorCodeSchema } from "../verdict/verdict.ts";
import { approvalAnswerSchema } from "./approval.ts";
import { capabilityAnswerSchema } from "./capability-grant.ts";

const left = {
  /** Where it lies: a copy of it elsewhere is none. */
  id: z.string().max(100),
  by: principalSchema,
  /** How long whoever left it waits: afterwards it is nobody's word any more. */
  until: timestampSchema,
};

/** An operator's word that is left for the process that drives a store, which alone journals it. */
export const approvalErrandSchema = z.discriminatedUnion("type", [
  strictObject({
    ...left,
    type: z.literal("answer"),
    /** As it was named: there may be no such approval. */
    approvalId: z.string().max(200),
    answer: approvalAnswerSchema,
    note: z.string().optional(),
    /** How far a yes for a session goes. */
    terms: strictObject({
      fixed: z.array(z.string()).optional(),
      maxUses: z.number().optional(),
      forMs: z.number().optional(),
    }).optional(),
  }),
  strictObject({ ...left, type: z.literal("revoke"), grantId: z.string().max(200) }),
  strictObject({
    ...left,
    type: z.literal("capability"),
    answer: capabilityAnswerSchema,
    /** The capability, or the id of what was asked for or granted, as it was named. */
    named: z.string().max(300),
    terms: strictObject({
      scope: z.string().optional(),
      forMs: z.number().optional(),
      keyId: z.string().optional(),
      sessionId: z.string().optional(),
      runId: z.string().optional(),
      note: z.string().optional(),
    }),
  }),
  strictObject({
    ...left,
    type: z.literal("effect"),
    /** As it was named: there may be no such effect. */
    effectId: z.string().max(200),
    status: z.enum(["completed", "failed"]),
    note: z.string(),
  }),
]);
export type ApprovalErrand = z.infer<typeof approvalErrandSchema>;

/** What became of an errand, for whoever left it; without an error it was done. */
export const errandOutcomeSchema = strictObject({
  id: left.id,
  at: timestampSchema,
  error: strictObject({
    code: errorCodeSchema,
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }).optional(),
});
export type ErrandOutcome = z.infer<typeof errandOutcomeSchema>;

/** Both as a store keeps them: with a proof that this installation wrote it. */
export const keptErrandSchema = strictObject({ value: approvalErrandSchema, proof: z.string() });
export const keptOutcomeSchema = strictObject({ value: errandOutcomeSchema, proof: z.string() });
