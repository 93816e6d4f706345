// Tools of every kind that matters to a call, with one function behind all of them, and what it was called with.
import { canonicalJson, type JsonValue } from "@spfunctions/contracts";
import type { ToolContext } from "../src/call/executors.ts";
import { defineTool, type Tool, type ToolSpec } from "../src/tool/define-tool.ts";
import type { ToolSchema } from "../src/tool/standard-schema.ts";

export type AnySpec = ToolSpec<string, ToolSchema, ToolSchema>;
export type Deed = (input: JsonValue, context: ToolContext, tool: string) => unknown;
export type Run = {
  readonly tool: string;
  /** What the function got, as canonical text at the moment it began. */
  readonly text: string;
  readonly attempt: number;
  readonly idempotencyKey: string;
};

const day = 24 * 3_600_000;

const strictInput = {
  type: "object",
  properties: { text: { type: "string" }, count: { type: "integer", default: 1 } },
  required: ["text"],
  additionalProperties: false,
};
/** Its secrets are declared: no person has to look at a call for them. */
const keyedInput = {
  type: "object",
  properties: {
    apiKey: { type: "string", "x-sf-secret": true },
    password: { type: "string", "x-sf-secret": true },
  },
};
const strictOutput = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };

/** `none` unless said: a name, what it changes and costs, and what repeating it does. */
const kinds: readonly (Partial<AnySpec> & { readonly name: string })[] = [
  { name: "notes.read" },
  { name: "notes.once", replay: { replayable: false } },
  { name: "notes.search", costEffect: "search_cost" },
  { name: "notes.write", sideEffect: "user_write" },
  { name: "notes.pay", sideEffect: "user_write", costEffect: "llm_cost" },
  { name: "notes.put", sideEffect: "user_write", idempotency: { type: "natural" } },
  { name: "notes.send", sideEffect: "user_write", idempotency: { type: "key", keyRetentionMs: day } },
  { name: "notes.sign", sideEffect: "user_write", input: keyedInput },
  { name: "notes.strict", sideEffect: "user_write", input: strictInput, output: strictOutput },
];

/** Tools, and one function behind them. */
export class Deck {
  readonly runs: Run[] = [];
  /** How often a tool was asked what became of an effect. */
  readonly asked: Run[] = [];
  deed: Deed;
  reconcile: Deed = () => ({ status: "unknown" });
  readonly tools: readonly Tool[];

  constructor(
    deed: Deed = () => ({ done: true }),
    more: readonly (Partial<AnySpec> & { name: string })[] = [],
  ) {
    this.deed = deed;
    const asking = {
      name: "notes.check",
      sideEffect: "user_write",
      reconcile: (input: unknown, context: ToolContext) => {
        this.asked.push(runOf("notes.check", input as JsonValue, context));
        return this.reconcile(input as JsonValue, context, "notes.check") as never;
      },
    } as const;
    this.tools = [...kinds, asking, ...more].map((spec) => this.tool(spec));
  }

  /** A tool more, with the same function behind it. */
  tool(spec: Partial<AnySpec> & { readonly name: string }): Tool {
    return defineTool({
      description: "Does something with notes.",
      input: { type: "object" },
      output: {},
      permissions: ["notes"],
      sideEffect: "none",
      costEffect: "none",
      ...spec,
      run: (input, context) => {
        this.runs.push(runOf(spec.name, input as JsonValue, context));
        return this.deed(input as JsonValue, context, spec.name);
      },
    });
  }

  /** The inputs that a tool's function got. */
  inputsOf(tool: string): string[] {
    return this.runs.filter((run) => run.tool === tool).map(({ text }) => text);
  }
}

let shared: Deck | undefined;

/** The deck that most tests use one after the other: tools are costly to define, and what runs is all that differs. */
export function sharedDeck(deed: Deed = () => ({ done: true })): Deck {
  shared ??= new Deck();
  shared.runs.length = 0;
  shared.asked.length = 0;
  shared.deed = deed;
  shared.reconcile = () => ({ status: "unknown" });
  return shared;
}

function runOf(tool: string, input: JsonValue, { attempt, idempotencyKey }: ToolContext): Run {
  return { tool, text: canonicalJson(input), attempt, idempotencyKey };
}
