import { z } from "zod";
import { callIdSchema, memoryIdSchema, runIdSchema, sessionIdSchema } from "../identity/ids.ts";
import { strictObject } from "../schema/strict-object.ts";

/** That a call was erased from what long-lived agents keep, by ids alone: none of its words is in it. */
export const agentErasureSchema = strictObject({
  callId: callIdSchema,
  /** `begun`: whoever opens the account's agents next finishes it. */
  status: z.enum(["begun", "done"]),
  /** Runs whose model had seen it, and what it has said since is erased. */
  runs: z.array(runIdSchema),
  /** Of these, those that had not ended when it was erased: once they have, it is erased again. */
  underWay: z.array(runIdSchema),
  memories: z.array(memoryIdSchema),
  /** The logs of turns that are removed. */
  logs: z.array(strictObject({ sessionId: sessionIdSchema, name: z.string() })),
});
export type AgentErasure = z.infer<typeof agentErasureSchema>;
