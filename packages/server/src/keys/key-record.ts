// What is kept of a key: never the key itself, only keyed hashes of its secrets. A record is sealed with the installation's
// secret, so that nobody who can write to the store can make or widen a key. What a seal cannot see is an older record put back.
import {
  accountIdSchema,
  approvalPolicySchema,
  canonicalJson,
  JournalCorruptError,
  keyIdSchema,
  type KeyedHash,
  scopeSchema,
  strictObject,
  timestampSchema,
  toolPatternSchema,
  tradeGuardrailsSchema,
} from "@spfunctions/contracts";
import { readKept, type StoredDocument } from "@spfunctions/kernel";
import { timingSafeEqual } from "node:crypto";
import { z } from "zod";

export const keyKind = "key";
/** By the keyed hash of a secret: whose key it is. Belongs to the installation, because nobody is known before it is read. */
export const keySecretKind = "key.secret";

/**
 * Secrets that a key has at once: the newest, and those that were rotated away within a day.
 * @limit key.secrets | `invalid_transition`: revoke it and make a new one | fixed: whoever rotates more often has another problem
 */
export const mostSecrets = 10;

const perDay = z.int().nonnegative().max(1_000_000_000);

/** How many calls of a cost class a key may make in one day (UTC). */
export const quotasSchema = strictObject({
  api_cost: perDay.optional(),
  search_cost: perDay.optional(),
  venue_request_cost: perDay.optional(),
  llm_cost: perDay.optional(),
});
export type Quotas = z.infer<typeof quotasSchema>;

export const rateLimitSchema = strictObject({
  perSecond: z.number().min(0.001).max(100_000),
  burst: z.int().positive().max(1_000_000),
});
export type RateLimit = z.infer<typeof rateLimitSchema>;

/** What a key is made with. */
export const keyTermsSchema = strictObject({
  name: z.string().min(1).max(100),
  scopes: z.array(scopeSchema).min(1),
  allowTools: z.array(toolPatternSchema).max(1000).optional(),
  trade: tradeGuardrailsSchema.optional(),
  /** When a person must approve what it calls. */
  approvals: approvalPolicySchema.optional(),
  expiresAt: timestampSchema.optional(),
  rateLimit: rateLimitSchema.optional(),
  quotas: quotasSchema.optional(),
});

export const keyRecordSchema = strictObject({
  ...keyTermsSchema.shape,
  keyId: keyIdSchema,
  accountId: accountIdSchema,
  createdAt: timestampSchema,
  createdBy: keyIdSchema,
  rotatedAt: timestampSchema.optional(),
  /** The other keys that received a secret of this one. A key that was rotated by an earlier version has none, whoever rotated it. */
  rotatedBy: z.array(keyIdSchema).optional(),
  revokedAt: timestampSchema.optional(),
  /** When all was ended that it, and the keys that come from it, had decided by then. */
  decisionsEndedAt: timestampSchema.optional(),
  /** Keyed hashes, the newest first; those before it run out. */
  secrets: z
    .array(strictObject({ hash: z.string(), validUntil: timestampSchema.optional() }))
    .max(mostSecrets),
});
export type KeyRecord = z.infer<typeof keyRecordSchema>;

/** What leads from a secret to its key. */
export const keyLeadSchema = strictObject({ accountId: accountIdSchema, keyId: keyIdSchema });

const sealedRecordSchema = strictObject({ record: keyRecordSchema, mac: z.string() });

export function keyRecordText(record: KeyRecord, keyHash: KeyedHash): string {
  return canonicalJson({ record, mac: macOf(record, keyHash) });
}

/** A record as it was written by whoever holds the installation's secret; anything else is refused. */
export function readKeyRecord({ body, id, accountId }: StoredDocument, keyHash: KeyedHash): KeyRecord {
  const { record, mac } = readKept(sealedRecordSchema, body, `the record of the key ${id}`);
  const isOurs = isSame(mac, macOf(record, keyHash)) && record.keyId === id && record.accountId === accountId;
  if (isOurs) return record;
  throw new JournalCorruptError(
    `the record of the key ${id} is not what was written: the key is good for nothing; restore the data folder from a backup, or make another key`,
    {
      details: { reason: "changed_key" },
    },
  );
}

function macOf(record: KeyRecord, keyHash: KeyedHash): string {
  return keyHash(`simplefunctions key record v1\n${canonicalJson(record)}`);
}

/** In the same time whatever they are. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Whether a key is good at this moment, whichever secret of it was shown. */
export function isLive({ revokedAt, expiresAt }: KeyRecord, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || now < Date.parse(expiresAt));
}
