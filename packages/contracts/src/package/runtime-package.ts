// S1: a package is kept and shown, so its policies are kept ones: the word that confirms an order is in none of them.
import { z } from "zod";
import { agentIdSchema, timestampSchema } from "../identity/ids.ts";
import { agentPolicySchema } from "../policy/agent-policy.ts";
import { hostRuleNameSchema } from "../policy/host-rule.ts";
import { isKeptWord } from "../policy/kept-word.ts";
import { policyLevelNameSchema } from "../policy/policy-levels.ts";
import { jsonObjectSchema } from "../schema/json-schemas.ts";
import { strictObject } from "../schema/strict-object.ts";
import { packageCapabilitySchema } from "./package-capability.ts";
import { packageFingerprintSchema } from "./package-fingerprint.ts";
import { packageHookSchema } from "./package-hook.ts";
import { packageRouteSchema } from "./package-route.ts";
import { packageSidecarSchema } from "./package-sidecar.ts";
import { toolExecutionStrategySchema } from "./tool-execution-strategy.ts";

/** Which model is asked, by which adapter. */
export const providerRouteSchema = strictObject({
  /** The adapter's name. */
  routeId: z.string().min(1).max(128).optional(),
  model: z.string().min(1).max(128),
  maxOutputTokens: z.int().positive().optional(),
});
export type ProviderRoute = z.infer<typeof providerRouteSchema>;

const keptLevelSchema = strictObject({ level: policyLevelNameSchema, policy: agentPolicySchema }).refine(
  ({ policy }) => policy.trade?.confirmToken === undefined || isKeptWord(policy.trade.confirmToken),
  {
    error: "expected the keyed hash of the word that confirms an order; pass the levels through keptLevels",
    path: ["policy", "trade", "confirmToken"],
  },
);

const content = {
  v: z.literal(1, { error: "expected version 1 of a runtime package; this one is not understood here" }),
  agentId: agentIdSchema,
  provider: providerRouteSchema.optional(),
  capabilities: z.array(packageCapabilitySchema),
  toolRoutes: z.array(packageRouteSchema),
  /** A list and no set: a policy's digest is over the whole of it, in order. */
  policies: z.array(keptLevelSchema),
  /** The host's own rules, sorted by id. Absent where there are none with an id and a version. */
  rules: z.array(hostRuleNameSchema).min(1).optional(),
  hooks: z.array(packageHookSchema),
  sidecars: z.array(packageSidecarSchema),
  /** JSON Schema 2020-12 of what a run must answer with, where that is not text. */
  outputContract: jsonObjectSchema.optional(),
  strategy: toolExecutionStrategySchema,
};

/** What may differ between two packages that are the same. */
export const packageVolatileSchema = strictObject({
  createdAt: timestampSchema,
  labels: z.record(z.string().min(1).max(64), z.string().max(256)).default({}),
});
export type PackageVolatile = z.infer<typeof packageVolatileSchema>;

/** A package that nobody has fingerprinted yet. */
export const packageDraftSchema = strictObject({ ...content, volatile: packageVolatileSchema });
export type PackageDraft = z.infer<typeof packageDraftSchema>;

/** What the fingerprint is over. */
export type PackageContent = Omit<PackageDraft, "volatile">;

/** All that a run is bound to, frozen before it starts: plain data, with nothing in it that could run. */
export const runtimePackageSchema = strictObject({
  ...content,
  fingerprint: packageFingerprintSchema,
  volatile: packageVolatileSchema,
});
export type RuntimePackage = z.infer<typeof runtimePackageSchema>;
