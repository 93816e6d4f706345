// The long-lived agent's checkpoint has the source's snake_case keys on the wire and camelCase inside; this codec is
// the only door between the two.
import { z } from "zod";
import { InvalidInputError } from "../error/error-classes.ts";
import { parseAtDoor } from "../schema/parse-at-door.ts";
import { strictObject } from "../schema/strict-object.ts";

const texts = z.array(z.string());

export const chatMessageSchema = strictObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string(),
});
export type ChatMessage = z.infer<typeof chatMessageSchema>;

const agentStateWire = strictObject({
  goals: texts,
  open_loops: texts,
  decisions: texts,
  constraints: texts,
  episode_summary: z.string(),
  memory_tags: texts,
  memory_refs: texts,
  capabilities_granted: texts,
  capabilities_pending: texts,
}).refine((state) => !state.capabilities_pending.some((name) => state.capabilities_granted.includes(name)), {
  path: ["capabilities_pending"],
  error: "a capability that is granted cannot be pending",
});

export const checkpointWireSchema = strictObject({
  session_id: z.string().min(1),
  revision: z.int().nonnegative(),
  /** Unix time in seconds. */
  updated_ts: z.number().nonnegative(),
  state: agentStateWire,
  recent_messages: z.array(chatMessageSchema),
  trace_tail: texts.optional(),
});
export type CheckpointWire = z.infer<typeof checkpointWireSchema>;

type Camel<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Key;
type CamelKeys<Shape> = { readonly [Key in keyof Shape as Camel<Key & string>]: Shape[Key] };

export type AgentState = CamelKeys<CheckpointWire["state"]>;
export type Checkpoint = CamelKeys<Omit<CheckpointWire, "state">> & { readonly state: AgentState };

export function decodeCheckpoint(wire: unknown): Checkpoint {
  const { state, ...rest } = parseAtDoor(checkpointWireSchema, wire, "checkpoint", InvalidInputError);
  const inside = { ...renameKeys(rest, toCamel), state: Object.freeze(renameKeys(state, toCamel)) };
  return Object.freeze(inside) as Checkpoint;
}

export function encodeCheckpoint({ state, ...rest }: Checkpoint): CheckpointWire {
  const wire = { ...renameKeys(rest, toSnake), state: renameKeys(state, toSnake) };
  return parseAtDoor(checkpointWireSchema, wire, "checkpoint", InvalidInputError);
}

function renameKeys(shape: object, rename: (key: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(shape).map(([key, value]) => [rename(key), value]));
}

function toCamel(key: string): string {
  return key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function toSnake(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
