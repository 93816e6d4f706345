import {
  type AgentPolicy,
  type ContractManifest,
  type RunId,
  runScopes,
  type Scope,
} from "@spfunctions/contracts";
import type { GivenPrincipal } from "@spfunctions/kernel";
import { policyOfKey } from "../keys/key-policy.ts";
import type { Quotas, RateLimit } from "../keys/key-record.ts";
import type { FoundKey } from "../keys/key-ring.ts";

/** Who calls, and under which law of its own. */
export type Caller = {
  readonly principal: GivenPrincipal;
  readonly policy: AgentPolicy;
  /** What its policy depends on: another one is another caller. */
  readonly version: string;
  /** Whether it may listen to all that its account does, and not only to what it does itself. */
  readonly hearsAll?: boolean | undefined;
  readonly rateLimit?: RateLimit | undefined;
  readonly quotas?: Quotas | undefined;
};

/** Reads that are open to everybody belong to nobody's account. */
export const anonymousAccount = "anonymous";

export const anonymousCaller: Caller = {
  principal: { accountId: anonymousAccount, keyId: "anonymous", scopes: [], kind: "anonymous" },
  policy: { maxSideEffect: "none", maxCostEffect: "none" },
  version: "0",
};

/** Whoever holds the platform itself. */
export function operatorOf(accountId: string, manifest: ContractManifest): Caller {
  const principal = { accountId, keyId: "operator", scopes: ["admin"], kind: "operator" } as const;
  return { principal, policy: policyOfKey({ scopes: ["admin"] }, manifest), version: "0" };
}

export function callerOfKey({ record, revision }: FoundKey, manifest: ContractManifest): Caller {
  const { accountId, keyId, scopes, rateLimit, quotas } = record;
  const principal = { accountId, keyId, scopes, kind: "key" } as const;
  const policy = policyOfKey(record, manifest);
  const hearsAll = scopes.includes("admin") && record.allowTools === undefined;
  return { principal, policy, version: String(revision), hearsAll, rateLimit, quotas };
}

/** A token is its key, with less. */
export function callerOfToken(
  found: FoundKey,
  { scopes }: { readonly scopes: readonly Scope[] },
  manifest: ContractManifest,
): Caller {
  return lesser(found, scopes, { kind: "token" }, manifest);
}

/** So is a run, to whatever its key has today. */
export function callerOfRun(
  found: FoundKey,
  { runId }: { readonly runId: RunId },
  manifest: ContractManifest,
): Caller {
  return lesser(found, runScopes, { kind: "run", runId }, manifest);
}

/** Whether somebody acts with what a key has lent, and not with the key itself. */
export function isLent({ principal: { kind } }: Pick<Caller, "principal">): boolean {
  return kind === "token" || kind === "run";
}

function lesser(
  { record, revision }: FoundKey,
  scopes: readonly Scope[],
  as: { readonly kind: "token" } | { readonly kind: "run"; readonly runId: RunId },
  manifest: ContractManifest,
): Caller {
  const { accountId, keyId, rateLimit, quotas } = record;
  const own = scopes.filter((scope) => record.scopes.includes(scope));
  return {
    principal: { accountId, keyId, scopes: own, ...as },
    policy: policyOfKey({ ...record, scopes: own, trade: undefined }, manifest),
    version: `${revision} ${own.join(" ")}`,
    rateLimit,
    quotas,
  };
}
