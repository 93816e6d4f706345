import { z } from "zod";
import { digestSchema } from "../identity/ids.ts";
import { strictObject } from "../schema/strict-object.ts";
import { capabilityIdSchema } from "./package-capability.ts";

/** Something that belongs to a package and lies beside it: the package has its digest alone. */
export const packageSidecarSchema = strictObject({
  ref: z.string().min(1).max(200),
  kind: z
    .string()
    .max(64)
    .regex(/^[a-z][a-z0-9_]*$/, "expected a kind: a lower-case word, like tool_schema"),
  digest: digestSchema,
  /** The capabilities that need it. */
  capabilityIds: z.array(capabilityIdSchema).default([]),
});
export type PackageSidecar = z.infer<typeof packageSidecarSchema>;
