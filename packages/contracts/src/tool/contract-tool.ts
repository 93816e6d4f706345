import { z } from "zod";
import { costEffectRank, costEffectSchema } from "../effect/cost-effect.ts";
import { type SideEffect, sideEffectSchema } from "../effect/side-effect.ts";
import { digestSchema } from "../identity/ids.ts";
import { jsonObjectSchema, jsonPointerSchema } from "../schema/json-schemas.ts";
import { strictObject } from "../schema/strict-object.ts";
import { compatNameSchema, toolNameSchema } from "./tool-name.ts";

export const toolStatusSchema = z.enum(["implemented", "deferred", "deprecated", "forbidden"]);
export type ToolStatus = z.infer<typeof toolStatusSchema>;

export const toolStabilitySchema = z.enum(["experimental", "beta", "stable"]);

/** What can go wrong with a tool, weakest first. Closed: an unknown risk is refused. */
export const risks = [
  "account_context",
  "user_data",
  "paid_upstream",
  "search",
  "llm",
  "venue",
  "state_mutation",
  "secret",
  "runtime_control",
  "paper_trade",
  "live_trade",
] as const;
export const riskSchema = z.enum(risks);
export type Risk = z.infer<typeof riskSchema>;

export const permissionSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_]*(?:[.:-][a-z0-9_]+)*$/, "expected a permission, like markets:read")
  .max(64);

/** What repeating a call does: nothing more (`natural`), nothing more under the same key (`key`), or it happens again. */
export const idempotencySchema = z.discriminatedUnion("type", [
  strictObject({ type: z.literal("natural") }),
  strictObject({ type: z.literal("key"), keyRetentionMs: z.int().positive() }),
  strictObject({ type: z.literal("none") }),
]);
export type Idempotency = z.infer<typeof idempotencySchema>;

/**
 * What `claimMs` of a platform is at least: who sends a call again after a crash counts on it.
 * @limit call.leastClaimMs | `host_configuration_needed` | fixed: every client relies on it
 */
export const leastKeyRetentionMs = 24 * 3_600_000;

/** What a tool is taken to be that does not say: repeating a read is harmless, repeating anything else is not. */
export function defaultIdempotency(sideEffect: SideEffect): Idempotency {
  return { type: sideEffect === "none" ? "natural" : "none" };
}

/** Where in the input a trade's facts stand, as JSON pointers. */
export const tradePointersSchema = strictObject({
  venue: jsonPointerSchema,
  side: jsonPointerSchema,
  quantity: jsonPointerSchema,
  limitPriceCents: jsonPointerSchema.optional(),
  dryRun: jsonPointerSchema,
  autoExecute: jsonPointerSchema.optional(),
  startsRuntime: jsonPointerSchema.optional(),
  jurisdiction: jsonPointerSchema.optional(),
  confirm: jsonPointerSchema.optional(),
});
export type TradePointers = z.infer<typeof tradePointersSchema>;

/**
 * A tool's title.
 * @limit tool.titleChars | `invalid_manifest` | fixed: it stands in lists
 */
const maxTitleChars = 120;

/**
 * A tool's description.
 * @limit tool.descriptionChars | `invalid_manifest` | fixed: a model reads it with every step
 */
const maxDescriptionChars = 4000;

const toolFields = {
  name: toolNameSchema,
  compatName: compatNameSchema,
  title: z.string().min(1).max(maxTitleChars),
  description: z.string().min(1).max(maxDescriptionChars),
  status: toolStatusSchema,
  stability: toolStabilitySchema,
  authRequired: z.boolean(),
  access: strictObject({
    anonymousAllowed: z.boolean({ error: "a tool states access.anonymousAllowed: true or false" }),
  }),
  permissions: z.array(permissionSchema),
  sideEffect: sideEffectSchema,
  costEffect: costEffectSchema,
  risk: z.array(riskSchema),
  idempotency: idempotencySchema,
  /** JSON Schema 2020-12, as is the output; the kernel compiles them. */
  input: jsonObjectSchema,
  output: jsonObjectSchema,
  capability: strictObject({ kind: z.literal("net"), url: jsonPointerSchema }).optional(),
  trade: tradePointersSchema.optional(),
  http: strictObject({
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
    path: z
      .string()
      .regex(
        /^\/api\/[A-Za-z0-9_{}/-]+$/,
        "expected a path under /api/, of letters, digits, _ and -, with parameters as in {article}",
      ),
  }).optional(),
  sdk: strictObject({ package: z.string().min(1), method: z.string().min(1) }).optional(),
  agent: strictObject({ callable: z.boolean(), defaultEnabled: z.boolean(), name: toolNameSchema }),
  traceEvents: z.array(z.string().min(1)),
  replay: strictObject({ replayable: z.boolean(), match: z.literal("tool+inputHash") }),
};

/** A tool's contract as its author states it. */
export const toolDefinitionSchema = strictObject(toolFields);
export type ToolDefinition = z.infer<typeof toolDefinitionSchema>;

/** A tool's contract with its identity: a tool is its name and its digest. */
export const contractToolSchema = strictObject({ ...toolFields, digest: digestSchema });
export type ContractTool = z.infer<typeof contractToolSchema>;

/** Only an implemented tool can be called by anybody. */
export function isActive(tool: Pick<ContractTool, "status">): boolean {
  return tool.status === "implemented";
}

/** Whether a tool hands out data of one account's people: declared as a risk or as a permission. */
export function readsUserData(tool: Pick<ContractTool, "risk" | "permissions">): boolean {
  return tool.risk.includes("user_data") || tool.permissions.includes("user_data");
}

/**
 * J1: whether a call changes nothing and costs an API request at most: it is one record, and sent again without a key it does no harm.
 * Everything else says first what it is about to do.
 */
export function isFreeRead({
  sideEffect,
  costEffect,
}: Pick<ContractTool, "sideEffect" | "costEffect">): boolean {
  return sideEffect === "none" && costEffectRank(costEffect) <= costEffectRank("api_cost");
}

/** Whether a plain SDK call needs a key. An agent's live call always does. */
export function requiresIdentity(
  tool: Pick<ContractTool, "access" | "authRequired" | "sideEffect" | "costEffect" | "risk" | "permissions">,
): boolean {
  const free =
    tool.access.anonymousAllowed &&
    !tool.authRequired &&
    tool.sideEffect === "none" &&
    tool.costEffect === "none" &&
    !readsUserData(tool);
  return !free;
}
