import { z } from "zod";
import { costEffectSchema } from "../effect/cost-effect.ts";
import { sideEffectSchema } from "../effect/side-effect.ts";
import { InvalidPolicyError } from "../error/error-classes.ts";
import { keyIdSchema } from "../identity/ids.ts";
import { snapshotWholeJson } from "../json/canonical-json.ts";
import { parseAtDoor } from "../schema/parse-at-door.ts";
import { strictObject } from "../schema/strict-object.ts";
import { permissionSchema } from "../tool/contract-tool.ts";
import { toolPatternSchema } from "../tool/tool-name.ts";
import { tradeGuardrailsSchema } from "./trade-guardrails.ts";

const count = z.int().nonnegative();

/**
 * What a run may use up. Of several levels the least counts. A direct call is a run of one call: `maxWallMs` bounds it, a `maxToolCalls` or
 * `maxSteps` of 0 stops it, and nothing else here does; no count goes on from one call to the next. The rest bounds runs that a model drives.
 */
export const budgetPolicySchema = strictObject({
  /**
   * Answers of a model. One that fails is asked again, up to `runLimits.modelAttempts` times in a row, 3 unless given: that is no further step, and what
   * each attempt costs counts by the other limits. Left out: as often as it takes.
   */
  maxSteps: count.optional(),
  /** Calls of tools that run. Left out: as many as are made. */
  maxToolCalls: count.optional(),
  /** Tokens, of what models are given and answer. Left out: as many as it takes. */
  maxTokens: count.optional(),
  /** Milliseconds that a run is driven, or a direct call takes; waiting for a person does not count. Left out: without an end. */
  maxWallMs: count.optional(),
  /** Dollars that models cost, as their prices have it; what tools cost is not counted. Left out: without an end. */
  budgetUsd: z.number().nonnegative().optional(),
  /** Runs that it may start, and those that these start. Left out in the policy of a host or a server: 1; in any other it does not count. */
  maxChildren: count.optional(),
  /** How deep below it they may stand. Left out in the policy of a host or a server: 1; in any other it does not count. */
  maxDepth: count.optional(),
});
export type BudgetPolicy = z.infer<typeof budgetPolicySchema>;

/** When a person must approve a call, and who may. Of several levels the strictest counts. */
export const approvalPolicySchema = strictObject({
  /** A call with this side effect or one of a higher rank is asked about. Left out: no side effect is. */
  requireForSideEffectAtOrAbove: sideEffectSchema.optional(),
  /** A call with this cost or one of a higher rank is asked about. Left out: no cost is. */
  requireForCostEffectAtOrAbove: costEffectSchema.optional(),
  /**
   * Milliseconds that a question waits, and that a yes holds. Left out in the policy of a host or a server: `approvalMs`, an hour; in any other it does
   * not count.
   */
  ttlMs: z.int().positive().optional(),
  /** Key ids that may answer besides `admin` keys, which always may. Left out: nobody else. */
  approvers: z.array(keyIdSchema).optional(),
  /** What becomes of a run whose call was denied: its model is told, or the run fails. Left out: `continue`. */
  onDenied: z.enum(["continue", "fail"]).optional(),
});
export type ApprovalPolicy = z.infer<typeof approvalPolicySchema>;

/** What runs of one session know of each other. Of several levels the strictest counts. */
export const sessionPolicySchema = strictObject({
  /** Whether another process may go on with it. */
  persist: z.boolean(),
  /** Milliseconds after the end of its last run in which it can go on. */
  ttlMs: z.int().positive(),
  /** Tokens that a model is shown; what was said before is condensed to fit. */
  maxHistoryTokens: count,
});
export type SessionPolicy = z.infer<typeof sessionPolicySchema>;

/** What a person allows. Every level that a call is judged under must pass; none of them widens another. */
export const agentPolicySchema = strictObject({
  /** Permissions; when present, all of a tool's permissions must be covered. Left out: every permission. */
  allow: z.array(permissionSchema).optional(),
  /** Permissions; wins over every allow. Left out: none is denied. */
  deny: z.array(permissionSchema).optional(),
  /** Names of tools, or `world.*`. `secret` and `runtime` below the ceiling need a full name here. Left out: every tool. */
  allowTools: z.array(toolPatternSchema).optional(),
  /** Names of tools, or `world.*`; wins over every allow. Left out: none is denied. */
  denyTools: z.array(toolPatternSchema).optional(),
  /** The highest side effect that a call may have. */
  maxSideEffect: sideEffectSchema.default("none"),
  /** The highest cost that a call may have. */
  maxCostEffect: costEffectSchema.default("venue_request_cost"),
  /** What live trades must stay within. Left out: `live_trade` is refused whatever the ceiling says. */
  trade: tradeGuardrailsSchema.optional(),
  /** What a run may use up. Left out: nothing but children is bounded, and the model-backed runtime does not start. */
  budget: budgetPolicySchema.optional(),
  /** When a person must approve. Left out: never by this level. */
  approvals: approvalPolicySchema.optional(),
  /** What runs of a session know of each other. Left out: nothing, and the model-backed runtime does not start. */
  session: sessionPolicySchema.optional(),
});
/** A policy as a person writes it. */
export type AgentPolicy = Given<z.input<typeof agentPolicySchema>>;

/** Data as somebody gives it: whether they may change it themselves is theirs to say. */
type Given<Value> = Value extends object ? { readonly [Key in keyof Value]: Given<Value[Key]> } : Value;
/** A policy as it is judged: parsed, with its defaults filled in. */
export type ParsedPolicy = z.output<typeof agentPolicySchema>;

/** Reads a policy. Anything unknown, malformed or hidden is `invalid_policy`: a policy is never taken in part. */
export function parsePolicy(value: unknown): ParsedPolicy {
  return parseAtDoor(agentPolicySchema, value, "policy", InvalidPolicyError, snapshotWholeJson);
}
