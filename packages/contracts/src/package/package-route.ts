import { z } from "zod";
import { sideEffectSchema } from "../effect/side-effect.ts";
import { digestSchema } from "../identity/ids.ts";
import { strictObject } from "../schema/strict-object.ts";
import { risks } from "../tool/contract-tool.ts";
import { toolNameSchema } from "../tool/tool-name.ts";
import { capabilityIdSchema } from "./package-capability.ts";

/** The highest of a tool's risks. `none` is a word of its own: declaring nothing is not the same as the weakest risk. */
export const riskClassSchema = z.enum(["none", ...risks]);
export type RiskClass = z.infer<typeof riskClassSchema>;

/** Who may see what a tool takes and gives, widest first. */
export const privacyClassSchema = z.enum(["public", "internal", "private", "secret"]);
export type PrivacyClass = z.infer<typeof privacyClassSchema>;

/** How long what a tool takes and gives may be kept, shortest first. */
export const retentionClassSchema = z.enum(["ephemeral", "run_scoped", "session_scoped", "durable"]);
export type RetentionClass = z.infer<typeof retentionClassSchema>;

/** Where a call goes: to a function of this process, to a place of the platform's, or out to an address in its input. */
export const routeDestinationSchema = z.enum(["process", "platform", "net"]);
export type RouteDestination = z.infer<typeof routeDestinationSchema>;

export const executorRefSchema = z
  .string()
  .regex(
    /^[a-z][a-z0-9_.]*@sha256:[0-9a-f]{64}$/,
    "expected an executor's ref: a pack, @ and the tool's digest",
  );

/** How calls of one tool are led in a runtime package. Derived from the tool's contract: it restates nothing. */
export const packageRouteSchema = strictObject({
  capabilityId: capabilityIdSchema,
  canonicalToolName: toolNameSchema,
  namespace: z.string().min(1),
  /** The pack that states the tool. */
  source: z.string().min(1),
  destination: routeDestinationSchema,
  executorRef: executorRefSchema,
  /** Digests of policies: of the whole list, and of each level alone. */
  policyRefs: z.array(digestSchema),
  /** The package's sidecars that this tool needs. */
  sidecarRefs: z.array(z.string().min(1)),
  effectClass: sideEffectSchema,
  riskClass: riskClassSchema,
  privacy: privacyClassSchema,
  retention: retentionClassSchema,
});
export type PackageRoute = z.infer<typeof packageRouteSchema>;
