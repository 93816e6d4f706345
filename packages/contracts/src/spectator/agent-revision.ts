import { z } from "zod";
import {
  accountIdSchema,
  callIdSchema,
  digestSchema,
  runIdSchema,
  sessionIdSchema,
} from "../identity/ids.ts";
import { checkpointWireSchema } from "../record/checkpoint.ts";
import { strictObject } from "../schema/strict-object.ts";

const revision = z.int().min(1);

/** Why there is a revision. */
export const revisionCauseSchema = z.discriminatedUnion("type", [
  strictObject({ type: z.literal("created") }),
  strictObject({ type: z.literal("turn"), runId: runIdSchema }),
  strictObject({ type: z.literal("condensed"), how: z.enum(["now", "smart"]) }),
  /** As it was at an earlier revision. */
  strictObject({ type: z.literal("undone"), to: revision }),
  strictObject({ type: z.literal("forked"), from: strictObject({ sessionId: sessionIdSchema, revision }) }),
  strictObject({ type: z.literal("imported") }),
]);
export type RevisionCause = z.infer<typeof revisionCauseSchema>;

/** `turn`: it had what was said or noted after the call. `copy`: only words that were those of the call. */
const erasedInRevisionSchema = strictObject({ callId: callIdSchema, how: z.enum(["turn", "copy"]) });
export type ErasedInRevision = z.infer<typeof erasedInRevisionSchema>;

/** A checkpoint in its chain: `hash` is over everything else in it, but for what is said of erasing. */
export const agentRevisionSchema = strictObject({
  checkpoint: checkpointWireSchema,
  /** How many of its constraints, the first ones, are the operator's: they hold as long as the configuration says so. */
  operatorConstraints: z.int().nonnegative(),
  /** How many of its messages, the first ones, an import has brought. Only where the session comes from an import. */
  importedMessages: z.int().nonnegative().optional(),
  cause: revisionCauseSchema,
  /** The hash of the revision before. */
  prev: digestSchema,
  hash: digestSchema,
  /** Part of what is hashed, so that nobody finds by guessing what was erased. Earlier versions wrote none. */
  salt: z.string().min(1).optional(),
  /** Calls that were erased, with what this revision had of them: the hash is that of before. */
  erased: z.array(erasedInRevisionSchema).min(1).optional(),
})
  .refine(
    ({ checkpoint, operatorConstraints }) => operatorConstraints <= checkpoint.state.constraints.length,
    { path: ["operatorConstraints"], error: "more than there are constraints" },
  )
  .refine(({ checkpoint, importedMessages = 0 }) => importedMessages <= checkpoint.recent_messages.length, {
    path: ["importedMessages"],
    error: "more than there are messages",
  });
export type AgentRevision = z.infer<typeof agentRevisionSchema>;

/** A revision as it is kept, with the proof of the installation that wrote it. */
export const keptRevisionSchema = strictObject({ value: agentRevisionSchema, proof: z.string().min(1) });

/** Which revision of a session is its last. */
export const agentHeadSchema = strictObject({
  accountId: accountIdSchema,
  sessionId: sessionIdSchema,
  revision,
  hash: digestSchema,
  /** Unix time in seconds. */
  createdTs: z.number().nonnegative(),
  updatedTs: z.number().nonnegative(),
});
export type AgentHead = z.infer<typeof agentHeadSchema>;

export const keptAgentHeadSchema = strictObject({ value: agentHeadSchema, proof: z.string().min(1) });

/** Revisions outside of a store, oldest first. */
export const agentExportSchema = strictObject({
  format: z.literal("simplefunctions agent v1"),
  revisions: z.array(agentRevisionSchema).min(1),
});
