import { z } from "zod";
import { type ErrorCode, errorCodes } from "../error/error-codes.ts";
import { digestSchema } from "../identity/ids.ts";
import { hostRuleNameSchema } from "../policy/host-rule.ts";
import { strictObject } from "../schema/strict-object.ts";

/** The judge's questions, in the order they are asked. The first eleven need no input. */
export const gates = [
  /** Is there a tool of this name? */
  "tool.exists",
  /** Is it implemented? */
  "tool.status",
  /** Is it for agents? A plain request of a key is not asked. */
  "agent.callable",
  /** Is it somebody who calls, where that must be known? */
  "identity",
  /** Is its risk known, its name free, and a live trade made directly, with guardrails at every level? */
  "forbidden.risk",
  /** Does no level deny it, by `deny` or `denyTools`? */
  "deny",
  /** Does every level allow it, by `allow` and `allowTools`? */
  "allow",
  /** Is its side effect within the caller's scopes and within `maxSideEffect` of every level? */
  "max.sideEffect",
  /** Is its cost within `maxCostEffect` of every level? */
  "max.costEffect",
  /** Is it somebody who calls, where it reads their data? */
  "user_data.auth",
  /** Is there something left of `budget`? */
  "budget",
  /** Does the input fit the tool's schema, and hold no placeholder of a secret? */
  "input",
  /** Does a live trade stay within `trade` of every level? */
  "trade",
  /** May it reach the address that it is sent to? */
  "capability",
  /** Does the host's own policy not object? */
  "pre_tool",
  /** Need nobody approve it, by `approvals` of any level, or has somebody? */
  "approval",
] as const;
export const gateSchema = z.enum(gates);
export type Gate = z.infer<typeof gateSchema>;

/** As what a call is refused that a gate stops. */
export const gateCodes = {
  "tool.exists": ["unknown_tool"],
  "tool.status": ["tool_not_active"],
  "agent.callable": ["tool_not_callable"],
  identity: ["missing_api_key"],
  "forbidden.risk": ["policy_denied"],
  deny: ["policy_denied"],
  allow: ["policy_denied"],
  "max.sideEffect": ["policy_denied"],
  "max.costEffect": ["policy_denied"],
  "user_data.auth": ["missing_api_key"],
  budget: ["budget_exceeded"],
  input: ["invalid_input"],
  trade: ["trade_guardrail"],
  capability: ["capability_denied"],
  pre_tool: ["policy_denied", "approval_required"],
  // Where nobody can be asked, what a person would have to approve is denied.
  approval: ["approval_required", "policy_denied"],
} as const satisfies Record<Gate, readonly ErrorCode[]>;

const everyErrorCode = Object.keys(errorCodes) as ErrorCode[];
export const errorCodeSchema = z.enum(everyErrorCode);

/** Why, as a stable word; what is longer or no word is not kept. */
export const errorReasonSchema = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, "expected a snake_case word");

export const gateReportSchema = strictObject({
  gate: gateSchema,
  result: z.enum(["passed", "stopped", "not_applicable", "not_checked"]),
  detail: z.string().optional(),
});
export type GateReport = z.infer<typeof gateReportSchema>;

/**
 * A decision, kept whole: every gate is reported, the first that stopped decides, and `remedy` says what would have
 * allowed it. `code` is `allowed`, or the error code a refusal is thrown as.
 */
export const verdictSchema = strictObject({
  outcome: z.enum(["allow", "deny", "ask"]),
  gate: gateSchema.optional(),
  code: z.enum(["allowed", ...everyErrorCode]),
  reason: z.string(),
  remedy: z.string().optional(),
  gates: z.array(gateReportSchema),
  policyDigest: digestSchema,
  /** Absent when there is no such tool. */
  toolDigest: digestSchema.optional(),
  /** The host's own rules that had a say; part of `policyDigest`. Absent where there are none with an id and a version. */
  rules: z.array(hostRuleNameSchema).min(1).optional(),
}).superRefine((verdict, context) => {
  const problem = incoherence(verdict);
  if (problem !== undefined) context.addIssue({ code: "custom", ...problem });
});
export type Verdict = z.infer<typeof verdictSchema>;

type Decision = Pick<Verdict, "outcome" | "gate" | "code"> & { readonly gates: readonly GateReport[] };

/** A decision that its own gates do not bear out is no decision (G1, B15). */
function incoherence({
  outcome,
  gate,
  code,
  gates: reports,
}: Decision): { path: string[]; message: string } | undefined {
  if (reports.length !== gates.length || reports.some((report, index) => report.gate !== gates[index])) {
    return { path: ["gates"], message: "every gate is reported once, in the order they are asked" };
  }
  const stopped = reports.find(({ result }) => result === "stopped")?.gate;
  if (gate !== stopped) return { path: ["gate"], message: "the gate that decided is the first that stopped" };
  if ((outcome === "allow") !== (stopped === undefined)) {
    return { path: ["outcome"], message: "allow means that no gate stopped" };
  }
  if ((outcome === "allow") !== (code === "allowed")) {
    return { path: ["code"], message: "allowed is the code of allow and of nothing else" };
  }
  return undefined;
}
