import { z } from "zod";
import { strictObject } from "../schema/strict-object.ts";
import { runIdSchema, timestampSchema } from "./ids.ts";
import { type Scope, scopeSchema } from "./principal.ts";

/** What whatever a model drives may have: it trades nothing live, and is nobody's operator. */
export const runScopes = ["read", "write"] as const satisfies readonly Scope[];

/** What a platform lends a run to act with. */
export const runCredentialSchema = strictObject({
  token: z.string().meta({ "x-sf-secret": true }),
  runId: runIdSchema,
  scopes: z.array(scopeSchema.extract(runScopes)),
  createdAt: timestampSchema,
  expiresAt: timestampSchema,
});
export type RunCredential = z.infer<typeof runCredentialSchema>;
