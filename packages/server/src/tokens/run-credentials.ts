// What a run acts with here while a model drives it: lent for a quarter of an hour by the key that started it, with less than that key
// has. A2: it asks, and never answers; I1: it is dead with its key.
import {
  ForbiddenError,
  type RunCredential,
  type RunId,
  runIdSchema,
  runScopes,
  strictObject,
} from "@spfunctions/contracts";
import type { GivenPrincipal } from "@spfunctions/kernel";
import { z } from "zod";
import { signToken, type TokenHost, type TokenSort } from "./signed-token.ts";

/**
 * How long what a run acts with is good.
 * @limit key.runCredentialSeconds | the run gets the next one by itself | fixed: long enough for a step, short enough to be lost
 */
const seconds = 900;

const audience = "simplefunctions-run";
const claimsSchema = strictObject({
  iss: z.string(),
  aud: z.literal(audience),
  sub: z.string(),
  account: z.string(),
  runId: runIdSchema,
  iat: z.number(),
  exp: z.number(),
  jti: z.string(),
});

export const runCredentials: TokenSort<typeof claimsSchema> = {
  type: "sf-run+jwt",
  audience,
  mostSeconds: seconds,
  claims: claimsSchema,
};

export async function lendToRun(
  host: TokenHost,
  { accountId, keyId, kind, scopes }: GivenPrincipal,
  runId: RunId,
): Promise<RunCredential> {
  if (kind !== "key")
    throw new ForbiddenError("a run's credential is lent by a key, never by a token or another run");
  const signed = await signToken(host, runCredentials, { keyId, seconds, account: accountId, runId });
  return { ...signed, runId, scopes: runScopes.filter((scope) => scopes.includes(scope)) };
}
