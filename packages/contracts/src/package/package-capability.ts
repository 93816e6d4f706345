import { z } from "zod";
import { strictObject } from "../schema/strict-object.ts";
import { contractToolSchema } from "../tool/contract-tool.ts";

export const capabilityIdSchema = z
  .string()
  .max(72)
  .regex(
    /^tool(?:\.[a-z][a-z0-9_]*)+$/,
    "expected a capability's id: tool. and a canonical tool name, like tool.world.read",
  );

/** `agent_as_tool`: calling it starts another agent, which no child is given. */
export const capabilityKindSchema = z.enum(["tool", "agent_as_tool"]);
export type CapabilityKind = z.infer<typeof capabilityKindSchema>;

const named = { capabilityId: capabilityIdSchema, kind: capabilityKindSchema };

/** Something a run can use: its whole contract, from which its route and what a model is shown are derived. */
export const activeCapabilitySchema = strictObject({
  type: z.literal("active"),
  ...named,
  contract: contractToolSchema,
});
export type ActiveCapability = z.infer<typeof activeCapabilitySchema>;

/** A name that is kept for its owner. There is no place in it for anything that could be shown or run. */
export const reservedCapabilitySchema = strictObject({
  type: z.literal("reserved"),
  ...named,
  owner: z.string().min(1).max(128),
});
export type ReservedCapability = z.infer<typeof reservedCapabilitySchema>;

export const packageCapabilitySchema = z.discriminatedUnion("type", [
  activeCapabilitySchema,
  reservedCapabilitySchema,
]);
export type PackageCapability = z.infer<typeof packageCapabilitySchema>;
