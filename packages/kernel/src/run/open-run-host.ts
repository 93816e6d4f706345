import {
  type Digest,
  HostConfigurationNeededError,
  InvalidInputError,
  type JsonObject,
  parseAtDoor,
  type Principal,
  principalSchema,
  type ToolExecutionStrategy,
} from "@spfunctions/contracts";
import { Approvals } from "../approval/approvals.ts";
import type { EvaluatePostTool, EvaluatePreTool } from "../call/ask-policy.ts";
import { type CallLimits, defaultCallLimits } from "../call/call-host.ts";
import { type Installation, processInstallation } from "../installation/installation.ts";
import { requireProvable } from "../installation/require-provable.ts";
import { compileJudge } from "../judge/judge.ts";
import { confirmMatcher, keptLevels } from "../judge/kept-policy.ts";
import { buildRuntimePackage, type GivenHook, type GivenSidecar } from "../package/build-runtime-package.ts";
import type { GivenPrincipal } from "../seat/given-principal.ts";
import { type GivenLevel, parseLevels } from "../seat/given-levels.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import type { Store } from "../store/store.ts";
import { Waits } from "../store/waits.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { type Ids, randomIds } from "../time/ids.ts";
import type { Pack } from "../tool/define-tool.ts";
import { registryOf, type ToolRegistry } from "../tool/registry.ts";
import { answerCheck } from "./check-answer.ts";
import { defaultRunLimits, type RunHost, type RunLimits, type RunModel } from "./run-host.ts";

export type RunsOptions = {
  readonly packs: readonly Pack[] | ToolRegistry;
  /** Each is judged on its own, and every one must pass. */
  readonly levels: readonly GivenLevel[];
  /** Who starts runs; each acts with a credential of its own. */
  readonly principal: GivenPrincipal;
  readonly agentId: string;
  readonly model: RunModel;
  /** How the calls of one step run: one after the other unless given. */
  readonly strategy?: ToolExecutionStrategy | undefined;
  readonly hooks?: readonly GivenHook[] | undefined;
  readonly sidecars?: readonly GivenSidecar[] | undefined;
  /** JSON Schema of what a run must answer with. */
  readonly output?: JsonObject | undefined;
  readonly store?: Store | undefined;
  readonly installation?: Installation | undefined;
  readonly evaluatePreTool?: EvaluatePreTool | undefined;
  readonly evaluatePostTool?: EvaluatePostTool | undefined;
  readonly assemble?: RunHost["assemble"];
  readonly isStarterValid?: RunHost["isStarterValid"];
  readonly limits?: Partial<CallLimits> | undefined;
  /** What follows from a denial the policies say. */
  readonly runLimits?: Partial<Omit<RunLimits, "onDenied" | "answered">> | undefined;
  readonly clock?: Clock | undefined;
  readonly ids?: Ids | undefined;
};

export type OpenedRunHost = {
  readonly host: RunHost;
  readonly starter: Principal;
  readonly policyDigest: Digest;
  readonly closing: AbortController;
  readonly installation: Installation | undefined;
};

/** Everything is checked, and the package fingerprinted, before there is any run. */
export function openRunHost(options: RunsOptions): OpenedRunHost {
  const { clock = systemClock, ids = randomIds, store = createMemoryStore(), model } = options;
  const starter = parseAtDoor(principalSchema, options.principal, "principal", InvalidInputError);
  const installation = options.installation ?? processInstallation();
  const registry = registryOf(options.packs);
  const levels = keptLevels(parseLevels(options.levels), installation.keyHash);
  requireModel(model);
  const judgeFor = (principal: Principal) =>
    compileJudge({
      registry,
      levels,
      principal,
      surface: "agent",
      hasPreTool: options.evaluatePreTool !== undefined,
      matchesConfirm: confirmMatcher(installation.keyHash),
    });
  const { policyDigest, budget, approvals: asked } = judgeFor(starter);
  requireProvable(store, options.installation, asked);
  if (budget.budgetUsd !== undefined && model.price === undefined)
    throw new HostConfigurationNeededError(
      `budgetUsd is ${budget.budgetUsd}, and what ${model.adapter.name} costs is not known; give its price`,
      { details: { reason: "no_price" } },
    );
  const runtimePackage = buildRuntimePackage({
    agentId: options.agentId,
    packs: registry,
    levels,
    provider: {
      model: model.adapter.name,
      ...(model.maxOutputTokens !== undefined && { maxOutputTokens: model.maxOutputTokens }),
    },
    hooks: options.hooks,
    sidecars: options.sidecars,
    outputContract: options.output,
    strategy: options.strategy,
    createdAt: new Date(clock.now()).toISOString(),
  });
  const closing = new AbortController();
  const onDenied = asked.onDenied ?? defaultRunLimits.onDenied;
  const host: RunHost = {
    package: runtimePackage,
    registry,
    judgeOf: (principal) => ({
      ...judgeFor(principal),
      packageFingerprint: runtimePackage.fingerprint as never,
    }),
    model,
    runLimits: {
      ...defaultRunLimits,
      ...options.runLimits,
      onDenied,
      answered: answerCheck(runtimePackage.outputContract, options.agentId),
    },
    assemble: options.assemble,
    // As it was when the package was sealed, whatever its owner does to it since.
    output: runtimePackage.outputContract,
    isStarterValid: options.isStarterValid,
    store,
    clock,
    ids,
    keyedHash: installation.redaction,
    proves: installation.keyHash,
    limits: { ...defaultCallLimits, ...options.limits },
    signer: options.installation?.signer,
    evaluatePreTool: options.evaluatePreTool,
    evaluatePostTool: options.evaluatePostTool,
    approvals: new Approvals({ store, clock, ids, proves: installation.keyHash }),
    asking: "wait",
    waits: new Waits(store, clock),
    closing: closing.signal,
  };
  return { host, starter, policyDigest, closing, installation: options.installation };
}

function requireModel(model: RunModel | undefined): void {
  if (typeof model?.adapter?.complete !== "function" || typeof model.adapter.name !== "string")
    throw new HostConfigurationNeededError("a run needs a model: model: { adapter }", {
      details: { reason: "no_model" },
    });
  const { inputPerMillion = 0, outputPerMillion = 0 } = model.price ?? {};
  if ([inputPerMillion, outputPerMillion].every((price) => Number.isFinite(price) && price >= 0)) return;
  throw new HostConfigurationNeededError(
    "a model's price is in US dollars for a million tokens: numbers of 0 or more",
    { details: { reason: "no_price" } },
  );
}
