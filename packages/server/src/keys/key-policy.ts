// What a key may do, said as a policy of its own: its scopes bound the classes, its allow-list the tools, its guardrails trades, and
// its approval rules say what a person must approve.
import {
  type AgentPolicy,
  type ContractManifest,
  matchesToolPattern,
  type SideEffect,
  sideEffectRank,
  sideEffectsAllowedByName,
  sideEffectsOfScopes,
} from "@spfunctions/contracts";
import type { KeyRecord } from "./key-record.ts";

/** Whoever lacks the scope `admin` does not see or change keys. */
export const keysPermission = "keys:manage";

export function policyOfKey(
  { scopes, allowTools, trade, approvals }: Pick<KeyRecord, "scopes" | "allowTools" | "trade" | "approvals">,
  { tools }: ContractManifest,
): AgentPolicy {
  const classes = [...sideEffectsOfScopes(scopes)];
  const maxSideEffect = classes.reduce<SideEffect>(
    (most, one) => (sideEffectRank(one) > sideEffectRank(most) ? one : most),
    "none",
  );
  const isAdmin = scopes.includes("admin");
  return {
    maxSideEffect,
    maxCostEffect: "llm_cost",
    ...(isAdmin ? {} : { deny: [keysPermission] }),
    ...((isAdmin || allowTools !== undefined) && {
      allowTools: namedTools(allowTools ?? ["*"], isAdmin, tools),
    }),
    ...(trade && { trade }),
    ...(approvals && { approvals }),
  };
}

/** A ceiling brings `secret` and `runtime` along only for tools named in full: an admin's patterns name them. */
function namedTools(
  patterns: readonly string[],
  isAdmin: boolean,
  tools: ContractManifest["tools"],
): string[] {
  const isEverything = patterns.includes("*");
  const named = tools
    .filter(({ name, sideEffect }) => {
      const isMeant = isEverything || patterns.some((pattern) => matchesToolPattern(name, pattern));
      return isMeant && (isEverything || (isAdmin && sideEffectsAllowedByName.has(sideEffect)));
    })
    .map(({ name }) => name);
  return [...new Set([...patterns.filter((pattern) => pattern !== "*"), ...named])].toSorted();
}
