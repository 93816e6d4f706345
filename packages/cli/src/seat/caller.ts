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
