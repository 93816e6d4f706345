// What a journal says. A record holds no payload: inputs, outputs and messages lie beside it as content rows, and the record
// has their salted digests alone, so that erasing a row leaves nothing to guess from and the chain whole.
import { z } from "zod";
import { capabilitySchema } from "../capability/capability.ts";
import { costEffectSchema } from "../effect/cost-effect.ts";
import { sideEffectSchema } from "../effect/side-effect.ts";
import {
  accountIdSchema,
  callIdSchema,
  capabilityGrantIdSchema,
  contentRefSchema,
  digestSchema,
  effectIdSchema,
  grantIdSchema,
  runIdSchema,
  timestampSchema,
  traceIdSchema,
} from "../identity/ids.ts";
import { originSchema, principalSchema } from "../identity/principal.ts";
import { strictObject } from "../schema/strict-object.ts";
import { idempotencySchema } from "../tool/contract-tool.ts";
import { toolNameSchema } from "../tool/tool-name.ts";
import { verdictSchema } from "../verdict/verdict.ts";
import { approvalAnswerSchema, approvalOfCallSchema, approvalStatusSchema } from "./approval.ts";
import {
  capabilityAnswerSchema,
  capabilityHolderSchema,
  capabilityStatusSchema,
  grantScopeSchema,
} from "./capability-grant.ts";
import { effectTerminalStatusSchema } from "./effect.ts";
import { chained, contentDigestSchema, failure, streamIdSchema } from "./record-parts.ts";
import { runRecords } from "./run-record.ts";
import { spentSchema } from "./spent.ts";

const call = { runId: runIdSchema, callId: callIdSchema };
const effect = { ...call, effectId: effectIdSchema };

/** Who calls, through which door, and what was decided. */
const decided = {
  ...call,
  traceId: traceIdSchema,
  principal: principalSchema,
  origin: originSchema,
  verdict: verdictSchema,
  packageFingerprint: z.string().min(1),
};

/** Which exact tool, at what price and risk. */
const resolved = {
  ...decided,
  tool: toolNameSchema,
  toolDigest: digestSchema,
  sideEffect: sideEffectSchema,
  costEffect: costEffectSchema,
  input: contentDigestSchema,
};

const outcome = {
  status: effectTerminalStatusSchema,
  output: contentDigestSchema.optional(),
  error: failure.optional(),
  durationMs: z.number().nonnegative(),
  spent: spentSchema,
  /** The output is given to nobody before a record releases it. */
  held: z.literal(true).optional(),
  externalOperationId: z.string().max(512).optional(),
  reconciliationRef: z.string().max(512).optional(),
};

/** By which grant a call reaches what its policy alone does not let it reach. */
const granted = {
  grant: strictObject({ grantId: capabilityGrantIdSchema, capability: capabilitySchema }).optional(),
};

/** Why a person is asked, where that is more than the verdict says: it may quote the input, and can be erased. */
const askedWhy = { note: contentDigestSchema.optional() };

/** It follows `call.waiting`. */
const waited = { waited: z.literal(true).optional() };

/** The answer came from a trace; nothing ran. */
const replayed = { replayed: z.literal(true).optional() };

export const journalRecordSchema = z.discriminatedUnion("kind", [
  ...runRecords,
  /** A writer's part of an account's journal begins. */
  strictObject({
    ...chained,
    kind: z.literal("segment.opened"),
    stream: streamIdSchema,
    accountId: accountIdSchema,
    redactionVersion: z.int().positive(),
    manifestDigest: digestSchema,
    /** Where the account's journal ended when this segment began. */
    previous: strictObject({
      stream: streamIdSchema,
      seq: z.int().nonnegative(),
      hash: digestSchema,
    }).optional(),
  }),
  /** A call was refused: nothing ran. */
  strictObject({
    ...chained,
    kind: z.literal("call.refused"),
    ...decided,
    /** As it was asked for: there may be no such tool. */
    tool: z.string().max(200),
    toolDigest: digestSchema.optional(),
    sideEffect: sideEffectSchema.optional(),
    costEffect: costEffectSchema.optional(),
    input: contentDigestSchema.optional(),
    error: failure,
    /** The question that was put to a person about it, and what has become of that. */
    approval: approvalOfCallSchema.optional(),
    ...askedWhy,
    /** The capability that it lacks, which an operator is now asked for. */
    asks: strictObject({ grantId: capabilityGrantIdSchema, capability: capabilitySchema }).optional(),
    ...waited,
    ...replayed,
  }),
  /** A call waits for a person. */
  strictObject({
    ...chained,
    kind: z.literal("call.waiting"),
    ...resolved,
    approval: approvalOfCallSchema,
    ...askedWhy,
    idempotencyKey: z.string().min(1).max(256).optional(),
    timeoutMs: z.number().positive().optional(),
    inputRedacted: z.literal(true).optional(),
  }),
  /** An effect is about to be attempted (J1). */
  strictObject({
    ...chained,
    kind: z.literal("call.intended"),
    ...resolved,
    effectId: effectIdSchema,
    idempotency: idempotencySchema,
    idempotencyKey: z.string().min(1).max(256),
    approval: approvalOfCallSchema.optional(),
    ...granted,
    /** The recorded input differs from the one that runs, so that it cannot be run again from here. */
    inputRedacted: z.literal(true).optional(),
    /** A policy of the host's is to be asked about its output, by whoever sees it end. */
    holdsOutput: z.literal(true).optional(),
    ...waited,
    ...replayed,
  }),
  /** What became of it. */
  strictObject({ ...chained, kind: z.literal("call.settled"), ...effect, ...outcome }),
  /** A free read, decided and answered in one record. */
  strictObject({
    ...chained,
    kind: z.literal("call.read"),
    ...resolved,
    ...granted,
    ...outcome,
    ...replayed,
  }),
  /** An answer was given again, for the same idempotency key. */
  strictObject({
    ...chained,
    kind: z.literal("call.repeated"),
    ...resolved,
    /** The call with the same idempotency key, whose answer was given again. */
    of: strictObject({ stream: streamIdSchema, callId: callIdSchema }),
    /** Where that answer was a failure. */
    error: failure.optional(),
    /** What it has waited for, and did not use. */
    approval: approvalOfCallSchema.optional(),
    ...waited,
    ...replayed,
  }),
  /** An output that was held is given to its caller. */
  strictObject({ ...chained, kind: z.literal("call.released"), ...call }),
  /** An output that was held is given to nobody. */
  strictObject({ ...chained, kind: z.literal("call.withheld"), ...call, error: failure }),
  /** An effect whose end nobody saw is attempted again, with its key. */
  strictObject({ ...chained, kind: z.literal("call.retried"), ...effect, attempt: z.int().min(2) }),
  /** What a cancelled call came to after all. */
  strictObject({
    ...chained,
    kind: z.literal("call.late"),
    ...effect,
    status: z.enum(["completed", "failed"]),
    output: contentDigestSchema.optional(),
    error: failure.optional(),
  }),
  /** What became of an effect of which nobody knew: found out later. */
  strictObject({
    ...chained,
    kind: z.literal("call.resolved"),
    ...effect,
    /** Where the call's own records are: it may have been sealed before anybody knew. */
    stream: streamIdSchema,
    status: z.enum(["completed", "failed"]),
    /** `executor`: the tool could tell what had become of it. */
    by: z.union([principalSchema, z.literal("executor")]),
    output: contentDigestSchema.optional(),
    note: contentDigestSchema.optional(),
  }),
  /** Somebody has answered a question, or tried to. */
  strictObject({
    ...chained,
    kind: z.literal("approval.answered"),
    /** As it was named: there may be no such approval. */
    approvalId: z.string().max(200),
    /** The call it was about; absent where there is no such approval. */
    of: strictObject({ ...call, tool: toolNameSchema }).optional(),
    answer: approvalAnswerSchema,
    by: principalSchema,
    /** What the approval is since then; absent where the answer was refused. */
    status: approvalStatusSchema.optional(),
    grantId: grantIdSchema.optional(),
    error: failure.optional(),
    note: contentDigestSchema.optional(),
  }),
  /** A standing grant was ended. */
  strictObject({
    ...chained,
    kind: z.literal("grant.revoked"),
    grantId: grantIdSchema,
    by: principalSchema,
  }),
  /** Something is asked for that calls do not reach. */
  strictObject({
    ...chained,
    kind: z.literal("capability.requested"),
    grantId: capabilityGrantIdSchema,
    capability: capabilitySchema,
    holder: capabilityHolderSchema,
    by: principalSchema,
    origin: originSchema,
    /** What it is for, in the words of whoever asks. */
    note: contentDigestSchema.optional(),
  }),
  /** It was granted, denied or revoked, or somebody tried to. */
  strictObject({
    ...chained,
    kind: z.literal("capability.answered"),
    /** As it was named: there may be no such thing. */
    named: z.string().max(300),
    answer: capabilityAnswerSchema,
    by: principalSchema,
    /** What it is since then; absent where the answer was refused. */
    grant: strictObject({
      grantId: capabilityGrantIdSchema,
      capability: capabilitySchema,
      holder: capabilityHolderSchema,
      status: capabilityStatusSchema,
      scope: grantScopeSchema.optional(),
      expiresAt: timestampSchema,
    }).optional(),
    error: failure.optional(),
    note: contentDigestSchema.optional(),
  }),
  /** A payload was erased; the chain stays whole. */
  strictObject({
    ...chained,
    kind: z.literal("content.erased"),
    by: principalSchema,
    stream: streamIdSchema,
    /** The record whose content it was. */
    of: z.int().positive(),
    ref: contentRefSchema,
  }),
]);
export type JournalRecord = z.infer<typeof journalRecordSchema>;
export type JournalRecordKind = JournalRecord["kind"];
