import type { GivenPrincipal } from "@spfunctions/kernel";

/** What a key may do its platform knows; this side's policy says what of that is used. */
export function callerOf(accountId: string, keyId: string | undefined): GivenPrincipal {
  const scopes = ["read", "write", "trade", "admin"] as const;
  return keyId === undefined
    ? { accountId, keyId: "none", scopes, kind: "local" }
    : { accountId, keyId, scopes, kind: "key" };
}
