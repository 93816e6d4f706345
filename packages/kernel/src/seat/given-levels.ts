import {
  type AgentPolicy,
  HostConfigurationNeededError,
  parsePolicy,
  type PolicyLevel,
  type PolicyLevelName,
  policyLevelNames,
} from "@spfunctions/contracts";
import { requireOneOf } from "./require-one-of.ts";

/** A policy and whose it is, as a person writes it. */
export type GivenLevel = { readonly level: PolicyLevelName; readonly policy: AgentPolicy };

/** A policy for each level, and at least one: without a policy nothing is allowed. */
export function parseLevels(levels: readonly GivenLevel[]): PolicyLevel[] {
  if (!Array.isArray(levels) || levels.length === 0) {
    throw new HostConfigurationNeededError("a seat needs a list of policies; without one nothing is allowed");
  }
  return levels.map((given: GivenLevel | null | undefined): PolicyLevel => {
    const { level, policy } = given ?? {};
    requireOneOf("policy level", level, policyLevelNames);
    return { level: level as PolicyLevelName, policy: parsePolicy(policy) };
  });
}
