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

const common = {
  /** The run that it is of; a direct call is a run of one. */
  runId: runIdSchema,
  /** When it happened. */
  ts: timestampSchema,
};

/** Projected from a journal record: `seq` is its place, `index` tells several events of one record apart. */
const journaled = {
  ...common,
  /** The place of its record in the journal. */
  seq: z.int().positive(),
  /** Tells several events of one record apart. */
  index: z.int().nonnegative(),
};

/** Seen while it happens and never again: nothing may be decided on it. */
const live = {
  ...common,
  /** Not in the journal: told once, and nothing may be decided on it. */
  live: z.literal(true),
};

const call = {
  callId: callIdSchema,
  /** As it was asked for. */
  tool: z.string(),
  /** The step of its run in which a model asked for it. */
  stepId: stepIdSchema.optional(),
};
const resolvedCall = {
  ...call,
  /** The contract, exactly. */
  toolDigest: digestSchema,
  sideEffect: sideEffectSchema,
  costEffect: costEffectSchema,
};
const failure = strictObject({
  code: errorCodeSchema,
  message: z.string(),
  /** Why, as a stable word. */
  reason: errorReasonSchema.optional(),
});

/** The events of one governed call, in the order they can occur. */
const agentEvents = [
  /** A call, or a run of them, begins. */
  strictObject({ type: z.literal("run.started"), ...journaled, traceId: traceIdSchema }),
  /** Its tool is found, with the digest of its contract. */
  strictObject({ type: z.literal("tool.resolved"), ...journaled, ...resolvedCall }),
  /** It was judged: the whole verdict, also of a refusal. */
  strictObject({
    type: z.literal("policy.checked"),
    ...journaled,
    ...call,
    toolDigest: digestSchema.optional(),
    sideEffect: sideEffectSchema.optional(),
    costEffect: costEffectSchema.optional(),
    verdict: verdictSchema,
  }),
  /** A person is asked, and the call waits. */
  strictObject({
    type: z.literal("approval.required"),
    ...journaled,
    ...resolvedCall,
    approvalId: approvalIdSchema,
    /** Why a person is asked, with what a rule of the host says of it; without that once the call is erased. */
    reason: z.string(),
    /** Until when the question can be answered. */
    expiresAt: timestampSchema,
  }),
  /** The question is over: answered, expired or taken back. */
  strictObject({
    type: z.literal("approval.resolved"),
    ...journaled,
    ...resolvedCall,
    approvalId: approvalIdSchema,
    status: approvalStatusSchema,
  }),
  /** Its intent is on record, and its function is called. */
  strictObject({ type: z.literal("tool.started"), ...journaled, ...resolvedCall }),
  /** What the function says while it runs. */
  strictObject({ type: z.literal("tool.progress"), ...live, ...resolvedCall, message: z.string() }),
  /** It ran, and its result is on record. */
  strictObject({
    type: z.literal("tool.completed"),
    ...journaled,
    ...resolvedCall,
    durationMs: z.number().nonnegative(),
    /** The beginning of what it gave back. */
    outputSummary: z.string(),
  }),
  /** It ran, and came to an error. */
  strictObject({
    type: z.literal("tool.failed"),
    ...journaled,
    ...resolvedCall,
    durationMs: z.number().nonnegative(),
    error: failure,
  }),
  /** The last event of a run that came to its end. */
  strictObject({ type: z.literal("run.completed"), ...journaled }),
  /** The last event of a run that was refused or failed. */
  strictObject({ type: z.literal("run.failed"), ...journaled, error: failure }),
] as const;

export const agentEventSchema = z.discriminatedUnion("type", agentEvents);
export type AgentEvent = z.infer<typeof agentEventSchema>;

/** The step of the run, one answer of its model. */
const step = { stepId: stepIdSchema };
const child = {
  /** The run that was started. */
  childRunId: runIdSchema,
  /** The tool that starts it. */
  subagent: z.string(),
};

export const runtimeEventSchema = z.discriminatedUnion("type", [
  ...agentEvents,
  /** A run that a model drives begins, or goes on in another process. */
  strictObject({ type: z.literal("runtime.started"), ...journaled, sessionId: sessionIdSchema.optional() }),
  /** The model is asked. */
  strictObject({ type: z.literal("model.started"), ...journaled, ...step }),
  /** What it says, as it comes. */
  strictObject({ type: z.literal("model.delta"), ...live, ...step, text: z.string() }),
  /** What came of an attempt does not count: it is asked again. */
  strictObject({
    type: z.literal("model.attempt.discarded"),
    ...journaled,
    ...step,
    attempt: z.int().positive(),
    /** Why, unless nobody knows: the process that asked is no more. */
    error: failure.optional(),
  }),
  /** It has answered. */
  strictObject({ type: z.literal("model.completed"), ...journaled, ...step, usage: spentSchema.optional() }),
  /** Less is shown to the model from here on. */
  strictObject({ type: z.literal("context.condensed"), ...journaled, ...step }),
  /** A child begins. */
  strictObject({
    type: z.literal("subagent.started"),
    ...journaled,
    ...child,
    mode: childModeSchema,
    callId: callIdSchema.optional(),
  }),
  /** What of its parent's history it is told, without the words. */
  strictObject({ type: z.literal("subagent.handoff"), ...journaled, ...child, handoff: handoffAuditSchema }),
  /** Parent and child say something to each other. */
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
  /** Only a person can take the child on. */
  strictObject({
    type: z.literal("subagent.rested"),
    ...journaled,
    ...child,
    approvals: z.array(approvalIdSchema),
    unknownEffects: z.array(effectIdSchema),
  }),
  /** It goes on. */
  strictObject({ type: z.literal("subagent.woken"), ...journaled, ...child }),
  /** It was cancelled. */
  strictObject({ type: z.literal("subagent.cancelled"), ...journaled, ...child }),
  /** It goes on without its parent. */
  strictObject({ type: z.literal("subagent.detached"), ...journaled, ...child }),
  /** It is its parent's again. */
  strictObject({ type: z.literal("subagent.reclaimed"), ...journaled, ...child }),
  /** It came to its end. */
  strictObject({
    type: z.literal("subagent.completed"),
    ...journaled,
    ...child,
    usage: spentSchema.optional(),
  }),
  /** It failed or was blocked. */
  strictObject({ type: z.literal("subagent.failed"), ...journaled, ...child, error: failure }),
  /** The run came to an answer: its status is `completed`. */
  strictObject({ type: z.literal("runtime.completed"), ...journaled }),
  /** It failed or could not go on: its status is `failed` or `blocked`, and its result has both the status and this error. */
  strictObject({ type: z.literal("runtime.failed"), ...journaled, error: failure }),
  /** It was cancelled: its status is `cancelled`. */
  strictObject({ type: z.literal("runtime.cancelled"), ...journaled }),
]);
export type RuntimeEvent = z.infer<typeof runtimeEventSchema>;

/** What the command line prints around a call's events, one JSON object a line. */
export const outputFrameSchema = z.discriminatedUnion("type", [
  /** The first line: in which version of this format. */
  strictObject({ type: z.literal("session.init"), v: z.literal(1), ts: timestampSchema }),
  /** Which tools there are. */
  strictObject({
    type: z.literal("tool.catalog.loaded"),
    manifestDigest: digestSchema,
    /** How many. */
    tools: z.int().nonnegative(),
  }),
  /** What it has come to. */
  strictObject({
    type: z.literal("agent.final"),
    ok: z.boolean(),
    output: z.unknown().optional(),
    error: failure.optional(),
  }),
  /** What proves it. */
  strictObject({ type: z.literal("trace.receipt"), receipt: receiptSchema }),
]);
export type OutputFrame = z.infer<typeof outputFrameSchema>;
