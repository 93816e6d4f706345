import { z } from "zod";
import { memoryIdSchema, sessionIdSchema, timestampSchema } from "../identity/ids.ts";
import { strictObject } from "../schema/strict-object.ts";

/** Who said what is remembered. */
export const memorySources = ["operator", "user", "model", "tool", "import"] as const;

export const memoryItemSchema = strictObject({
  memoryId: memoryIdSchema,
  text: z.string().min(1),
  tags: z.array(z.string()),
  source: strictObject({
    type: z.enum(memorySources),
    /** The session and the revision that it was kept from. */
    sessionId: sessionIdSchema.optional(),
    revision: z.int().min(1).optional(),
    /** What it was read from, as told by whoever kept it: a tool's name, an address. */
    name: z.string().optional(),
  }),
  createdAt: timestampSchema,
});
export type MemoryItem = z.infer<typeof memoryItemSchema>;

export type MemoryTrust = "operator" | "user" | "untrusted";

/** What an operator or a user has said is theirs; anything else may be anybody's, and is shown as such. */
export function trustOf({ source }: Pick<MemoryItem, "source">): MemoryTrust {
  return source.type === "operator" || source.type === "user" ? source.type : "untrusted";
}
