// What a parent's stream says of its children. Each names the child alone: what that does is in its own stream.
import { z } from "zod";
import {
  agentIdSchema,
  callIdSchema,
  contentRefSchema,
  digestSchema,
  effectIdSchema,
  messageIdSchema,
  runIdSchema,
} from "../identity/ids.ts";
import { principalSchema } from "../identity/principal.ts";
import { depthBudgetSchema, policyRefSchema } from "../package/child-package.ts";
import { strictObject } from "../schema/strict-object.ts";
import { toolNameSchema } from "../tool/tool-name.ts";
import { approvalOfCallSchema } from "./approval.ts";
import { chained, contentDigestSchema, failure, runEndSchema } from "./record-parts.ts";
import { spentSchema } from "./spent.ts";

const child = { ...chained, runId: runIdSchema, childRunId: runIdSchema };

/** `wait`: the call that starts it waits for what it comes to. `background`: its parent goes on, and is told. */
export const childModeSchema = z.enum(["wait", "background"]);
export type ChildMode = z.infer<typeof childModeSchema>;

/** What was handed over, without its words. */
export const handoffAuditSchema = strictObject({
  variant: z.enum(["none", "summary_only", "selected_refs", "full_history_with_policy"]),
  policyRef: policyRefSchema.optional(),
  refs: z.array(contentRefSchema),
  messages: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  /** As of a model's question: in journals from before `told`. */
  messagesDigest: digestSchema.optional(),
});
export type HandoffAudit = z.infer<typeof handoffAuditSchema>;

export const subagentRecords = [
  /** A child is about to begin: on what, with how much, and what it is told. */
  strictObject({
    ...child,
    kind: z.literal("subagent.started"),
    subagent: toolNameSchema,
    agentId: agentIdSchema,
    mode: childModeSchema,
    /** The call that starts it; of one that the host starts, who does. */
    call: callIdSchema.optional(),
    by: principalSchema,
    packageFingerprint: z.string().min(1),
    stripManifest: digestSchema,
    depth: depthBudgetSchema,
    /** What it may use up at most, set aside from what its parent has. */
    reserved: spentSchema,
    handoff: handoffAuditSchema,
    /** A digest that rolls over what was handed over, each message and all before it, as content: it can be erased with what they quote. */
    told: contentDigestSchema.optional(),
    /** What its parent's model has put what was said before into, where that is what is handed over. */
    summary: contentDigestSchema.optional(),
    /** All that it is told when it begins. */
    input: contentDigestSchema,
  }),
  /** Parent and child say something to each other. */
  strictObject({
    ...child,
    kind: z.literal("subagent.message"),
    messageId: messageIdSchema,
    /** `clarification`: the child asks, and waits for its parent's word. The others are its parent's. */
    type: z.enum(["message", "clarification", "reply"]),
    replyTo: messageIdSchema.optional(),
    /** The call that sends it; it waits from here on, where it waits at all. */
    call: callIdSchema.optional(),
    output: contentDigestSchema,
  }),
  /** Only a person can take it on. */
  strictObject({
    ...child,
    kind: z.literal("subagent.rested"),
    approvals: z.array(approvalOfCallSchema),
    unknown: z.array(effectIdSchema),
  }),
  /** It goes on. */
  strictObject({ ...child, kind: z.literal("subagent.woken") }),
  /** It is to end. */
  strictObject({ ...child, kind: z.literal("subagent.cancelling"), by: principalSchema }),
  /** What it has used up counts as its parent's from here on, once. */
  strictObject({
    ...child,
    kind: z.literal("subagent.ended"),
    status: runEndSchema,
    /** Where its stream ends; nothing of one that never began. */
    head: strictObject({ seq: z.int().positive(), hash: digestSchema }).optional(),
    spent: spentSchema,
    /** A provider has billed more than the worst case, in it or below it: its parent starts nothing further either. */
    overrun: z.literal(true).optional(),
    error: failure.optional(),
    /** What its parent is told, where no call of its waits for that. */
    output: contentDigestSchema.optional(),
  }),
  /** It is to go on without its parent: who answers for it from then on, and why. */
  strictObject({
    ...child,
    kind: z.literal("subagent.detaching"),
    by: principalSchema,
    note: contentDigestSchema,
  }),
  /** It goes on without its parent, and somebody answers for it. */
  strictObject({ ...child, kind: z.literal("subagent.detached"), acknowledgedBy: principalSchema }),
  /** It is its parent's again. */
  strictObject({ ...child, kind: z.literal("subagent.reclaimed"), by: principalSchema }),
] as const;
