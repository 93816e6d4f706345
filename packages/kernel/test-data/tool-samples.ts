// Specs as their authors write them, and a schema of nobody's library.
import { defineTool, type Tool, type ToolSpec } from "../src/tool/define-tool.ts";
import type { StandardSchema, ToolSchema } from "../src/tool/standard-schema.ts";

export type AnySpec = ToolSpec<string, ToolSchema, ToolSchema>;

/** A free read that takes any object. */
export function toolSpec(changes: Partial<AnySpec> = {}): AnySpec {
  return {
    name: "notes.read",
    description: "Reads a note.",
    input: { type: "object" },
    output: {},
    permissions: [],
    sideEffect: "none",
    costEffect: "none",
    run: () => null,
    ...changes,
  };
}

export function toolWith(changes: Partial<AnySpec> = {}): Tool {
  return defineTool(toolSpec(changes));
}

/** The pointers of an order, whole. */
export const tradePointers = {
  venue: "/venue",
  side: "/side",
  quantity: "/quantity",
  limitPriceCents: "/limitPriceCents",
  dryRun: "/dryRun",
  autoExecute: "/autoExecute",
  startsRuntime: "/startsRuntime",
  jurisdiction: "/jurisdiction",
  confirm: "/confirm",
} as const;

/** A live trade: every statement that a spec can make. */
export function orderSpec(changes: Partial<AnySpec> = {}): AnySpec {
  return toolSpec({
    name: "orders.place",
    title: "Place an order",
    description: "Places an order at a venue.",
    status: "implemented",
    stability: "beta",
    authRequired: true,
    access: { anonymousAllowed: false },
    permissions: ["orders:write"],
    sideEffect: "live_trade",
    costEffect: "venue_request_cost",
    risk: ["venue", "live_trade"],
    idempotency: { type: "key", keyRetentionMs: 86_400_000 },
    trade: tradePointers,
    http: { method: "POST", path: "/api/orders" },
    sdk: { package: "@spfunctions/sdk", method: "orders.place" },
    agent: { callable: true, defaultEnabled: false },
    traceEvents: ["tool.completed"],
    replay: { replayable: false },
    ...changes,
  });
}

type Validate = StandardSchema["~standard"]["validate"];

const accept: Validate = (value) => ({ value });

/** A Standard Schema made by hand: it says itself as the JSON Schema given, and checks with the function given. */
export function tinySchema(
  jsonSchema: unknown = { type: "object" },
  validate: unknown = accept,
): StandardSchema {
  const say = () => jsonSchema as Record<string, unknown>;
  return {
    "~standard": {
      version: 1,
      vendor: "tiny",
      validate: validate as Validate,
      jsonSchema: { input: say, output: say },
    },
  };
}

/** A value and everything that can be reached from it by its own keys and its prototypes, short of the language's own. */
export function reachableFrom(value: unknown, found = new Set<unknown>()): Set<unknown> {
  const isThing = (typeof value === "object" && value !== null) || typeof value === "function";
  if (!isThing || found.has(value) || value === Object.prototype || value === Array.prototype) return found;
  found.add(value);
  for (const key of Reflect.ownKeys(value)) {
    const { get, set, value: member } = Reflect.getOwnPropertyDescriptor(value, key) ?? {};
    for (const next of [get, set, member]) reachableFrom(next, found);
  }
  return reachableFrom(Object.getPrototypeOf(value), found);
}

export function freezeDeep<Value>(value: Value): Value {
  for (const part of reachableFrom(value)) Object.freeze(part);
  return value;
}
