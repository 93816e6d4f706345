// What may run at most, said once more and as plainly as it can be: apart from the judge, from its gates and from what puts levels
// together. What has run is held against this.
import type { AgentPolicy } from "@spfunctions/contracts";
import { type Facts, facts } from "./tools.ts";
import type { LawGiven } from "./terms.ts";

const sides = [
  "none",
  "auth_telemetry_write",
  "user_write",
  "secret",
  "runtime",
  "paper_trade",
  "live_trade",
];
const costs = ["none", "api_cost", "search_cost", "venue_request_cost", "llm_cost"];

/** Whatever anybody says: never by a model. */
const neverByModels = new Set(["secret", "live_trade"]);

export type Law = {
  /** `asked`: only by a person's yes to exactly that call. */
  readonly of: (tool: string) => "never" | "asked" | "free";
  readonly maxSteps: number;
  readonly maxToolCalls: number;
  readonly maxTokens: number;
};

export function lawOf({ policy, run, selection, principal }: LawGiven): Law {
  const levels = [policy, ...(run.policy ? [run.policy] : [])];
  const least = (limit: "maxSteps" | "maxToolCalls" | "maxTokens", also = Number.POSITIVE_INFINITY) =>
    Math.min(also, ...levels.map(({ budget }) => budget?.[limit] ?? Number.POSITIVE_INFINITY));
  const named = run.tools && [
    ...run.tools,
    ...(selection.mode === "manifest-search" ? ["tools.search"] : []),
  ];
  const isKnown = (tool: string) => tool !== "tools.search" || selection.mode === "manifest-search";
  return {
    maxSteps: least("maxSteps", run.maxSteps),
    maxToolCalls: least("maxToolCalls"),
    maxTokens: least("maxTokens"),
    of: (name) => {
      const tool = facts.get(name);
      if (tool === undefined || !isKnown(name) || !tool.isOpen || neverByModels.has(tool.side))
        return "never";
      if (named?.includes(name) === false) return "never";
      if (!scopesAllow(tool, principal.scopes) || !levels.every((level) => levelAllows(level, tool)))
        return "never";
      const isInFull = levels.every(({ allowTools }) => allowTools?.includes(name));
      if (tool.side === "runtime" && !isInFull) return "never";
      return isAskedAbout(tool, levels) ? "asked" : "free";
    },
  };
}

/** Nothing of a run's has the scopes to trade and to administrate. */
function scopesAllow({ side }: Facts, scopes: readonly string[]): boolean {
  if (scopes.includes("write")) return true;
  return side === "none" && scopes.includes("read");
}

function levelAllows(policy: AgentPolicy, { name, side, cost, permissions }: Facts): boolean {
  const { allow, deny = [], allowTools, denyTools = [] } = policy;
  const { maxSideEffect = "none", maxCostEffect = "venue_request_cost" } = policy;
  const isAmong = (list: readonly string[]) =>
    list.includes(name) || list.includes(`${name.split(".")[0]}.*`);
  return (
    !isAmong(denyTools) &&
    !permissions.some((one) => deny.includes(one)) &&
    (allowTools === undefined || isAmong(allowTools)) &&
    (allow === undefined || permissions.every((one) => allow.includes(one))) &&
    sides.indexOf(side) <= sides.indexOf(maxSideEffect) &&
    (side !== "runtime" || maxSideEffect === side || allowTools?.includes(name) === true) &&
    costs.indexOf(cost) <= costs.indexOf(maxCostEffect)
  );
}

/** From what a person wrote on is asked; from `user_write` on where nobody did, and from `secret` on whatever anybody did. */
function isAskedAbout({ side, cost }: Facts, [agent, ...others]: readonly AgentPolicy[]): boolean {
  const own = agent?.approvals?.requireForSideEffectAtOrAbove ?? "user_write";
  const from = [own, "secret", ...others.map(({ approvals }) => approvals?.requireForSideEffectAtOrAbove)];
  const fromCost = [agent, ...others].map((level) => level?.approvals?.requireForCostEffectAtOrAbove);
  return (
    from.some((one) => one !== undefined && sides.indexOf(side) >= sides.indexOf(one)) ||
    fromCost.some((one) => one !== undefined && costs.indexOf(cost) >= costs.indexOf(one))
  );
}
