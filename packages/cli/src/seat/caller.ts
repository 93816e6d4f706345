import type { Scope } from "@spfunctions/contracts";
import type { GivenPrincipal } from "@spfunctions/kernel";
import type { CliIo } from "../io/cli-io.ts";

/**
 * A2: whoever sits at this command line to decide, and is nobody who calls. The name is for the record: what they may do is said by kind
 * and scopes, and no key and no approver of a policy is called what begins with `operator:`.
 */
export function operatorOf(accountId: string, name?: string): GivenPrincipal {
  const keyId = name === undefined ? "operator" : `operator:${name}`;
  return { accountId, keyId, scopes: ["admin"], kind: "operator" };
}

/** The same, by the name that was given, else by that of the user of the operating system. */
export function operatorAt(
  { account, as }: { readonly account: string; readonly as?: string | undefined },
  { user }: Pick<CliIo, "user">,
): GivenPrincipal {
  return operatorOf(account, as ?? user);
}

/** Whoever sits at this command line. */
export function callerOf(account = "local", scopes: readonly Scope[] = ["read", "write"]): GivenPrincipal {
  return { accountId: account, keyId: "cli", scopes: [...new Set(scopes)], kind: "local" };
}

/** Whoever starts runs over a platform. What its key may do the platform knows; no run has more of it than this. */
export function starterOf(account: string, keyId: string): GivenPrincipal {
  return { accountId: account, keyId, scopes: ["read", "write"], kind: "key" };
}
