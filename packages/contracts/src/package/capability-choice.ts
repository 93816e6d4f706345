import { z } from "zod";
import { strictObject } from "../schema/strict-object.ts";
import { capabilityKindSchema, reservedCapabilitySchema } from "./package-capability.ts";

const { capabilityId, owner } = reservedCapabilitySchema.shape;

/** Which of the tools at hand a package is built of. */
export const capabilityChoiceSchema = strictObject({
  /** Canonical names; all active tools unless given. */
  tools: z.array(z.string()).optional(),
  /** Canonical names of those that start another agent. */
  agentTools: z.array(z.string()).default([]),
  /** What is kept for somebody; also tools at hand may be reserved, and are then left out. */
  reserved: z
    .array(strictObject({ capabilityId, kind: capabilityKindSchema.default("tool"), owner }))
    .default([]),
});
/** As a person writes it. */
export type CapabilityChoice = z.input<typeof capabilityChoiceSchema>;
