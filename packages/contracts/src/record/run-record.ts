// What a run's own stream says besides the records of its calls.
import { z } from "zod";
import {
  accountIdSchema,
  agentIdSchema,
  callIdSchema,
  digestSchema,
  effectIdSchema,
  messageIdSchema,
  runIdSchema,
  sessionIdSchema,
  stepIdSchema,
  traceIdSchema,
} from "../identity/ids.ts";
import { originSchema, principalSchema } from "../identity/principal.ts";
import { depthBudgetSchema } from "../package/child-package.ts";
import { toolExecutionStrategySchema } from "../package/tool-execution-strategy.ts";
import { strictObject } from "../schema/strict-object.ts";
import { toolNameSchema } from "../tool/tool-name.ts";
import { chained, contentDigestSchema, failure, runEndSchema, streamIdSchema } from "./record-parts.ts";
import { spentSchema } from "./spent.ts";
import { subagentRecords } from "./subagent-record.ts";

const run = { ...chained, runId: runIdSchema };
const attempt = { ...run, stepId: stepIdSchema, attempt: z.int().positive() };

/** What of a host's has a say in a run: its policies before and after a tool, and whether a starter's key still stands. */
const runPortSchema = z.enum(["pre_tool", "post_tool", "starter"]);
export type RunPort = z.infer<typeof runPortSchema>;

/** What was spent on what. */
export const spentOnSchema = z.array(strictObject({ what: z.string(), spent: spentSchema }));
export type SpentOn = z.infer<typeof spentOnSchema>;

export const runRecords = [
  /** A run that has a model or waits begins, with a stream of its own. */
  strictObject({
    ...run,
    kind: z.literal("run.opened"),
    stream: streamIdSchema,
    accountId: accountIdSchema,
    redactionVersion: z.int().positive(),
    manifestDigest: digestSchema,
    traceId: traceIdSchema,
    agentId: agentIdSchema,
    /** Who started it, and as whom it acts. */
    starter: principalSchema,
    principal: principalSchema,
    origin: originSchema,
    policyDigest: digestSchema,
    /** Without one of these it goes on nowhere. */
    ports: z.array(runPortSchema),
    /** How the calls of one step run. */
    strategy: toolExecutionStrategySchema,
    packageFingerprint: z.string().min(1),
    sessionId: sessionIdSchema.optional(),
    /** The run of its session before it: what was said there comes first. */
    previous: runIdSchema.optional(),
    /** Tools that its model is shown from the beginning on; all that it may call unless given. */
    shown: z.array(toolNameSchema).optional(),
    /** Whose child it is, and whether it may ask that. */
    parent: strictObject({ runId: runIdSchema, mayAsk: z.boolean() }).optional(),
    /** How deep it stands, and what it may start: nothing where it does not say. */
    depth: depthBudgetSchema.optional(),
    /** What it is to do. */
    input: contentDigestSchema,
  }),
  /** Another process has taken it over. */
  strictObject({ ...run, kind: z.literal("run.resumed") }),
  /** Its model is about to be asked. */
  strictObject({
    ...attempt,
    kind: z.literal("model.intended"),
    step: z.int().positive(),
    model: z.string().min(1).max(200),
    /** How many messages it was given. */
    messages: z.int().nonnegative(),
    /** A digest that rolls over them, as content: it can be erased with what they quote. */
    told: contentDigestSchema.optional(),
    /** The same in journals from before it could be. */
    messagesDigest: digestSchema.optional(),
    /** What it may cost at worst. */
    reserved: spentSchema,
  }),
  /** What came of that. */
  strictObject({
    ...attempt,
    kind: z.literal("model.settled"),
    status: z.enum(["completed", "failed", "cancelled", "unknown"]),
    /** What it said, with the calls that it proposes. */
    output: contentDigestSchema.optional(),
    calls: z.array(strictObject({ callId: callIdSchema, tool: z.string().max(200) })),
    spent: spentSchema,
    durationMs: z.number().nonnegative(),
    error: failure.optional(),
  }),
  /** Of what its model was shown before, so many messages are shown no more as they were: what is shown in their place is this. */
  strictObject({
    ...run,
    kind: z.literal("context.condensed"),
    stepId: stepIdSchema,
    messages: z.int().positive(),
    /** What tools have answered since is shown up to so many characters. */
    answerChars: z.int().positive().optional(),
    /** What would have been counted, and against what. */
    tokens: z.int().nonnegative(),
    limit: z.int().nonnegative(),
    output: contentDigestSchema,
  }),
  /** Before a call was judged, hooks have put something else in place of what a model would have called it with. */
  strictObject({
    ...run,
    kind: z.literal("call.revised"),
    callId: callIdSchema,
    tool: toolNameSchema,
    by: z.array(strictObject({ id: z.string().max(128), version: z.string().max(64) })).min(1),
    /** As it was proposed, and as it is from here on. */
    input: contentDigestSchema,
    output: contentDigestSchema,
  }),
  /** A provider has billed more than the worst case: nothing further starts. */
  strictObject({
    ...run,
    kind: z.literal("budget.overrun"),
    stepId: stepIdSchema,
    reserved: spentSchema,
    spent: spentSchema,
  }),
  /** A child asks its parent something, and waits for the answer. */
  strictObject({
    ...run,
    kind: z.literal("run.asked"),
    messageId: messageIdSchema,
    output: contentDigestSchema,
  }),
  /** It was told something by its parent, which its model sees next. */
  strictObject({
    ...run,
    kind: z.literal("run.told"),
    messageId: messageIdSchema,
    replyTo: messageIdSchema.optional(),
    input: contentDigestSchema,
  }),
  /** Whose a child is from here on: its parent's, with which it ends, or the host's. */
  strictObject({ ...run, kind: z.literal("run.owned"), owner: z.enum(["parent", "host"]) }),
  ...subagentRecords,
  /** It is to end. */
  strictObject({ ...run, kind: z.literal("run.cancelling"), by: principalSchema }),
  /** How it ended. Only notes follow that change no outcome (J4). */
  strictObject({
    ...run,
    kind: z.literal("run.ended"),
    status: runEndSchema,
    output: contentDigestSchema.optional(),
    error: failure.optional(),
    spent: spentSchema,
    spentOn: spentOnSchema,
  }),
] as const;

/** What somebody wants of a run that another process drives. */
export const runErrandSchema = z.discriminatedUnion("type", [
  strictObject({ type: z.literal("cancel"), by: principalSchema }),
  strictObject({
    type: z.literal("resolve"),
    by: principalSchema,
    effectId: effectIdSchema,
    status: z.enum(["completed", "failed"]),
    note: z.string().max(2000),
  }),
]);
export type RunErrand = z.infer<typeof runErrandSchema>;
/** As a store keeps it: with a proof that this installation wrote it. */
export const keptRunErrandSchema = strictObject({ value: runErrandSchema, proof: z.string() });
