// Tools of every class with one function behind them, that keeps what it was run with. The facts are said here once more, apart from the
// contracts that are made of them: whoever checks what has run goes by these.
import { canonicalJson, type JsonValue } from "@spfunctions/contracts";
import { defineTool, type Tool, type ToolContext } from "@spfunctions/kernel";
import { tradePointers } from "../../../kernel/test-data/tool-samples.ts";

export type Facts = {
  readonly name: string;
  readonly side: string;
  readonly cost: string;
  readonly permissions: readonly string[];
  /** Whether it is there for agents at all. */
  readonly isOpen: boolean;
  /** What a member is where it was not given. */
  readonly defaults: Readonly<Record<string, JsonValue>>;
};

/** What a tool's function saw. */
export type Execution = {
  readonly tool: string;
  /** Its input as canonical text, at the moment it began. */
  readonly text: string;
  readonly runId: string;
  readonly callId: string;
  readonly effectId: string;
  readonly idempotencyKey: string;
  readonly attempt: number;
};

type Spec = Parameters<typeof defineTool>[0];
type Given = Pick<Spec, "name" | "sideEffect" | "costEffect"> & Partial<Spec>;

const day = 86_400_000;
const strict = {
  type: "object",
  properties: { text: { type: "string" }, count: { type: "integer", default: 1 } },
  required: ["text"],
  additionalProperties: false,
} as const;

const given: readonly Given[] = [
  { name: "world.read", sideEffect: "none", costEffect: "none", permissions: ["world:read"] },
  { name: "world.search", sideEffect: "none", costEffect: "search_cost", permissions: ["world:read"] },
  {
    name: "world.inbox",
    sideEffect: "none",
    costEffect: "api_cost",
    permissions: ["user_data"],
    authRequired: true,
  },
  { name: "world.answer", sideEffect: "none", costEffect: "llm_cost" },
  { name: "world.touch", sideEffect: "auth_telemetry_write", costEffect: "none" },
  { name: "notes.write", sideEffect: "user_write", costEffect: "none" },
  {
    name: "notes.put",
    sideEffect: "user_write",
    costEffect: "none",
    permissions: ["orders:write"],
    idempotency: { type: "natural" },
  },
  {
    name: "notes.send",
    sideEffect: "user_write",
    costEffect: "api_cost",
    permissions: ["net"],
    idempotency: { type: "key", keyRetentionMs: day },
  },
  { name: "notes.strict", sideEffect: "user_write", costEffect: "none", input: strict },
  { name: "notes.pay", sideEffect: "user_write", costEffect: "llm_cost" },
  {
    name: "orders.paper",
    sideEffect: "paper_trade",
    costEffect: "venue_request_cost",
    permissions: ["orders:write"],
  },
  {
    name: "orders.place",
    sideEffect: "live_trade",
    costEffect: "venue_request_cost",
    permissions: ["orders:write"],
    trade: tradePointers,
  },
  { name: "orders.free", sideEffect: "live_trade", costEffect: "none", trade: tradePointers },
  { name: "keys.create", sideEffect: "secret", costEffect: "none", agent: { callable: false } },
  { name: "jobs.start", sideEffect: "runtime", costEffect: "none" },
  { name: "notes.hidden", sideEffect: "user_write", costEffect: "none", agent: { callable: false } },
  { name: "notes.later", sideEffect: "none", costEffect: "none", status: "deferred" },
  { name: "events.search", sideEffect: "none", costEffect: "none", status: "forbidden" },
  {
    name: "net.fetch",
    sideEffect: "none",
    costEffect: "api_cost",
    capability: { kind: "net", url: "/url" },
  },
];

/** The meta tool of the runtime itself. */
const searching: Facts = {
  name: "tools.search",
  side: "none",
  cost: "none",
  permissions: [],
  isOpen: true,
  defaults: { limit: 5 },
};

export const facts: ReadonlyMap<string, Facts> = new Map(
  [...given.map(factsOf), searching].map((one) => [one.name, one]),
);

function factsOf({ name, sideEffect, costEffect, permissions = [], input, ...rest }: Given): Facts {
  const isOpen =
    rest.agent?.callable !== false &&
    (rest.status ?? "implemented") === "implemented" &&
    rest.capability === undefined;
  const defaults = input === strict ? { count: 1 } : {};
  return { name, side: sideEffect, cost: costEffect, permissions, isOpen, defaults };
}

export const toolNames: readonly string[] = given.map(({ name }) => name);

/** Tools are costly to define, and what runs is all that differs. */
export class Deck {
  /** What a tool does with what it saw. */
  deed: (execution: Execution, context: ToolContext) => unknown = () => ({ done: true });
  readonly pack: readonly Tool[] = given.map((spec) =>
    defineTool({
      description: `Does something of the class ${spec.sideEffect} with ${spec.name.split(".")[0]}.`,
      input: { type: "object" },
      output: {},
      permissions: [],
      ...spec,
      // What nobody may call may have no agent's name either.
      agent: { callable: spec.status === undefined, ...spec.agent },
      run: (input: unknown, context: ToolContext) => this.#run(spec.name, input as JsonValue, context),
    }),
  );

  #run(tool: string, input: JsonValue, context: ToolContext): unknown {
    const { runId, callId, effectId, idempotencyKey, attempt } = context;
    const text = canonicalJson(input);
    const execution = { tool, text, runId, callId, effectId, idempotencyKey, attempt };
    return this.deed(execution, context);
  }
}
