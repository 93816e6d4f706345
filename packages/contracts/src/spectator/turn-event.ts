import { z } from "zod";
import { jsonObjectSchema } from "../schema/json-schemas.ts";
import { strictObject } from "../schema/strict-object.ts";

export const turnEventKinds = [
  "llm_req",
  "llm_stream",
  "llm_done",
  "notes_patch",
  "actions",
  "action_refused",
  "retrieval",
  "tool_plan",
  "tool_start",
  "tool_done",
  "condense",
  "grant",
] as const;

/** A line of a turn's log. It is told from what is on record, for people; nothing is replayed from it. */
export const turnEventSchema = strictObject({
  /** Seconds since 1970. */
  ts: z.number().min(0),
  kind: z.enum(turnEventKinds),
  data: jsonObjectSchema,
});
export type TurnEvent = z.infer<typeof turnEventSchema>;
