import {
  canonicalJson,
  combinedSession,
  type Digest,
  fillDefaults,
  HostConfigurationNeededError,
  type HostRuleName,
  InvalidInputError,
  type JsonObject,
  type KeyedHash,
  parseAtDoor,
  type PolicyLevel,
  type Principal,
  givenPrincipalSchema,
  principalSchema,
  refuseUnknown,
  type RunId,
  type RuntimePackage,
  type ToolExecutionStrategy,
} from "@spfunctions/contracts";
import { Approvals } from "../approval/approvals.ts";
import { Capabilities } from "../capability/capabilities.ts";
import { type NetworkOptions, readNetwork } from "../capability/network.ts";
import { callHooks } from "../hook/call-hooks.ts";
import { Hooks } from "../hook/hooks.ts";
import { type HookFailure, hookInPackage, type RunHook } from "../hook/run-hook.ts";
import type { CallLimits } from "../call/call-host.ts";
import { type HostRuleOptions, type HostRules, readHostRules } from "../call/host-rules.ts";
import { readCallLimits } from "../call/read-call-limits.ts";
import { type Installation, processInstallation } from "../installation/installation.ts";
import { canAsk, requireProvable } from "../installation/require-provable.ts";
import { compileJudge } from "../judge/judge.ts";
import { confirmMatcher, keptLevels } from "../judge/kept-policy.ts";
import { buildRuntimePackage, type GivenSidecar } from "../package/build-runtime-package.ts";
import { executorRefOf } from "../package/derive-routes.ts";
import { ExecutorRegistry } from "../package/executor-registry.ts";
import { parseRuntimePackage } from "../package/seal-package.ts";
import { snapshotOf, ToolRouter } from "../package/tool-router.ts";
import type { GivenPrincipal } from "../seat/given-principal.ts";
import { type GivenLevel, parseLevels } from "../seat/given-levels.ts";
import { requireParts } from "../seat/require-parts.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import type { Store } from "../store/store.ts";
import { Waits } from "../store/waits.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { type Ids, randomIds } from "../time/ids.ts";
import { recordedTools } from "../replay/recorded-tools.ts";
import type { Replay } from "../replay/replay.ts";
import type { Pack, Tool } from "../tool/define-tool.ts";
import { registryOf, type ToolRegistry } from "../tool/registry.ts";
import { answerCheck } from "./model/check-answer.ts";
import { offeredTools } from "./model/offered-tools.ts";
import { runCredential } from "./run-credential.ts";
import { requireProven } from "./journal/read-run.ts";
import { defaultRunLimits, portsOf, type RunHost, type RunLimits, type RunModel } from "./run-host.ts";
import { controlToolNames } from "../subagent/control-names.ts";
import {
  requireStartable,
  subagentsIn,
  subagentSidecars,
  withSubagents,
} from "../subagent/bind-subagents.ts";
import type { SubagentCalls } from "../subagent/subagent-calls.ts";
import { searchTool, searchToolName } from "./model/search-tool.ts";
import { requireCanonical, ToolChoice, type ToolSelection } from "./model/select-tools.ts";
import { processName } from "./session.ts";

export type RunsOptions = HostRuleOptions & {
  /** In a replay, unless given, those that its traces know. */
  readonly packs?: readonly Pack[] | ToolRegistry | undefined;
  /** Each is judged on its own, and every one must pass. */
  readonly levels: readonly GivenLevel[];
  /** Who starts runs; each acts with a credential of its own. */
  readonly principal: GivenPrincipal;
  readonly agentId: string;
  readonly model: RunModel;
  /** Models that its children may be driven by instead, by the name of their route. */
  readonly routes?: Readonly<Record<string, RunModel>> | undefined;
  /** How the calls of one step run: one after the other unless given. */
  readonly strategy?: ToolExecutionStrategy | undefined;
  readonly hooks?: readonly RunHook[] | undefined;
  /** Hears of hooks that only watch and have failed; a warning of this process unless given. */
  readonly onHookFailure?: ((failure: HookFailure) => void) | undefined;
  /** Which tools a model is shown: all that it may call unless given. */
  readonly selection?: ToolSelection | undefined;
  /** Answers come from recorded traces, and no tool runs. */
  readonly replay?: Replay | undefined;
  /** A name of this process, for sessions that end with it. */
  readonly process?: string | undefined;
  readonly sidecars?: readonly GivenSidecar[] | undefined;
  /** JSON Schema of what a run must answer with. */
  readonly output?: JsonObject | undefined;
  readonly store?: Store | undefined;
  readonly installation?: Installation | undefined;
  readonly assemble?: RunHost["assemble"];
  /** By whom its calls are said to come: a model's run, unless it is a turn of a long-lived agent. */
  readonly origin?: RunHost["origin"];
  /** What is wrong with a model's last word, where something is: it is asked for another, within a limit. */
  readonly checkAnswer?: ((text: string) => string | undefined) | undefined;
  readonly isStarterValid?: RunHost["isStarterValid"];
  /** What is said of the network: which hosts are on the allow-list, and which are opened. */
  readonly network?: NetworkOptions | undefined;
  readonly limits?: Partial<CallLimits> | undefined;
  /** What follows from a denial the policies say. */
  readonly runLimits?: Partial<Omit<RunLimits, "onDenied" | "answered">> | undefined;
  readonly clock?: Clock | undefined;
  readonly ids?: Ids | undefined;
};

/** On a package that is made already, as a child's is: of `packs` there is what it has, and everything that it says is not said again. */
export type RunsOnPackage = Omit<RunsOptions, "levels" | "agentId" | "strategy" | "output" | "sidecars"> & {
  readonly package: RuntimePackage;
};

export type OpenedRunHost = {
  readonly host: RunHost;
  readonly starter: Principal;
  readonly policyDigest: Digest;
  readonly closing: AbortController;
  readonly installation: Installation | undefined;
};

/** Everything is checked, and the package fingerprinted, before there is any run. `calls`: what is behind its subagents. */
export function openRunHost(options: RunsOptions | RunsOnPackage, calls: SubagentCalls): OpenedRunHost {
  requireParts(options);
  const { clock = systemClock, ids = randomIds, store = createMemoryStore(), model } = options;
  const starter = parseAtDoor(
    // S1: what runs on a package that was kept is of names that were kept with it.
    "package" in options ? principalSchema : givenPrincipalSchema,
    options.principal,
    "principal",
    InvalidInputError,
  );
  const installation = options.installation ?? processInstallation();
  let choice: ToolChoice | undefined;
  const searched = registryOf(withSearch(options, (query, limit) => choice?.find(query, limit) ?? []));
  const subagents = subagentsIn(searched);
  if (!("package" in options) && options.replay === undefined)
    requireStartable(searched, subagents, options.routes ?? {});
  // No package of a child has one.
  const rules = readHostRules(options);
  const all = "package" in options ? searched : withSubagents(searched, subagents, calls);
  const ground =
    "package" in options
      ? readyGround(options.package, all)
      : ownGround(options, all, { subagents, rules, keyHash: installation.keyHash });
  const { registry, levels } = ground;
  if (options.replay === undefined) requireRules(ground.rules, rules);
  requireCanonical(registry, options.selection?.preload ?? [], "preload");
  requireModel(model, ground.model);
  const given = options.hooks ?? [];
  const hasCallHooks = given.some(({ point }) => point === "before_tool_call" || point === "on_approval");
  const network = readNetwork(options.network);
  const limits = readCallLimits(options.limits);
  const judgeFor = (principal: Principal) =>
    compileJudge({
      registry,
      levels,
      principal,
      surface: "agent",
      mode: options.replay === undefined ? "live" : "replay",
      hasPreTool: rules.evaluatePreTool !== undefined || hasCallHooks,
      rules,
      network,
      matchesConfirm: confirmMatcher(installation.keyHash),
      approvalMs: limits.approvalMs,
      canAsk: canAsk(options),
    });
  const { policyDigest, budget, approvals: asked } = judgeFor(starter);
  requireProvable(store, options.installation, asked);
  if (budget.budgetUsd !== undefined && model.price === undefined)
    throw new HostConfigurationNeededError(
      `budgetUsd is ${budget.budgetUsd}, and what ${model.adapter.name} costs is not known; give its price`,
      { details: { reason: "no_price" } },
    );
  const runtimePackage = ground.seal(clock.now());
  const router = new ToolRouter(snapshotOf(runtimePackage));
  const closing = new AbortController();
  refuseUnknown(options.runLimits ?? {}, Object.keys(defaultRunLimits), "limit of a run");
  // R1: nobody is asked about what is only replayed.
  const runHooks = new Hooks(options.replay === undefined ? runtimePackage.hooks : [], given, {
    clock,
    timeoutMs: limits.policyMs,
    failed: options.onHookFailure ?? warn,
  });
  const session = combinedSession(fillDefaults(levels));
  const onDenied = asked.onDenied ?? defaultRunLimits.onDenied;
  const kept = { store, clock, ids, proves: installation.keyHash };
  const host: RunHost = {
    package: runtimePackage,
    ports: portsOf({ ...rules, isStarterValid: options.isStarterValid }),
    registry,
    routeOf: (name) => router.find(name),
    judgeOf: oneForEach(authorityOf, (principal) => ({
      ...judgeFor(principal),
      packageFingerprint: runtimePackage.fingerprint as never,
    })),
    model,
    subagents,
    routes: new Map(Object.entries(options.routes ?? {})),
    runLimits: {
      ...defaultRunLimits,
      ...options.runLimits,
      onDenied,
      answered: answerCheck(runtimePackage.outputContract, runtimePackage.agentId, options.checkAnswer),
    },
    assemble: options.assemble,
    origin: options.origin ?? "model",
    // As it was when the package was sealed, whatever its owner does to it since.
    output: runtimePackage.outputContract,
    isStarterValid: options.isStarterValid,
    store,
    clock,
    ids,
    keyedHash: installation.redaction,
    proves: installation.keyHash,
    limits,
    replay: options.replay,
    knowsRecordedOnly: options.packs === undefined,
    runHooks,
    hooks: given.length === 0 ? undefined : callHooks(runHooks, installation.redaction),
    session: session && { ...session, process: processName(options.process ?? ids.unique()) },
    // What a level says of that counts also where runs know nothing of each other.
    contextTokens: combinedSession(levels)?.maxHistoryTokens,
    // Without an installation the secret is this process's own, and proves nothing of what another has left.
    requireProven: (run) => {
      if (options.installation !== undefined) requireProven(run, installation.keyHash);
    },
    signer: options.installation?.signer,
    evaluatePreTool: rules.evaluatePreTool,
    evaluatePostTool: rules.evaluatePostTool,
    approvals: new Approvals(kept),
    capabilities: new Capabilities(kept, network),
    asking: "wait",
    waits: new Waits(store, clock),
    closing: closing.signal,
  };
  if (options.selection === undefined)
    return { host, starter, policyDigest, closing, installation: options.installation };
  const judge = host.judgeOf(runCredential(starter, "run_unnamed0" as RunId));
  const mayBeCalled = offeredTools(host, judge).tools.map(({ name }) => registry.tools.get(name) as Tool);
  // What its model directs subagents with is shown wherever there is something to direct.
  const control = controlToolNames.filter((name) => registry.tools.has(name));
  choice = new ToolChoice(
    { ...options.selection, preload: [...options.selection.preload, ...control] },
    mayBeCalled.map(({ contract }) => contract),
  );
  return { host: { ...host, choice }, starter, policyDigest, closing, installation: options.installation };
}

function warn({ id, point, reason }: HookFailure): void {
  process.emitWarning(`${reason}; it only watches (${point}), so that nothing came of it`, {
    type: "HookWarning",
    code: `hook ${id}`,
  });
}

/** Where tools are searched for, that is done with a tool. */
function withSearch(
  { packs, selection, replay }: Pick<RunsOptions, "packs" | "selection" | "replay">,
  find: Parameters<typeof searchTool>[0],
): readonly Pack[] | ToolRegistry {
  const given = packs ?? recordedTools(replay);
  if (selection?.candidates === undefined) return given;
  const others = [...registryOf(given).tools.values()];
  const isRecorded = replay !== undefined && others.some(({ contract }) => contract.name === searchToolName);
  return isRecorded ? [others] : [others, searchTool(find)];
}

/** What runs stand on: the tools that there are, what they are judged under, and the package of that. */
type Ground = {
  readonly registry: ToolRegistry;
  readonly levels: readonly PolicyLevel[];
  /** Which model must drive them; any where nothing says so yet. */
  readonly model?: string | undefined;
  /** The host's own rules that they were started under. */
  readonly rules: readonly HostRuleName[];
  readonly seal: (now: number) => RuntimePackage;
};

function ownGround(
  options: RunsOptions,
  registry: ToolRegistry,
  {
    subagents,
    rules: { names },
    keyHash,
  }: {
    readonly subagents: RunHost["subagents"];
    readonly rules: HostRules;
    readonly keyHash: KeyedHash;
  },
): Ground {
  const { agentId, model, hooks = [], sidecars = [], output: outputContract, strategy } = options;
  const levels = keptLevels(parseLevels(options.levels), keyHash);
  const seal = (now: number) =>
    buildRuntimePackage({
      agentId,
      packs: registry,
      levels,
      provider: {
        model: model.adapter.name,
        ...(model.maxOutputTokens !== undefined && { maxOutputTokens: model.maxOutputTokens }),
      },
      rules: names,
      hooks: hooks.map(hookInPackage),
      agentTools: [...subagents.keys()],
      sidecars: [...sidecars, ...subagentSidecars(subagents)],
      outputContract,
      strategy,
      createdAt: new Date(now).toISOString(),
    });
  return { registry, levels, rules: names, seal };
}

function readyGround(given: RuntimePackage, all: ToolRegistry): Ground {
  const ready = parseRuntimePackage(given);
  const model = ready.provider?.model;
  const { policies: levels, rules = [] } = ready;
  return { registry: toolsOf(ready, all), levels, rules, model, seal: () => ready };
}

function rulesText(rules: readonly HostRuleName[]): string {
  return rules.map(({ id, version }) => `${id} (version ${version})`).join(", ") || "none";
}

/** What runs on a package that is made already is under the rules that it names, and under no others. */
function requireRules(wanted: readonly HostRuleName[], { names }: HostRules): void {
  if (canonicalJson(wanted) === canonicalJson(names)) return;
  throw new HostConfigurationNeededError(
    `the package is under these rules of its host: ${rulesText(wanted)}; here they are: ${rulesText(names)}. Give the same ones: rules: [{ id, version, evaluatePreTool }]`,
    { details: { reason: "other_rules" } },
  );
}

/** S2: what a package does not have is not there for its judge, its model or its calls. */
function toolsOf(runtimePackage: RuntimePackage, { tools }: ToolRegistry): ToolRegistry {
  const executors = new ExecutorRegistry();
  for (const tool of tools.values()) executors.register(executorRefOf(tool.contract), tool);
  const binding = executors.bind(runtimePackage);
  if (binding.type === "bound") return registryOf([binding.tools]);
  const [{ canonicalToolName: name, reason }] = binding.routes;
  throw new HostConfigurationNeededError(
    `the package has ${name}, and ${reason === "no_executor" ? "that tool is not here" : "here it is another"}; give the tools that it was made of`,
    { details: { tool: name, reason: "other_tools" } },
  );
}

function requireModel(model: RunModel | undefined, driving: string | undefined): void {
  if (typeof model?.adapter?.complete !== "function" || typeof model.adapter.name !== "string")
    throw new HostConfigurationNeededError("a run needs a model: model: { adapter }", {
      details: { reason: "no_model" },
    });
  if (driving !== undefined && driving !== model.adapter.name)
    throw new HostConfigurationNeededError(
      `the package is driven by ${driving}, and this model is ${model.adapter.name}; give that one`,
      { details: { reason: "other_model" } },
    );
  const { maxOutputTokens = 1 } = model;
  if (!(Number.isSafeInteger(maxOutputTokens) && maxOutputTokens > 0))
    throw new HostConfigurationNeededError("maxOutputTokens is a whole number of tokens, 1 or more", {
      details: { reason: "no_count" },
    });
  const { inputPerMillion = 0, outputPerMillion = 0 } = model.price ?? {};
  if ([inputPerMillion, outputPerMillion].every((price) => Number.isFinite(price) && price >= 0)) return;
  throw new HostConfigurationNeededError(
    "a model's price is in US dollars for a million tokens: numbers of 0 or more",
    { details: { reason: "no_price" } },
  );
}

/** What of a principal has a say in a judgement: which run it is of has none. */
function authorityOf({ accountId, keyId, kind, scopes }: Principal): string {
  return canonicalJson([accountId, keyId, kind, scopes]);
}

function oneForEach<Given, Made>(
  keyOf: (given: Given) => string,
  make: (given: Given) => Made,
): (given: Given) => Made {
  const made = new Map<string, Made>();
  return (given) => {
    const key = keyOf(given);
    const known = made.get(key) ?? make(given);
    made.set(key, known);
    return known;
  };
}
