// What a model may say of its own state in a NOTES block, and what it may call in a TOOL_CALLS block. It comes from outside: every member is
// looked at on its own, so that one that is wrong is told, and the others count.
import { z } from "zod";
import { jsonObjectSchema } from "../schema/json-schemas.ts";
import { strictObject } from "../schema/strict-object.ts";

const texts = z.array(z.string());

export const notesKeys = {
  set_goals: texts,
  add_open_loops: texts,
  close_open_loops: texts,
  add_decisions: texts,
  add_constraints: texts,
  set_episode_summary: z.string(),
  add_memory_tags: texts,
  actions: texts,
} as const;

/** Absent is no change. */
export type NotesPatch = { readonly [Key in keyof typeof notesKeys]?: z.infer<(typeof notesKeys)[Key]> };

const proposedToolCallSchema = strictObject({
  id: z.string().min(1).max(128),
  tool: z.string().min(1).max(200),
  args: jsonObjectSchema,
});
export const proposedToolCallsSchema = z
  .array(proposedToolCallSchema)
  .refine((calls) => new Set(calls.map(({ id }) => id)).size === calls.length, {
    error: "two calls have the same id",
  });
export type ProposedToolCall = z.infer<typeof proposedToolCallSchema>;
