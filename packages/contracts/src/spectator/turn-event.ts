import { z } from "zod";
import { jsonObjectSchema } from "../schema/json-schemas.ts";
import { strictObject } from "../schema/strict-object.ts";

export const turnEventKinds = [
  /** The model is asked: `step`, `model`. */
  "llm_req",
  /** It speaks: `step`, `chars`. */
  "llm_stream",
  /** It has answered: `step`, `text` as it is shown, `problems` of its blocks. */
  "llm_done",
  /** What it noted: `step`, `changes`, `refused`, `ignored`, or the `error` of a block that cannot be read. */
  "notes_patch",
  /** What it wants besides calls: `step`, `actions`. */
  "actions",
  /** One of these was refused: `step`, `action`, `reason`. */
  "action_refused",
  /** Memories that it was shown: `shown`. */
  "retrieval",
  /** The calls that it proposes: `step`, `calls`. */
  "tool_plan",
  /** One of them begins: `id`, `tool`, `callId`. */
  "tool_start",
  /** It ended: `id`, `tool`, `callId`, `ok`, `chars`, and its `error`. */
  "tool_done",
  /** Less of what was said is shown from here on: `how`, `before`, `after`. */
  "condense",
  /** What it may reach and what it has asked for: `granted`, `pending`. */
  "grant",
] as const;

/** A line of a turn's log. It is told from what is on record, for people; nothing is replayed from it. */
export const turnEventSchema = strictObject({
  /** Seconds since 1970. */
  ts: z.number().min(0),
  kind: z.enum(turnEventKinds),
  /** What belongs to the kind. */
  data: jsonObjectSchema,
});
export type TurnEvent = z.infer<typeof turnEventSchema>;
