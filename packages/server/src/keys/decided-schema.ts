import {
  approvalIdSchema,
  capabilityGrantIdSchema,
  capabilitySchema,
  grantIdSchema,
  scopeSchema,
  sessionIdSchema,
  strictObject,
  timestampSchema,
  toolNameSchema,
} from "@spfunctions/contracts";
import { z } from "zod";
import { shownKeyIdSchema } from "./key-view.ts";

const decision = { expiresAt: timestampSchema, decidedByKeyId: shownKeyIdSchema };

/** What a key and the keys that come from it have decided and made, as far as it stood when that was asked. */
export const decidedSchema = strictObject({
  /** Whether all of it was ended. */
  isEnded: z.boolean(),
  /** Living keys that it made or rotated, directly or not. The caller's own is listed and never ended. */
  madeKeys: z.array(
    strictObject({
      keyId: shownKeyIdSchema,
      name: z.string(),
      scopes: z.array(scopeSchema),
      createdBy: shownKeyIdSchema,
      isOwn: z.boolean(),
    }),
  ),
  /** What calls may reach by its word. */
  capabilities: z.array(
    strictObject({
      grantId: capabilityGrantIdSchema,
      capability: capabilitySchema,
      /** Left out: every key of the account. */
      holderKeyId: shownKeyIdSchema.optional(),
      ...decision,
    }),
  ),
  /** What it approved for a session. */
  sessions: z.array(
    strictObject({
      grantId: grantIdSchema,
      tool: toolNameSchema,
      sessionId: sessionIdSchema,
      holderKeyId: shownKeyIdSchema,
      ...decision,
    }),
  ),
  /** Calls that it approved and that have not run. */
  approvals: z.array(
    strictObject({
      approvalId: approvalIdSchema,
      tool: toolNameSchema,
      holderKeyId: shownKeyIdSchema,
      ...decision,
    }),
  ),
  /** Whether there is more of a sort than is listed. */
  more: z.boolean(),
});
export type Decided = z.infer<typeof decidedSchema>;
