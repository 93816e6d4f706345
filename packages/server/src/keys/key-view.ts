import {
  approvalPolicySchema,
  keyIdSchema,
  scopeSchema,
  strictObject,
  timestampSchema,
  toolPatternSchema,
  tradeGuardrailsSchema,
} from "@spfunctions/contracts";
import { z } from "zod";
import { isLive, type KeyRecord, quotasSchema, rateLimitSchema } from "./key-record.ts";

/** It names a key and opens nothing: records show it, so that everybody sees which key was made or ended. */
export const shownKeyIdSchema = keyIdSchema.meta({ "x-sf-public": true });

/** A key as its account sees it. */
export const keyViewSchema = strictObject({
  keyId: shownKeyIdSchema,
  name: z.string(),
  status: z.enum(["active", "expired", "revoked"]),
  scopes: z.array(scopeSchema),
  allowTools: z.array(toolPatternSchema).optional(),
  trade: tradeGuardrailsSchema.omit({ confirmToken: true }).optional(),
  approvals: approvalPolicySchema.optional(),
  rateLimit: rateLimitSchema.optional(),
  quotas: quotasSchema.optional(),
  createdAt: timestampSchema,
  createdBy: shownKeyIdSchema,
  expiresAt: timestampSchema.optional(),
  rotatedAt: timestampSchema.optional(),
  revokedAt: timestampSchema.optional(),
  lastUsedAt: timestampSchema.optional(),
});
export type KeyView = z.infer<typeof keyViewSchema>;

export function viewOf(record: KeyRecord, now: number, lastUsedAt?: string): KeyView {
  const { accountId: _account, secrets: _secrets, trade, ...known } = record;
  const { rotatedBy: _rotators, decisionsEndedAt: _ended, ...shown } = known;
  const { confirmToken: _word, ...guardrails } = trade ?? {};
  return {
    ...shown,
    status: record.revokedAt !== undefined ? "revoked" : isLive(record, now) ? "active" : "expired",
    ...(trade && { trade: guardrails as KeyView["trade"] }),
    ...(lastUsedAt !== undefined && { lastUsedAt }),
  };
}
