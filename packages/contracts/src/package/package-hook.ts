import { z } from "zod";
import { strictObject } from "../schema/strict-object.ts";

/** Where a run asks hooks, in the order in which a step comes by. */
export const hookPoints = [
  "before_model",
  "after_model",
  "before_tool_call",
  "after_tool_call",
  "on_approval",
  "on_stop",
] as const;
export const hookPointSchema = z.enum(hookPoints, {
  error: `unknown hook point; there are: ${hookPoints.join(", ")}`,
});
export type HookPoint = z.infer<typeof hookPointSchema>;

/** Who changes comes before who says no, so that what is looked at is what would run; who only watches comes last. */
export const hookPhases = ["change", "guard", "observe"] as const;
export const hookPhaseSchema = z.enum(hookPhases);
export type HookPhase = z.infer<typeof hookPhaseSchema>;

/** A hook by its id and version; its function is registered by whoever runs the package. */
export const packageHookSchema = strictObject({
  id: z
    .string()
    .regex(
      /^[0-9A-Za-z][0-9A-Za-z._:-]{0,127}$/,
      "expected a hook's id: 1 to 128 letters, digits or . _ : -, starting with a letter or digit",
    ),
  version: z.string().min(1).max(64),
  point: hookPointSchema,
  phase: hookPhaseSchema.default("guard"),
  /** Among the hooks of one phase, lowest first. */
  order: z.int().default(0),
  /** A hook that takes longer has failed. */
  timeoutMs: z.int().positive().optional(),
  /** The sidecar it is configured by. */
  sidecarRef: z.string().min(1).max(200).optional(),
});
export type PackageHook = z.infer<typeof packageHookSchema>;
