import { z } from "zod";
import { timestampSchema } from "../identity/ids.ts";
import { strictObject } from "../schema/strict-object.ts";
import { contractToolSchema } from "../tool/contract-tool.ts";
import { capabilityIdSchema } from "./package-capability.ts";
import { packageFingerprintSchema } from "./package-fingerprint.ts";
import { packageSidecarSchema } from "./package-sidecar.ts";

export const packageChangeSchema = z.discriminatedUnion("type", [
  /** Gives a reserved capability its contract, and with it a route. */
  strictObject({
    type: z.literal("activate_capability"),
    capabilityId: capabilityIdSchema,
    contract: contractToolSchema,
  }),
  /** Takes an active capability out, and its route with it. */
  strictObject({ type: z.literal("deactivate_capability"), capabilityId: capabilityIdSchema }),
  strictObject({ type: z.literal("add_sidecar"), sidecar: packageSidecarSchema }),
]);
export type PackageChange = z.infer<typeof packageChangeSchema>;

/** What makes the next package of one; the policies that it is judged under are no part of it (G3). */
export const packageDeltaSchema = strictObject({
  /** The package it is meant for: a delta that was made for another one is refused. */
  previousFingerprint: packageFingerprintSchema,
  reason: z.string().min(1).max(500),
  createdAt: timestampSchema,
  changes: z.array(packageChangeSchema).min(1, "a delta has at least one change"),
});
export type PackageDelta = z.infer<typeof packageDeltaSchema>;
