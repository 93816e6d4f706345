import { z } from "zod";
import { jsonObjectSchema, jsonPointerSchema } from "../schema/json-schemas.ts";
import { strictObject } from "../schema/strict-object.ts";
import { errorCodeSchema } from "../verdict/verdict.ts";
import { receiptSchema } from "../record/receipt.ts";

export const envelopeMetaSchema = strictObject({
  requestId: z.string().min(1),
  receipt: receiptSchema.optional(),
  /** The answer of an earlier request with the same idempotency key, in its recorded form; nothing ran. */
  replayed: z.literal(true).optional(),
  /** Where the record hides what was shown here once. */
  redacted: z.array(jsonPointerSchema).optional(),
});
export type EnvelopeMeta = z.infer<typeof envelopeMetaSchema>;

/** Every answer of the platform. */
export const httpEnvelopeSchema = z.discriminatedUnion("ok", [
  strictObject({ ok: z.literal(true), data: z.unknown(), meta: envelopeMetaSchema }),
  strictObject({
    ok: z.literal(false),
    error: strictObject({
      code: errorCodeSchema,
      status: z.int().min(400).max(599),
      message: z.string(),
      details: jsonObjectSchema.optional(),
    }),
    meta: envelopeMetaSchema,
  }),
]);
export type HttpEnvelope = z.infer<typeof httpEnvelopeSchema>;
