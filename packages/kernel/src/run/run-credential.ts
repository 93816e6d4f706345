// A1, A2: a run acts with a credential of its own, that can neither trade nor approve.
import { type Principal, type RunId, runScopes } from "@spfunctions/contracts";

/** As whom a run acts. */
export function runCredential({ accountId, keyId, scopes }: Principal, runId: RunId): Principal {
  const kept = runScopes.filter((scope) => scopes.includes(scope));
  return { accountId, keyId, scopes: kept, kind: "run", runId };
}
