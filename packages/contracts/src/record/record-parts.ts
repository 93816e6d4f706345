// What records of every kind are made of.
import { z } from "zod";
import { contentRefSchema, digestSchema, timestampSchema } from "../identity/ids.ts";
import { strictObject } from "../schema/strict-object.ts";
import { errorCodeSchema, errorReasonSchema } from "../verdict/verdict.ts";

export const streamIdSchema = z.string().regex(/^(?:seg|run)_[0-9A-Za-z-]{8,64}$/, "expected a stream's id");

/** Names a content row and binds its text: the digest of its salt and its text. */
export const contentDigestSchema = strictObject({ ref: contentRefSchema, digest: digestSchema });
export type ContentDigest = z.infer<typeof contentDigestSchema>;

export const chained = {
  /** The version of the record's form. */
  v: z.literal(1),
  /** Its place in its stream. */
  seq: z.int().positive(),
  /** The hash of the record before, or the stream's genesis. */
  prev: digestSchema,
  /** When it was written. */
  ts: timestampSchema,
  /** Of a run's: milliseconds since the record before it, where the clock was set meanwhile, so that `ts` does not tell them. */
  passedMs: z.int().nonnegative().optional(),
};

export const failure = strictObject({
  code: errorCodeSchema,
  message: contentDigestSchema,
  /** Why, in the error's own word, where it has one. */
  reason: errorReasonSchema.optional(),
});

/** How a run ends. */
export const runEndSchema = z.enum(["completed", "blocked", "failed", "cancelled"]);
export type RunEnd = z.infer<typeof runEndSchema>;
