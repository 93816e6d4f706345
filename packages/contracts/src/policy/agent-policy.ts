import { z } from "zod";
import { costEffectSchema } from "../effect/cost-effect.ts";
import { sideEffectSchema } from "../effect/side-effect.ts";
import { InvalidPolicyError } from "../error/error-classes.ts";
import { keyIdSchema } from "../identity/ids.ts";
import { parseAtDoor } from "../schema/parse-at-door.ts";
import { strictObject } from "../schema/strict-object.ts";
import { permissionSchema } from "../tool/contract-tool.ts";
import { toolPatternSchema } from "../tool/tool-name.ts";
import { tradeGuardrailsSchema } from "./trade-guardrails.ts";

const count = z.int().nonnegative();

export const budgetPolicySchema = strictObject({
  maxSteps: count.optional(),
  maxToolCalls: count.optional(),
  maxTokens: count.optional(),
  maxWallMs: count.optional(),
  budgetUsd: z.number().nonnegative().optional(),
  maxChildren: count.optional(),
  maxDepth: count.optional(),
});
export type BudgetPolicy = z.infer<typeof budgetPolicySchema>;

export const approvalPolicySchema = strictObject({
  requireForSideEffectAtOrAbove: sideEffectSchema.optional(),
  requireForCostEffectAtOrAbove: costEffectSchema.optional(),
  ttlMs: z.int().positive().optional(),
  /** Key ids that may answer besides `admin` keys, which always may. */
  approvers: z.array(keyIdSchema).optional(),
  onDenied: z.enum(["continue", "fail"]).optional(),
});
export type ApprovalPolicy = z.infer<typeof approvalPolicySchema>;

export const sessionPolicySchema = strictObject({
  persist: z.boolean(),
  ttlMs: z.int().positive(),
  maxHistoryTokens: count,
});
export type SessionPolicy = z.infer<typeof sessionPolicySchema>;

export const agentPolicySchema = strictObject({
  /** Permissions; when present, all of a tool's permissions must be covered. */
  allow: z.array(permissionSchema).optional(),
  /** Permissions; wins over every allow. */
  deny: z.array(permissionSchema).optional(),
  allowTools: z.array(toolPatternSchema).optional(),
  /** Wins over every allow. */
  denyTools: z.array(toolPatternSchema).optional(),
  maxSideEffect: sideEffectSchema.default("none"),
  maxCostEffect: costEffectSchema.default("venue_request_cost"),
  /** Without it, `live_trade` is refused whatever the ceiling says. */
  trade: tradeGuardrailsSchema.optional(),
  budget: budgetPolicySchema.optional(),
  approvals: approvalPolicySchema.optional(),
  session: sessionPolicySchema.optional(),
});
/** A policy as a person writes it. */
export type AgentPolicy = Given<z.input<typeof agentPolicySchema>>;

/** Data as somebody gives it: whether they may change it themselves is theirs to say. */
type Given<Value> = Value extends object ? { readonly [Key in keyof Value]: Given<Value[Key]> } : Value;
/** A policy as it is judged: parsed, with its defaults filled in. */
export type ParsedPolicy = z.output<typeof agentPolicySchema>;

/** Reads a policy. Anything unknown or malformed is `invalid_policy`: a policy is never taken in part. */
export function parsePolicy(value: unknown): ParsedPolicy {
  return parseAtDoor(agentPolicySchema, value, "policy", InvalidPolicyError);
}
