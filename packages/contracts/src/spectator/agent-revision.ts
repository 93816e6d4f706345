import { z } from "zod";
import { digestSchema, runIdSchema, sessionIdSchema } from "../identity/ids.ts";
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

/** A checkpoint in its chain: `hash` is over everything else in it. */
export const agentRevisionSchema = strictObject({
  checkpoint: checkpointWireSchema,
  cause: revisionCauseSchema,
  /** The hash of the revision before. */
  prev: digestSchema,
  hash: digestSchema,
});
export type AgentRevision = z.infer<typeof agentRevisionSchema>;
