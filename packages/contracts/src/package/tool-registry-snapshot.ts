import { z } from "zod";
import { strictObject } from "../schema/strict-object.ts";
import { packageFingerprintSchema } from "./package-fingerprint.ts";
import { packageRouteSchema } from "./package-route.ts";

/** The routes of one package, sorted by name: what calls are resolved against. */
export const toolRegistrySnapshotSchema = strictObject({
  packageFingerprint: packageFingerprintSchema,
  routes: z.array(packageRouteSchema),
});
export type ToolRegistrySnapshot = z.infer<typeof toolRegistrySnapshotSchema>;
