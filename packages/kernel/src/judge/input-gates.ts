// Gates 12 to 15, and the host's own policy before the last: what is asked of the validated input.
import {
  combinedApprovals,
  type ContractTool,
  costEffectRank,
  hasPlaceholder,
  type HiddenPart,
  type JsonValue,
  pathForMessage,
  type PolicyLevel,
  readTradeFacts,
  sideEffectRank,
  tradeViolation,
} from "@spfunctions/contracts";
import type { Network } from "../capability/network.ts";
import { notGranted, targetOf } from "../capability/target-of.ts";
import type { SchemaCheck, SchemaProblem } from "../tool/schema-check.ts";
import { describeHidden, hiddenReason } from "../call/hidden-parts.ts";
import { type Finding, policyAt, type Stop } from "./static-gates.ts";

/** The live input, or why there is none. */
export type JudgedInput =
  | {
      readonly type: "live";
      readonly value: JsonValue;
      readonly text: string;
      /** The parts that nobody is shown, and of which nobody has said what they are. */
      readonly hidden?: readonly HiddenPart[] | undefined;
    }
  | { readonly type: "unreadable"; readonly problem: SchemaProblem };

/** What a host's own policy says of a call: it can only object. */
export type PolicyAnswer = { readonly outcome: "allow" | "deny" | "ask"; readonly reason?: string };

/** `asksPerson`: a person is asked about the call, or has approved it. */
export function inputGate(
  tool: ContractTool,
  input: JudgedInput,
  check: SchemaCheck,
  asksPerson: boolean,
): Finding {
  const problem =
    input.type === "unreadable"
      ? input.problem
      : (redactedValue(tool, input, asksPerson) ?? check(input.value));
  if (problem === undefined) return "passed";
  const { path, reason, message } = problem;
  return {
    code: "invalid_input",
    reason: `${path === "" ? "the input" : path} ${message}`,
    remedy:
      reason === "redacted_value_in_input"
        ? "pass the real value; a record has only its placeholder"
        : `see the input schema of ${tool.name}`,
    problem,
  };
}

/**
 * A placeholder is what a record shows instead of a secret: acting on it would act on nothing. A read may ask about one, unless a person
 * decides about the call: an approval of the secret has the same hash.
 */
function redactedValue(
  { sideEffect }: ContractTool,
  { value, text }: Extract<JudgedInput, { type: "live" }>,
  asksPerson: boolean,
): SchemaProblem | undefined {
  if ((sideEffect === "none" && !asksPerson) || !hasPlaceholder(text)) return undefined;
  return {
    path: pathForMessage(placeholderPath(value) ?? []),
    reason: "redacted_value_in_input",
    message: "holds a redacted value",
  };
}

function placeholderPath(value: JsonValue): PropertyKey[] | undefined {
  if (typeof value === "string") return hasPlaceholder(value) ? [] : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    if (hasPlaceholder(key)) return [key];
    const inner = placeholderPath(member);
    if (inner !== undefined) return [key, ...inner];
  }
  return undefined;
}

export function tradeGate(
  tool: ContractTool,
  value: JsonValue,
  levels: readonly PolicyLevel[],
  matchesConfirm: (given: string, kept: string) => boolean,
): Finding {
  if (tool.trade === undefined || tool.sideEffect !== "live_trade") return "not_applicable";
  const facts = readTradeFacts(tool.trade, value);
  for (const { level, policy } of levels) {
    const violation = policy.trade && tradeViolation(policy.trade, facts, matchesConfirm);
    if (policy.trade === undefined || violation !== undefined) {
      const guardrail = violation === undefined ? "trade" : `trade.${violation.field}`;
      return {
        code: "trade_guardrail",
        reason: `${violation?.reason ?? "there are no guardrails"} (${guardrail} in ${policyAt({ level })})`,
        remedy: `change the order, or ${guardrail} in ${policyAt({ level })}`,
      };
    }
  }
  return "passed";
}

/** What was granted is found out by whoever makes the call. G1: where nobody has, nothing is granted. */
export function capabilityGate(
  tool: ContractTool,
  value: JsonValue,
  network: Network,
  found: Finding | "not_checked" | undefined,
): Finding | "not_checked" {
  const target = targetOf(tool, value, network);
  if (target === undefined) return "not_applicable";
  if (!("url" in target)) return target;
  return found ?? notGranted(tool.name, target);
}

export function preToolGate(answer: PolicyAnswer): Finding {
  if (answer.outcome === "allow") return "passed";
  const said = answer.reason === undefined ? {} : { said: answer.reason };
  if (answer.outcome === "ask") return { ...asking, reason: "the host's policy asks for a person", ...said };
  const remedy = "ask whoever set the host's policy";
  return { code: "policy_denied", reason: "the host's policy objects", remedy, ...said };
}

const asking = {
  outcome: "ask",
  code: "approval_required",
  remedy: "a person with an operator credential must approve exactly this call",
} as const satisfies Partial<Stop>;

export function approvalGate(tool: ContractTool, levels: readonly PolicyLevel[]): Finding {
  const { requireForSideEffectAtOrAbove: side, requireForCostEffectAtOrAbove: cost } =
    combinedApprovals(levels);
  if (side === undefined && cost === undefined) return "not_applicable";
  if (side !== undefined && sideEffectRank(tool.sideEffect) >= sideEffectRank(side)) {
    return { ...asking, reason: `a person must approve side effects from ${side} up` };
  }
  if (cost !== undefined && costEffectRank(tool.costEffect) >= costEffectRank(cost)) {
    return { ...asking, reason: `a person must approve costs from ${cost} up` };
  }
  return "passed";
}

/** G4: nobody has looked at what is hidden of a call that changes something: a person is asked about it, or it is denied. */
export function hiddenGate(
  { name, sideEffect }: ContractTool,
  hidden: readonly HiddenPart[],
  canAsk: boolean,
): Stop | undefined {
  const [first] = hidden;
  if (first === undefined || sideEffect === "none") return undefined;
  const message = `${hiddenReason} ${describeHidden(hidden)} of what would run`;
  const problem = { path: first.pointer, reason: "hidden_parts", message };
  const declare = `if a secret belongs there, declare it: "x-sf-secret": true in the input schema of ${name}`;
  if (canAsk) return { ...asking, reason: message, remedy: `${asking.remedy}; ${declare}`, problem };
  return {
    code: "policy_denied",
    reason: `${message}, and nobody can be asked here`,
    remedy: `${declare}; or give a store and an installation, so that a person can be asked`,
    problem,
  };
}
