import { z } from "zod";
import { costEffectSchema } from "../effect/cost-effect.ts";
import { sideEffectSchema } from "../effect/side-effect.ts";
import {
  approvalIdSchema,
  callIdSchema,
  digestSchema,
  effectIdSchema,
  messageIdSchema,
  runIdSchema,
  sessionIdSchema,
  stepIdSchema,
  timestampSchema,
  traceIdSchema,
} from "../identity/ids.ts";
import { approvalStatusSchema } from "../record/approval.ts";
import { receiptSchema } from "../record/receipt.ts";
import { spentSchema } from "../record/spent.ts";
import { childModeSchema, handoffAuditSchema } from "../record/subagent-record.ts";
import { strictObject } from "../schema/strict-object.ts";
import { errorCodeSchema, errorReasonSchema, verdictSchema } from "../verdict/verdict.ts";

const common = { runId: runIdSchema, ts: timestampSchema };

/** Projected from a journal record: `seq` is its place, `index` tells several events of one record apart. */
const journaled = { ...common, seq: z.int().positive(), index: z.int().nonnegative() };

/** Seen while it happens and never again: nothing may be decided on it. */
const live = { ...common, live: z.literal(true) };

const call = { callId: callIdSchema, tool: z.string(), stepId: stepIdSchema.optional() };
const resolvedCall = {
  ...call,
  toolDigest: digestSchema,
  sideEffect: sideEffectSchema,
  costEffect: costEffectSchema,
};
const failure = strictObject({
  code: errorCodeSchema,
  message: z.string(),
  reason: errorReasonSchema.optional(),
});

/** The events of one governed call, in the order they can occur. */
const agentEvents = [
  strictObject({ type: z.literal("run.started"), ...journaled, traceId: traceIdSchema }),
  strictObject({ type: z.literal("tool.resolved"), ...journaled, ...resolvedCall }),
  strictObject({
    type: z.literal("policy.checked"),
    ...journaled,
    ...call,
    toolDigest: digestSchema.optional(),
    sideEffect: sideEffectSchema.optional(),
    costEffect: costEffectSchema.optional(),
    verdict: verdictSchema,
  }),
  strictObject({
    type: z.literal("approval.required"),
    ...journaled,
    ...resolvedCall,
    approvalId: approvalIdSchema,
    reason: z.string(),
    expiresAt: timestampSchema,
  }),
  strictObject({
    type: z.literal("approval.resolved"),
    ...journaled,
    ...resolvedCall,
    approvalId: approvalIdSchema,
    status: approvalStatusSchema,
  }),
  strictObject({ type: z.literal("tool.started"), ...journaled, ...resolvedCall }),
  strictObject({ type: z.literal("tool.progress"), ...live, ...resolvedCall, message: z.string() }),
  strictObject({
    type: z.literal("tool.completed"),
    ...journaled,
    ...resolvedCall,
    durationMs: z.number().nonnegative(),
    outputSummary: z.string(),
  }),
  strictObject({
    type: z.literal("tool.failed"),
    ...journaled,
    ...resolvedCall,
    durationMs: z.number().nonnegative(),
    error: failure,
  }),
  strictObject({ type: z.literal("run.completed"), ...journaled }),
  strictObject({ type: z.literal("run.failed"), ...journaled, error: failure }),
] as const;

export const agentEventSchema = z.discriminatedUnion("type", agentEvents);
export type AgentEvent = z.infer<typeof agentEventSchema>;

const step = { stepId: stepIdSchema };
const child = { childRunId: runIdSchema, subagent: z.string() };

export const runtimeEventSchema = z.discriminatedUnion("type", [
  ...agentEvents,
  strictObject({ type: z.literal("runtime.started"), ...journaled, sessionId: sessionIdSchema.optional() }),
  strictObject({ type: z.literal("model.started"), ...journaled, ...step }),
  strictObject({ type: z.literal("model.delta"), ...live, ...step, text: z.string() }),
  strictObject({
    type: z.literal("model.attempt.discarded"),
    ...journaled,
    ...step,
    attempt: z.int().positive(),
  }),
  strictObject({ type: z.literal("model.completed"), ...journaled, ...step, usage: spentSchema.optional() }),
  strictObject({ type: z.literal("context.condensed"), ...journaled, ...step }),
  strictObject({
    type: z.literal("subagent.started"),
    ...journaled,
    ...child,
    mode: childModeSchema,
    callId: callIdSchema.optional(),
  }),
  strictObject({ type: z.literal("subagent.handoff"), ...journaled, ...child, handoff: handoffAuditSchema }),
  strictObject({
    type: z.literal("subagent.message"),
    ...journaled,
    ...child,
    messageId: messageIdSchema,
    direction: z.enum(["to_child", "to_parent"]),
    text: z.string(),
  }),
  /** What a child does, told by its parent: of which kind, and where it stands in the child's own events. */
  strictObject({
    type: z.literal("subagent.progress"),
    ...live,
    ...child,
    kind: z.string(),
    cursor: z.string().optional(),
    tool: z.string().optional(),
    text: z.string().optional(),
  }),
  strictObject({
    type: z.literal("subagent.rested"),
    ...journaled,
    ...child,
    approvals: z.array(approvalIdSchema),
    unknownEffects: z.array(effectIdSchema),
  }),
  strictObject({ type: z.literal("subagent.woken"), ...journaled, ...child }),
  strictObject({ type: z.literal("subagent.cancelled"), ...journaled, ...child }),
  strictObject({ type: z.literal("subagent.detached"), ...journaled, ...child }),
  strictObject({ type: z.literal("subagent.reclaimed"), ...journaled, ...child }),
  strictObject({
    type: z.literal("subagent.completed"),
    ...journaled,
    ...child,
    usage: spentSchema.optional(),
  }),
  strictObject({ type: z.literal("subagent.failed"), ...journaled, ...child, error: failure }),
  strictObject({ type: z.literal("runtime.completed"), ...journaled }),
  strictObject({ type: z.literal("runtime.failed"), ...journaled, error: failure }),
  strictObject({ type: z.literal("runtime.cancelled"), ...journaled }),
]);
export type RuntimeEvent = z.infer<typeof runtimeEventSchema>;

/** What the command line prints around a call's events, one JSON object a line. */
export const outputFrameSchema = z.discriminatedUnion("type", [
  strictObject({ type: z.literal("session.init"), v: z.literal(1), ts: timestampSchema }),
  strictObject({
    type: z.literal("tool.catalog.loaded"),
    manifestDigest: digestSchema,
    tools: z.int().nonnegative(),
  }),
  strictObject({
    type: z.literal("agent.final"),
    ok: z.boolean(),
    output: z.unknown().optional(),
    error: failure.optional(),
  }),
  strictObject({ type: z.literal("trace.receipt"), receipt: receiptSchema }),
]);
export type OutputFrame = z.infer<typeof outputFrameSchema>;
