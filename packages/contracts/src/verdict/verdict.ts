import { z } from "zod";
import { type ErrorCode, errorCodes } from "../error/error-codes.ts";
import { digestSchema } from "../identity/ids.ts";
import { strictObject } from "../schema/strict-object.ts";

/** The judge's questions, in the order they are asked. The first eleven need no input. */
export const gates = [
  "tool.exists",
  "tool.status",
  "agent.callable",
  "identity",
  "forbidden.risk",
  "deny",
  "allow",
  "max.sideEffect",
  "max.costEffect",
  "user_data.auth",
  "budget",
  "input",
  "trade",
  "capability",
  "pre_tool",
  "approval",
] as const;
export const gateSchema = z.enum(gates);
export type Gate = z.infer<typeof gateSchema>;

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
