// Gates 1 to 11: what needs no input. G1: unknown means no. G2: every level must pass, and a deny wins at each.
import {
  type BudgetPolicy,
  combinedBudget,
  type ContractTool,
  costEffectRank,
  defaultBudget,
  type ErrorCode,
  fillDefaults,
  type Gate,
  isActive,
  isReservedName,
  matchesToolPattern,
  type Origin,
  permitsSideEffect,
  type PolicyLevel,
  type Principal,
  readsUserData,
  requiresIdentity,
  risks,
  sideEffectRank,
  sideEffectsOfScopes,
  type Spent,
  type Verdict,
} from "@spfunctions/contracts";
import type { SchemaProblem } from "../tool/schema-check.ts";

/** Why a gate stops a call, and what would have let it pass. */
export type Stop = {
  readonly outcome?: "ask";
  readonly code: ErrorCode;
  readonly reason: string;
  readonly remedy: string;
  /** With `invalid_input`: where and why, for programs. */
  readonly problem?: SchemaProblem;
  /** What a host's policy said, in its own words. */
  readonly said?: string;
};
export type Finding = "passed" | "not_applicable" | Stop;

/** What a call is judged by besides its input. */
export type Subject = {
  readonly tool: ContractTool;
  readonly levels: readonly PolicyLevel[];
  readonly principal: Principal;
  readonly origin: Origin;
  /** Whether an agent's rules apply: not to plain requests by a key. */
  readonly surface: "agent" | "plain";
  /** What the run has used up so far. */
  readonly spent: Spent;
};

type GateCheck = (subject: Subject) => Finding;

/** The static gates after `tool.exists`, in order. */
export const staticGates: readonly (readonly [Gate, GateCheck])[] = [
  ["tool.status", ({ tool }) => (isActive(tool) ? "passed" : notActive(tool))],
  ["agent.callable", callable],
  ["identity", identity],
  ["forbidden.risk", forbiddenRisk],
  ["deny", (subject) => atEveryLevel(subject, denied)],
  ["allow", (subject) => atEveryLevel(subject, notAllowed)],
  ["max.sideEffect", sideEffect],
  ["max.costEffect", (subject) => atEveryLevel(subject, tooExpensive)],
  ["user_data.auth", userData],
  ["budget", budget],
];

function notActive(tool: ContractTool): Stop {
  return {
    code: "tool_not_active",
    reason: `${tool.name} has the status ${tool.status}, and cannot be called`,
    remedy: "call a tool whose status is implemented",
  };
}

function callable({ tool, surface }: Subject): Finding {
  if (surface === "plain") return "not_applicable";
  if (tool.agent.callable) return "passed";
  return {
    code: "tool_not_callable",
    reason: `${tool.name} is not for agents: its contract has agent.callable false`,
    remedy: "a person may call it with a key of their own",
  };
}

function identity({ tool, principal, surface }: Subject): Finding {
  const needed = surface === "agent" || requiresIdentity(tool);
  if (!needed) return "not_applicable";
  if (principal.kind !== "anonymous") return "passed";
  return {
    code: "missing_api_key",
    reason: `${tool.name} is not for anonymous callers`,
    remedy: "call with a key, or as a named principal",
  };
}

function forbiddenRisk({ tool, origin, levels }: Subject): Finding {
  const unknown = tool.risk.find((risk) => !risks.includes(risk));
  if (unknown !== undefined)
    return forbidden(
      `the contract names an unknown risk: ${unknown}`,
      "use a contract whose risks are known",
    );
  if (isReservedName(tool.name)) return forbidden(`${tool.name} is a reserved name`, "rename the tool");
  if (tool.sideEffect !== "live_trade") return "passed";
  if (origin !== "direct") {
    return forbidden(
      `a live trade must be called directly, and this one comes from ${origin}`,
      "a person may place it directly; no policy lifts this",
    );
  }
  if (tool.trade === undefined)
    return forbidden(
      "the contract does not say where in the input the order's venue, price and quantity are",
      "declare trade in the tool's definition",
    );
  const open = levels.find(({ policy }) => policy.trade === undefined);
  if (open === undefined) return "passed";
  return forbidden(
    `a live trade needs guardrails, and ${policyAt(open)} has none`,
    `give trade: { allowedVenues, maxOrderCostCents, maxQuantity } in ${policyAt(open)}`,
  );
}

function denied({ tool }: Subject, { level, policy }: PolicyLevel): Stop | undefined {
  const permission = tool.permissions.find((one) => policy.deny?.includes(one));
  if (permission !== undefined) {
    return forbidden(
      `${policyAt({ level })} denies the permission ${permission}`,
      // A key's own law is made of its scopes: nobody has written this deny.
      level === "key" ? "call with a key that has the scope admin" : `take "${permission}" out of deny`,
    );
  }
  const pattern = policy.denyTools?.find((one) => matchesToolPattern(tool.name, one));
  if (pattern === undefined) return undefined;
  return forbidden(`${policyAt({ level })} denies ${pattern}`, `take "${pattern}" out of denyTools`);
}

function notAllowed({ tool }: Subject, { level, policy }: PolicyLevel): Stop | undefined {
  const uncovered = policy.allow && tool.permissions.find((one) => !policy.allow?.includes(one));
  if (uncovered !== undefined) {
    return forbidden(
      `${policyAt({ level })} does not allow the permission ${uncovered}`,
      `add "${uncovered}" to allow`,
    );
  }
  const { allowTools } = policy;
  if (allowTools === undefined || allowTools.some((one) => matchesToolPattern(tool.name, one)))
    return undefined;
  const remedy =
    level === "key"
      ? `call with a key that has "${tool.name}" in allowTools`
      : `add "${tool.name}" to allowTools`;
  return forbidden(`${policyAt({ level })} does not allow ${tool.name}`, remedy);
}

function sideEffect(subject: Subject): Finding {
  const { tool, principal } = subject;
  if (!isWithinScopes(subject)) {
    const scopes = principal.scopes.join(", ") || "none";
    const alsoNamed = isLocalRuntime(tool)
      ? `, or with write and ${tool.name} named in allowTools of every level`
      : "";
    return forbidden(
      `the principal's scopes (${scopes}) do not include the side effect ${tool.sideEffect}`,
      `call as a principal with the scope ${scopeFor(tool)}${alsoNamed}`,
    );
  }
  return atEveryLevel(subject, ({ tool: one }, level) =>
    permitsSideEffect(level.policy, one) ? undefined : aboveCeiling(one, level),
  );
}

/**
 * `write` stands for what a ceiling of `paper_trade` does: for a `runtime` tool of this host too, if every level
 * names it in full: were one enough, a level more could allow more (G2).
 */
function isWithinScopes({ tool, principal, levels }: Subject): boolean {
  const scopes = principal.kind === "anonymous" ? (["read"] as const) : principal.scopes;
  if (sideEffectsOfScopes(scopes).has(tool.sideEffect)) return true;
  const isNamed = levels.every(({ policy }) => policy.allowTools?.includes(tool.name));
  return isNamed && isLocalRuntime(tool) && scopes.some((scope) => scope === "write");
}

/** What has a route is another host's: of those `runtime` stays with `admin`, so that no model is offered it. */
function isLocalRuntime({ sideEffect: effect, http }: ContractTool): boolean {
  return effect === "runtime" && http === undefined;
}

function aboveCeiling({ name, sideEffect: effect }: ContractTool, level: PolicyLevel): Stop {
  const { maxSideEffect: ceiling } = level.policy;
  // Of those that need a name a ceiling above them is not enough.
  const needsName = sideEffectRank(effect) < sideEffectRank(ceiling);
  const allowed = needsName ? "that only by a tool's full name in allowTools" : upTo(ceiling, "side effects");
  return forbidden(
    `its side effect is ${effect}, and ${policyAt(level)} allows ${allowed}`,
    `set maxSideEffect to "${effect}"${needsName ? `, or name ${name} in allowTools` : ""}`,
  );
}

function scopeFor({ sideEffect: effect }: ContractTool): string {
  if (effect === "none") return "read";
  if (effect === "live_trade") return "trade";
  return effect === "secret" || effect === "runtime" ? "admin" : "write";
}

function tooExpensive({ tool }: Subject, { level, policy }: PolicyLevel): Stop | undefined {
  if (costEffectRank(tool.costEffect) <= costEffectRank(policy.maxCostEffect)) return undefined;
  return forbidden(
    `its cost is ${tool.costEffect}, and ${policyAt({ level })} allows ${upTo(policy.maxCostEffect, "costs")}`,
    `set maxCostEffect to "${tool.costEffect}"`,
  );
}

function userData({ tool, principal }: Subject): Finding {
  if (!readsUserData(tool)) return "not_applicable";
  if (tool.authRequired && principal.kind !== "anonymous") return "passed";
  return {
    code: "missing_api_key",
    reason: `${tool.name} reads a user's data, and that is not for anonymous callers`,
    remedy: "call with a key, or as a named principal",
  };
}

function budget({ levels, spent }: Subject): Finding {
  return budgetFinding(combinedBudget(fillDefaults(levels)), spent);
}

/** A run may make as many calls as its budget has left, and start as many children; a direct call is a run of one. */
export function budgetFinding(limits: BudgetPolicy, spent: Spent): Finding {
  // Only of a call that would start a child is it said how many there are.
  const { toolCalls = 0, steps = 0, children } = spent;
  if (Object.keys(limits).length === 0 && children === undefined) return "not_applicable";
  const counts = [
    ["maxToolCalls", limits.maxToolCalls, toolCalls],
    ["maxSteps", limits.maxSteps, steps],
    // No call ends within no time.
    ["maxWallMs", limits.maxWallMs === 0 ? 0 : undefined, 0],
    [
      "maxChildren",
      children === undefined ? undefined : (limits.maxChildren ?? defaultBudget.maxChildren),
      children ?? 0,
    ],
  ] as const;
  const full = counts.find(([, most, used]) => most !== undefined && used + 1 > most);
  if (full === undefined) return "passed";
  const [limit, most] = full;
  return {
    code: "budget_exceeded",
    reason: `${limit} is ${most}, and all of it is used`,
    remedy: `raise ${limit} in the policy's budget`,
  };
}

/** Which limit a verdict of the budget's gate is about. */
export function limitOf({ gate, reason }: Pick<Verdict, "gate" | "reason">): string | undefined {
  return gate === "budget" ? /^max\w+/.exec(reason)?.[0] : undefined;
}

function atEveryLevel(
  subject: Subject,
  stopAt: (subject: Subject, level: PolicyLevel) => Stop | undefined,
): Finding {
  for (const level of subject.levels) {
    const stop = stopAt(subject, level);
    if (stop !== undefined) return stop;
  }
  return "passed";
}

/** Whose policy stops a call: `the agent's policy`. */
export function policyAt({ level }: Pick<PolicyLevel, "level">): string {
  return `the ${level}'s policy`;
}

function upTo(ceiling: string, what: string): string {
  return ceiling === "none" ? "none" : `${what} up to ${ceiling}`;
}

function forbidden(reason: string, remedy: string): Stop {
  return { code: "policy_denied", reason, remedy };
}
