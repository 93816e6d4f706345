import type { Scope } from "@spfunctions/contracts";
import type { GivenPrincipal } from "@spfunctions/kernel";

/** A2: whoever sits at this command line to decide, and is nobody who calls. */
export function operatorOf(accountId: string): GivenPrincipal {
  return { accountId, keyId: "operator", scopes: ["admin"], kind: "operator" };
}

/** Whoever sits at this command line. */
export function callerOf(account = "local", scopes: readonly Scope[] = ["read", "write"]): GivenPrincipal {
  return { accountId: account, keyId: "cli", scopes: [...new Set(scopes)], kind: "local" };
}

/** Whoever starts runs over a platform. What its key may do the platform knows; no run has more of it than this. */
export function starterOf(account: string, keyId: string): GivenPrincipal {
  return { accountId: account, keyId, scopes: ["read", "write"], kind: "key" };
}
