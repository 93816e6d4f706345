import {
  HostConfigurationNeededError,
  InvalidInputError,
  MissingApiKeyError,
  parseAtDoor,
  type ParsedPolicy,
  type Principal,
  givenPrincipalSchema,
  refuseUnknown,
} from "@spfunctions/contracts";
import {
  createMemoryStore,
  keepHostRules,
  type ModelAdapter,
  type Pack,
  requireParts,
  type RunHook,
  type Store,
  subagentPlan,
  type TraceStore,
  usualCandidates,
} from "@spfunctions/kernel";
import { isTraceSource, type TraceSource } from "../trace/trace-source.ts";
import { callerOf } from "../platform/caller.ts";
import { bad } from "../given-options.ts";
import { agentPolicy } from "./run-levels.ts";
import { hooksOf } from "./runtime-hooks.ts";
import type {
  RuntimeMode,
  RuntimeToolSelectionMode,
  RuntimeToolSelectionPolicy,
  SimpleFunctionsRuntimeOptions,
} from "./runtime-options.ts";

type Kept = Pick<
  SimpleFunctionsRuntimeOptions,
  | "client"
  | "packs"
  | "installation"
  | "trace"
  | "traces"
  | "sessionStore"
  | "onHookFailure"
  | "instructions"
  | "prices"
  | "routes"
  | "maxOutputTokens"
  | "countTokens"
  | "strategy"
  | "rules"
  | "evaluatePreTool"
  | "evaluatePostTool"
  | "network"
  | "limits"
  | "runLimits"
  | "clock"
  | "ids"
>;

/** What a runtime is made with. */
export type ReadRuntimeOptions = Omit<Kept, "trace"> & {
  readonly mode: RuntimeMode;
  readonly policy: ParsedPolicy;
  readonly principal: Principal;
  readonly store: Store;
  readonly hooks: readonly RunHook[];
  readonly agentId: string;
  readonly tools: RuntimeToolSelectionPolicy;
  /** Nothing where traces answer for it. */
  readonly model: ModelAdapter | undefined;
  /** With mode `replayOnly`, and with no other. */
  readonly replay?: readonly TraceSource[];
  /** Where traces of its own runs are kept. */
  readonly trace?: TraceStore | undefined;
};

const known =
  `client packs model routes policy principal store installation trace traces tools sessionStore hooks canUseTool onHookFailure mode replay modelReplay instructions
  agentId prices maxOutputTokens countTokens strategy rules evaluatePreTool evaluatePostTool network limits runLimits clock ids`.split(
    /\s+/,
  );
const modes: readonly unknown[] = ["live", "replayOnly"] satisfies RuntimeMode[];
const selections: readonly unknown[] = [
  "explicit",
  "manifest-search",
  "preload-only",
] satisfies RuntimeToolSelectionMode[];

/** Refuses what could not work or would be misread, before anything is asked of anybody. */
export function readRuntimeOptions(given: SimpleFunctionsRuntimeOptions): ReadRuntimeOptions {
  refuseUnknown(given, known, "runtime option");
  requireParts({ store: given.store, installation: given.installation });
  const {
    mode = "live",
    policy,
    principal,
    store,
    hooks,
    canUseTool,
    tools,
    replay,
    modelReplay,
    model,
    ...rest
  } = given;
  if (!modes.includes(mode)) throw bad("/mode", `mode is one of ${modes.join(", ")}`);
  if (policy === undefined)
    throw new HostConfigurationNeededError("a runtime needs a policy: without one nothing is allowed", {
      details: { reason: "no_policy" },
    });
  if (mode === "live") requireTools(rest);
  requireRoutes(rest.routes, mode);
  if (rest.trace !== undefined && rest.traces !== undefined)
    throw bad("/traces", "a run's trace has one place: give trace, or traces with a place for each run");
  const parsed = agentPolicy(policy);
  requireStartable(rest.packs ?? [], parsed);
  return {
    ...rest,
    mode,
    policy: parsed,
    ...(rest.rules !== undefined && { rules: keepHostRules(rest.rules) }),
    principal: starterOf(rest.client, principal, mode),
    store: store ?? createMemoryStore(),
    hooks: hooksOf(hooks, canUseTool),
    agentId: rest.agentId ?? "agent",
    tools: readSelection(tools),
    model: readModel(mode, model, modelReplay === true),
    ...(mode === "replayOnly" ? tracesOf(replay, rest.trace) : noReplay(replay, modelReplay)),
  };
}

function requireTools({ client, packs }: Kept): void {
  if (client === undefined && packs === undefined)
    throw new HostConfigurationNeededError("a runtime needs tools: give client, packs, or both", {
      details: { reason: "no_tools" },
    });
  if (client === undefined || client.hasApiKey()) return;
  throw new MissingApiKeyError(
    "live runs over a platform need an API key: give client: new SimpleFunctions({ apiKey: process.env.SF_API_KEY }), or take mode replayOnly",
    { details: { reason: "no_key" } },
  );
}

/** What no model could ever be shown is not given in silence. */
function requireStartable(packs: readonly Pack[], { maxCostEffect }: ParsedPolicy): void {
  const tool = packs.flatMap((pack) => pack).find((one) => subagentPlan(one) !== undefined);
  if (tool === undefined || maxCostEffect === "llm_cost") return;
  throw new HostConfigurationNeededError(
    `${tool.contract.name} is a subagent, whose model costs, and the policy's maxCostEffect is ${maxCostEffect}: none would ever start; set maxCostEffect to "llm_cost"`,
    { details: { reason: "subagent_cost" } },
  );
}

function starterOf(
  client: Kept["client"],
  principal: SimpleFunctionsRuntimeOptions["principal"],
  mode: RuntimeMode,
): Principal {
  if (principal !== undefined)
    return parseAtDoor(givenPrincipalSchema, principal, "principal", InvalidInputError);
  if (client === undefined && mode === "live")
    throw new HostConfigurationNeededError(
      "without a client a runtime must be told who starts its runs: principal: { accountId, keyId, scopes, kind }",
      { details: { reason: "no_principal" } },
    );
  return parseAtDoor(
    givenPrincipalSchema,
    callerOf("local", client?.credentialId()),
    "principal",
    InvalidInputError,
  );
}

function readSelection(
  given: RuntimeToolSelectionPolicy = { mode: "manifest-search" },
): RuntimeToolSelectionPolicy {
  refuseUnknown(given, ["mode", "preload", "maxCandidateTools"], "tool selection");
  const { mode, preload = [], maxCandidateTools = usualCandidates } = given;
  if (!selections.includes(mode))
    throw bad("/tools/mode", `a tool selection is one of ${selections.join(", ")}`);
  if (!Array.isArray(preload) || !preload.every((name) => typeof name === "string"))
    throw bad("/tools/preload", "preload is a list of canonical names");
  if (!Number.isSafeInteger(maxCandidateTools) || maxCandidateTools < 0)
    throw bad("/tools/maxCandidateTools", "maxCandidateTools is a whole number of 0 or more");
  return { mode, preload: [...preload], maxCandidateTools };
}

function requireRoutes(routes: Kept["routes"] = {}, mode: RuntimeMode): void {
  for (const [routeId, model] of Object.entries(routes)) {
    if (typeof model?.complete !== "function")
      throw bad(`/routes/${routeId}`, `the route ${routeId} has no model`);
    readModel(mode, model, false);
  }
}

/** R1: a replay asks no model that reaches for anything outside. */
function readModel(
  mode: RuntimeMode,
  model: ModelAdapter | undefined,
  isReplayed: boolean,
): ModelAdapter | undefined {
  if (mode === "replayOnly" && isReplayed) return undefined;
  if (typeof model?.complete !== "function")
    throw new HostConfigurationNeededError(
      mode === "live"
        ? "a runtime needs a model: an adapter, with a name and complete(); of @spfunctions/host/models, like anthropic({ model, apiKey }), or your own"
        : "a replay needs a model: modelReplay: true, or one that is offline",
      { details: { reason: "no_model" } },
    );
  if (mode === "replayOnly" && model.offline !== true)
    throw new HostConfigurationNeededError(
      `${model.name} would be asked over the network; a replay takes modelReplay: true, or a model that declares offline: true`,
      { details: { reason: "not_offline" } },
    );
  return model;
}

/** What is read from, and what is written to: in a replay without a list the one place given is read, and not written over. */
function tracesOf(
  replay: readonly TraceSource[] | undefined,
  trace: Kept["trace"],
): Pick<ReadRuntimeOptions, "replay" | "trace"> {
  if (replay === undefined && isTraceSource(trace)) return { replay: [trace], trace: undefined };
  if (Array.isArray(replay) && replay.length > 0 && replay.every(isTraceSource))
    return { replay: [...replay] };
  throw new HostConfigurationNeededError(
    "replaying needs something to replay: give replay: [the text of a trace, or where one is kept]",
    { details: { reason: "missing_option" } },
  );
}

/** Whoever means to replay does not run live by leaving out a word. */
function noReplay(replay: unknown, modelReplay: unknown): object {
  if (replay === undefined && modelReplay === undefined) return {};
  throw bad("/mode", "replay and modelReplay are for mode replayOnly; say so, or leave them out");
}
