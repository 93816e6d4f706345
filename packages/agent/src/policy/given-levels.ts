import {
  type AgentPolicy,
  InvalidPolicyError,
  parseAtDoor,
  parsePolicy,
  type PolicyLevel,
  policyLevelNameSchema,
} from "@spfunctions/contracts";
import type { GivenLevel } from "@spfunctions/kernel";

/** One policy, which is then the agent's as in `govern`, or policies and whose they are. */
export type GivenPolicy = AgentPolicy | readonly GivenLevel[];

/** Reads what was given, whole or not at all. No list is empty: without a policy there is nothing to judge by. */
export function parseGivenPolicy(given: GivenPolicy): PolicyLevel[] {
  if (!isList(given)) return [{ level: "agent", policy: parsePolicy(given) }];
  if (given.length === 0) {
    throw new InvalidPolicyError("invalid policy: a list of levels holds at least one; give a policy", {
      details: { path: "", reason: "no_level" },
    });
  }
  return given.map((one: GivenLevel | null | undefined) => ({
    level: parseAtDoor(policyLevelNameSchema, one?.level, "policy level", InvalidPolicyError),
    policy: parsePolicy(one?.policy),
  }));
}

function isList(given: GivenPolicy): given is readonly GivenLevel[] {
  return Array.isArray(given);
}
