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

/** As it is kept: with the proof that this installation wrote it. */
export const keptMemorySchema = strictObject({ value: memoryItemSchema, proof: z.string() });

/** What a model of embeddings made of a memory's text. Vectors of two models, or of two dimensions, are never compared. */
export const memoryVectorSchema = strictObject({
  memoryId: memoryIdSchema,
  model: z.string().min(1),
  dimension: z.int().min(1),
  /** 32-bit floats of length 1 together, least byte first, in base64. */
  vector: z.base64(),
});
export type MemoryVector = z.infer<typeof memoryVectorSchema>;
export const keptMemoryVectorSchema = strictObject({ value: memoryVectorSchema, proof: z.string() });

export type MemoryTrust = "operator" | "user" | "untrusted";

/** What an operator or a user has said is theirs; anything else may be anybody's, and is shown as such. */
export function trustOf({ source }: Pick<MemoryItem, "source">): MemoryTrust {
  return source.type === "operator" || source.type === "user" ? source.type : "untrusted";
}
