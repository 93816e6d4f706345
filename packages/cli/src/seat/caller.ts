import type { Scope } from "@spfunctions/contracts";
import type { GivenPrincipal } from "@spfunctions/kernel";

/** Whoever sits at this command line. */
export function callerOf(account = "local", scopes: readonly Scope[] = ["read", "write"]): GivenPrincipal {
  return { accountId: account, keyId: "cli", scopes: [...new Set(scopes)], kind: "local" };
}
