// A subagent is a tool like any other: what a model gives it is a task, and what comes back is what a child has come to. Who may start
// one, with what and how often is the judge's to say, and what a child may do is less than its parent.
import {
  type AgentPolicy,
  type BudgetPolicy,
  type ChildMode,
  type Digest,
  everySubschema,
  hashInput,
  HostConfigurationNeededError,
  isJsonObject,
  type JsonObject,
  mapSubschemas,
  type ParsedPolicy,
  parseAtDoor,
  parsePolicy,
  type PolicyRef,
  policyRefSchema,
  refuseUnknown,
  snapshotJson,
  type SubagentRoutePolicy,
  type SubagentToolPolicy,
  subagentRoutePolicySchema,
  subagentToolPolicySchema,
} from "@spfunctions/contracts";
import { capabilityIdOf } from "../package/derive-routes.ts";
import { passMillisecond } from "../time/pass-millisecond.ts";
import { defineTool, type Tool } from "../tool/define-tool.ts";
import { jsonSchemaOf } from "../tool/json-schema-of.ts";
import type { InputOf, ToolSchema } from "../tool/standard-schema.ts";
import { isControlName } from "./control-names.ts";

/** What of its parent's history a child is told, by what its parent has when it starts one. */
export type SubagentHandoff =
  | { readonly type: "none" }
  /** Its parent's model says in its own words what was said before. */
  | { readonly type: "summary_only"; readonly maxTokens: number; readonly policyRef?: PolicyRef }
  /** What these tools have answered in its parent's run. */
  | { readonly type: "selected_refs"; readonly results: readonly string[]; readonly policyRef?: PolicyRef }
  | {
      readonly type: "full_history_with_policy";
      readonly projectionAuditRequired: true;
      readonly policyRef?: PolicyRef;
    };

export type SubagentSpec<Output extends ToolSchema = ToolSchema> = {
  /** A canonical name, or one word, which becomes `subagent.<word>`. */
  readonly name: string;
  /** What it is for: its model is told first. */
  readonly objective: string;
  /** What its parent's model is told of it; the objective unless given. */
  readonly description?: string | undefined;
  /** Which of its parent's tools it keeps: canonical names, or a policy; those that change nothing unless given. */
  readonly tools?: SubagentToolPolicy["type"] | readonly string[] | SubagentToolPolicy | undefined;
  /** What of its parent's history it is told: nothing unless given. */
  readonly handoff?: SubagentHandoff | "none" | undefined;
  /** Which model drives it: its parent's unless given. */
  readonly route?: SubagentRoutePolicy | undefined;
  /** What it may use up of what its parent has left. */
  readonly budget?: BudgetPolicy | undefined;
  /** One policy more, for it alone: it can only forbid. */
  readonly policy?: AgentPolicy | undefined;
  /** What it must answer with; a text unless given. */
  readonly output?: Output | undefined;
  /** Whether the call waits for what it comes to, as unless given, or goes on and its model is told later. */
  readonly mode?: ChildMode | undefined;
  /** Whether it may ask its parent's model something. */
  readonly mayAsk?: boolean | undefined;
};

/** What is known of a subagent besides its tool's contract: plain data, sealed into its parent's package. */
export type SubagentPlan = {
  readonly name: string;
  readonly objective: string;
  readonly tools: SubagentToolPolicy;
  readonly handoff: SubagentHandoff;
  readonly route: SubagentRoutePolicy;
  readonly budget: BudgetPolicy;
  readonly policy?: ParsedPolicy | undefined;
  readonly output?: JsonObject | undefined;
  readonly mode: ChildMode;
  readonly mayAsk: boolean;
};

/** What is given to a child to do. */
export type ChildTask = {
  readonly task: string;
  /** Facts for it, as data. */
  readonly data?: JsonObject | undefined;
  /** With `summary_only`: what was said before, in its parent's words. */
  readonly summary?: string | undefined;
};

/** What a call of a subagent comes to. */
export type SubagentOutput<Output = unknown> = {
  /** The child's run. */
  readonly run: string;
  /** `started`: it goes on in the background. `detached`: it goes on without this run. */
  readonly status: "completed" | "asks" | "started" | "detached";
  readonly output?: Output;
  readonly question?: string;
};

const plans = new WeakMap<object, SubagentPlan>();

/** What is behind a tool, where that is a subagent. */
export function subagentPlan(tool: object): SubagentPlan | undefined {
  return plans.get(tool);
}

/**
 * Makes a tool of a subagent, to be given to a runtime with the others.
 * @example subagent({ name: "researcher", objective: "Find what was decided, and why.", tools: ["minutes.search"] })
 */
export function subagent<const Output extends ToolSchema = ToolSchema>(
  spec: SubagentSpec<Output>,
): Tool<string, ChildTask, SubagentOutput<InputOf<Output>>> {
  const plan = readSpec(spec);
  const tool = subagentTool(plan, spec.description);
  plans.set(tool, plan);
  return tool as never;
}

/** The tool of a plan, as it is judged: what is behind it is bound where the runs are that start children. */
export function subagentTool(plan: SubagentPlan, description: string = plan.objective): Tool {
  return defineTool({
    name: plan.name,
    description: `A subagent. ${description}`,
    input: inputOf(plan),
    output: outputOf(plan.output),
    permissions: ["subagent:start"],
    sideEffect: "none",
    costEffect: "llm_cost",
    run: () => {
      throw new HostConfigurationNeededError(
        `${plan.name} is a subagent: a run that a model drives can start it, and nobody else`,
        { details: { tool: plan.name, reason: "no_run" } },
      );
    },
  });
}

/** What tells this subagent from one of the same name that does something else. */
export function planDigest(plan: SubagentPlan): Digest {
  return hashInput(plan);
}

const specNames = `name objective description tools handoff route budget policy output mode mayAsk`.split(
  " ",
);

function readSpec(spec: SubagentSpec): SubagentPlan {
  if (typeof spec === "object" && spec !== null && Object.hasOwn(spec, "model"))
    throw refused(spec.name, "/model", "its model is its parent's, or one that its route names; give route");
  refuseUnknown(spec, specNames, "option of a subagent");
  const {
    name,
    objective,
    mode = "wait",
    mayAsk = false,
    route = { type: "inherit_parent" },
    budget = {},
  } = spec;
  const canonical = typeof name === "string" && !name.includes(".") ? `subagent.${name}` : name;
  if (typeof canonical === "string" && isControlName(canonical))
    throw refused(canonical, "/name", "subagents are directed by this name; take another");
  if (typeof objective !== "string" || objective.trim() === "")
    throw refused(canonical, "/objective", "its objective is a text that says what it is for");
  if (mode !== "wait" && mode !== "background")
    throw refused(canonical, "/mode", "its mode is wait or background");
  const policy = spec.policy && parsePolicy(spec.policy);
  const output = spec.output && jsonSchemaOf(spec.output, "input", canonical, passMillisecond);
  if (output !== undefined) requirePlaceable(canonical, output);
  return Object.freeze({
    name: canonical,
    objective,
    tools: toolPolicyOf(canonical, spec.tools),
    handoff: handoffOf(canonical, spec.handoff),
    route: read(subagentRoutePolicySchema, route, `${canonical}: route`),
    budget: parsePolicy({ budget: copy(budget) }).budget ?? {},
    ...(policy && { policy }),
    ...(output && { output }),
    mode,
    mayAsk,
  });
}

const dataless = ["inherit_allowlist", "read_only", "no_tools"] as const;

function toolPolicyOf(name: string, given: SubagentSpec["tools"] = "read_only"): SubagentToolPolicy {
  if (Array.isArray(given))
    return {
      type: "custom_allowlist",
      capabilityIds: given.map((tool: string) => capabilityIdOf({ name: tool })),
    };
  if (typeof given !== "string") return read(subagentToolPolicySchema, given, `${name}: tools`);
  const type = dataless.find((one) => one === given);
  if (type !== undefined) return { type };
  throw refused(name, "/tools", `its tools are canonical names, or one of ${dataless.join(", ")}`);
}

const handoffs = ["none", "summary_only", "selected_refs", "full_history_with_policy"];

function handoffOf(name: string, given: SubagentSpec["handoff"] = "none"): SubagentHandoff {
  const handoff: SubagentHandoff = given === "none" ? { type: "none" } : copy(given);
  if (!handoffs.includes(handoff.type))
    throw refused(name, "/handoff/type", `its handoff is one of ${handoffs.join(", ")}`);
  if (handoff.type === "selected_refs" && !(Array.isArray(handoff.results) && handoff.results.length > 0))
    throw refused(name, "/handoff/results", "selected_refs names the tools whose answers are handed over");
  if (handoff.type === "summary_only" && !(Number.isSafeInteger(handoff.maxTokens) && handoff.maxTokens > 0))
    throw refused(name, "/handoff/maxTokens", "summary handoff requires a positive token budget");
  if (handoff.type === "full_history_with_policy" && !handoff.projectionAuditRequired)
    throw refused(
      name,
      "/handoff/projectionAuditRequired",
      "full history handoff requires a projection audit",
    );
  if (handoff.type !== "none" && handoff.policyRef !== undefined) requirePolicy(name, handoff.policyRef);
  return handoff;
}

/** No child could start by one that only the host knows. */
function requirePolicy(name: string, given: PolicyRef): void {
  const { kind } = read(policyRefSchema, given, `${name}: policyRef`);
  if (kind === "host")
    throw refused(
      name,
      "/handoff/policyRef",
      "its handoff needs a policy by name, and not one of the host's own",
    );
}

/** The policy of a handoff that names none is this subagent's own. */
export function handoffPolicyRef({ name, handoff }: SubagentPlan): PolicyRef {
  const own = { kind: "handoff", ref: `policy.handoff.${name}` } as const;
  return handoff.type === "none" ? own : (handoff.policyRef ?? own);
}

function copy<Value>(given: Value): Value {
  return snapshotJson(given) as Value;
}

function read<Schema extends Parameters<typeof parseAtDoor>[0]>(
  schema: Schema,
  given: unknown,
  what: string,
): ReturnType<typeof parseAtDoor<Schema>> {
  return parseAtDoor(schema, given, `subagent ${what}`, HostConfigurationNeededError);
}

/**
 * What a child is told at once: its task, a message, an answer.
 * @limit child.messageChars | `invalid_input` | fixed: part of the contracts of the tools that tell it
 */
const maxMessageChars = 50_000;
export const toldText = { type: "string", minLength: 1, maxLength: maxMessageChars } as const;

function inputOf({ handoff }: SubagentPlan): JsonObject {
  const isSummary = handoff.type === "summary_only";
  return {
    type: "object",
    properties: {
      task: { ...toldText, description: "What it is to do, with everything that it has to know." },
      data: { type: "object", description: "Facts for it, as data." },
      ...(isSummary && { summary: { ...toldText, description: "What was said before, in your own words." } }),
    },
    required: isSummary ? ["task", "summary"] : ["task"],
    additionalProperties: false,
  };
}

/** What a call of a subagent comes to, of whatever it answers. */
export function outputOf(answer: JsonObject = { type: "string" }): JsonObject {
  const { $schema: _, ...schema } = answer;
  return {
    type: "object",
    properties: {
      run: { type: "string", "x-sf-public": true },
      status: { enum: ["completed", "asks", "started", "detached"] },
      output: placedAt("#/properties/output", schema),
      question: { type: "string" },
    },
    required: ["run", "status"],
    additionalProperties: false,
  };
}

/** The same schema at a place in another: what it refers to by where it stands in it is found there. */
function placedAt(place: string, schema: JsonObject): JsonObject {
  const { $ref, ...rest } = mapSubschemas(schema, (child) =>
    isJsonObject(child) ? placedAt(place, child) : child,
  );
  return typeof $ref === "string" ? { $ref: `${place}${$ref.slice(1)}`, ...rest } : rest;
}

const namingWords = [
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$dynamicRef",
  "$recursiveAnchor",
  "$recursiveRef",
] as const;

/** What has a name of its own, or refers to one, would be another thing inside another schema. */
function requirePlaceable(name: string, output: JsonObject): void {
  everySubschema(output, (schema) => {
    const word = namingWords.find((one) => Object.hasOwn(schema, one));
    const { $ref = "#" } = schema;
    const isLocal = $ref === "#" || (typeof $ref === "string" && $ref.startsWith("#/"));
    if (word !== undefined || !isLocal)
      throw refused(
        name,
        "/output",
        `its output refers to something by name (${word ?? "$ref"}); refer to what is in it by where it stands, as in {"$ref":"#/$defs/…"}`,
      );
  });
}

function refused(name: unknown, path: string, why: string): HostConfigurationNeededError {
  return new HostConfigurationNeededError(`subagent ${String(name)}: ${why}`, {
    details: { path, reason: "bad_subagent" },
  });
}
