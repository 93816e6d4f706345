// What a run is given less than its runtime is part of the package that it goes on under: runs of the same terms share one, and a run
// that is resumed gets the terms that its package was kept with.
import {
  canonicalJson,
  HostConfigurationNeededError,
  InvalidPackageError,
  InvalidTransitionError,
  type Principal,
  type RunDocument,
  type RunId,
  type RuntimePackage,
} from "@spfunctions/contracts";
import {
  controlToolNames,
  describedTool,
  type ModelAdapter,
  openModelReplay,
  openReplay,
  type Pack,
  readKeptPackage,
  registerPacks,
  type Replay,
  requireCanonical,
  type RunModel,
  Runs,
  type RunsOptions,
  searchToolName,
  subagentPlan,
  type ToolRegistry,
  type ToolSelection,
} from "@spfunctions/kernel";
import { remotePack } from "../platform/remote-pack.ts";
import { textsOf } from "../trace/trace-source.ts";
import type { ReadRuntimeOptions } from "./read-runtime-options.ts";
import { runLevels } from "./run-levels.ts";
import type { RunTerms } from "./runtime-options.ts";

/** Runs of some terms, for as long as somebody needs them. */
export type Borrowed = { readonly runs: Runs; readonly giveBack: () => Promise<void> };

type Shared = {
  readonly packs: ToolRegistry | undefined;
  /** Every tool that there is, by its contract. */
  readonly known: ToolRegistry;
  readonly replay: Replay | undefined;
  readonly model: RunModel;
  readonly routes: Readonly<Record<string, RunModel>>;
};
type Entry = { readonly runs: Runs; users: number };

export class RuntimeRuns {
  readonly #options: ReadRuntimeOptions;
  readonly #process: string;
  readonly #entries = new Map<string, Entry>();
  #opening: Promise<Shared> | undefined;
  #isClosed = false;

  constructor(options: ReadRuntimeOptions) {
    this.#options = options;
    this.#process = crypto.randomUUID();
  }

  /** For one run that begins. */
  async borrow(terms: RunTerms): Promise<Borrowed> {
    const shared = await this.#shared();
    this.#requireKnown(shared, terms);
    const levels = runLevels(this.#options.policy, terms, this.#besides);
    return this.#entry(canonicalJson(terms), shared, terms, { levels });
  }

  /** Those of the runtime itself, that most runs are of: they are there as long as it is. */
  async base(): Promise<Runs> {
    const shared = await this.#shared();
    return this.#entry("{}", shared, {}, { levels: runLevels(this.#options.policy, {}, this.#besides) }).runs;
  }

  /** Those that a run is driven by here; where it is not, any: whoever only looks, or stops it, needs none of its package. */
  async near({
    runId,
    packageFingerprint,
  }: Pick<RunDocument, "runId" | "packageFingerprint">): Promise<Runs> {
    return this.driving(runId) ?? this.#known(packageFingerprint)?.runs ?? (await this.base());
  }

  /** Until a child that is being started, or taken on, is there. */
  async begun(runId: RunId): Promise<void> {
    await Promise.all([...this.#entries.values()].map(async ({ runs }) => await runs.begun(runId)));
  }

  /** Those that drive a run in this process: a child is driven by those of its own package. */
  driving(runId: string): Runs | undefined {
    for (const { runs } of this.#entries.values()) {
      const found = runs.driving(runId);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async defaultTools(): Promise<string[]> {
    const { known } = await this.#shared();
    return known.manifest.tools.filter(({ agent }) => agent.defaultEnabled).map(({ name }) => name);
  }

  /** For one that is there: under this runtime's policy, with what was taken away from it then. */
  async borrowFor({
    packageFingerprint,
    parentRunId,
  }: Pick<RunDocument, "packageFingerprint" | "parentRunId">): Promise<Borrowed> {
    const shared = await this.#shared();
    const known = this.#known(packageFingerprint);
    if (known !== undefined) return this.#lend(known);
    const kept = await readKeptPackage(this.#options.store, packageFingerprint);
    if (parentRunId !== undefined) return await this.#child(shared, kept);
    const levels = [...runLevels(this.#options.policy, {}, this.#besides), ...takenAway(kept)];
    return this.#entry(packageFingerprint, shared, { output: kept.outputContract }, { levels });
  }

  /** For a child that was let go: on its own package, where all of this runtime's own law is part of that (G3). */
  async #child(shared: Shared, kept: RuntimePackage): Promise<Borrowed> {
    const { policies } = (await this.base()).package;
    const law = new Set(kept.policies.map((level) => canonicalJson(level)));
    if (!policies.every((level) => law.has(canonicalJson(level))))
      throw new InvalidPackageError(
        "it was started under another policy; resume it where that holds, or cancel it",
        { details: { reason: "other_package" } },
      );
    return this.#entry(kept.fingerprint, shared, {}, { package: kept });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(all.map(async ({ runs }) => await runs.close()));
  }

  #known(fingerprint: string): Entry | undefined {
    return [...this.#entries.values()].find(({ runs }) => runs.package.fingerprint === fingerprint);
  }

  /** What comes with whichever tools are named: what others are found with, and what subagents are directed with. */
  get #besides(): string[] {
    const isSearched = this.#options.tools.mode === "manifest-search";
    return [...(isSearched ? [searchToolName] : []), ...(this.#subagents.length > 0 ? controlToolNames : [])];
  }

  get #subagents(): string[] {
    const tools = (this.#options.packs ?? []).flatMap((pack) => pack);
    return tools.flatMap((tool) => (subagentPlan(tool) === undefined ? [] : tool.contract.name));
  }

  #entry(
    key: string,
    shared: Shared,
    terms: RunTerms,
    ground: { readonly levels: RunsOptions["levels"] } | { readonly package: RuntimePackage },
  ): Borrowed {
    const known = this.#entries.get(key);
    if (known !== undefined) return this.#lend(known);
    // It may have been closed while its tools were loaded.
    if (this.#isClosed) throw closed();
    const {
      client,
      mode,
      principal,
      store,
      installation,
      hooks,
      onHookFailure,
      agentId,
      strategy,
      limits,
      runLimits,
      clock,
      ids,
    } = this.#options;
    const common = {
      packs: shared.packs,
      replay: shared.replay,
      routes: shared.routes,
      principal,
      store,
      installation,
      hooks,
      onHookFailure,
      limits,
      runLimits,
      clock,
      ids,
      process: this.#process,
      network: this.#options.network,
      rules: this.#options.rules,
      evaluatePreTool: this.#options.evaluatePreTool,
      evaluatePostTool: this.#options.evaluatePostTool,
      isStarterValid:
        client === undefined || mode !== "live"
          ? undefined
          : async (_starter: Principal, runId: RunId) => await client.mayActFor(runId),
    };
    const runs =
      "package" in ground
        ? new Runs({ ...common, model: modelOf(shared, ground.package), package: ground.package })
        : new Runs({
            ...common,
            ...ground,
            model: shared.model,
            agentId,
            strategy,
            selection: this.#selection(shared, terms),
            output: terms.output,
          });
    const entry = { runs, users: 0 };
    this.#entries.set(key, entry);
    return this.#lend(entry);
  }

  #lend(entry: Entry): Borrowed {
    entry.users += 1;
    let isGiven = false;
    const giveBack = async () => {
      if (isGiven) return;
      isGiven = true;
      entry.users -= 1;
      await this.#closeUnused();
    };
    return { runs: entry.runs, giveBack };
  }

  /** What nobody uses any more is closed, but for what most runs use. Children that were let go are driven on: theirs is closed after them. */
  async #closeUnused(): Promise<void> {
    const unused = [...this.#entries].filter(
      ([key, { users, runs }]) => key !== "{}" && users === 0 && !runs.isDrivingChildren,
    );
    for (const [key] of unused) this.#entries.delete(key);
    await Promise.all(unused.map(async ([, { runs }]) => await runs.close()));
  }

  #selection({ known, replay }: Shared, { tools = [] }: RunTerms): ToolSelection {
    const { mode, preload: given = [], maxCandidateTools } = this.#options.tools;
    // A subagent that was given is to be seen, where it is not for the run to say which are.
    const subagents = mode === "manifest-search" ? this.#subagents : [];
    const named = [...(mode === "explicit" ? tools : given), ...subagents];
    // Traces know of the tools that were called: what was only shown cannot be called in a replay either.
    const preload = replay === undefined ? named : named.filter((name) => known.tools.has(name));
    return mode === "manifest-search" ? { preload, candidates: maxCandidateTools } : { preload };
  }

  #requireKnown({ known, replay }: Shared, { tools }: RunTerms): void {
    if (tools === undefined) {
      if (this.#options.tools.mode !== "explicit") return;
      throw new HostConfigurationNeededError(
        "with the tool selection explicit a run is given its tools: run({ objective, tools: [canonical names] })",
        { details: { reason: "no_tools" } },
      );
    }
    if (replay === undefined) requireCanonical(known, tools, "tools");
  }

  /** Once, when it is first needed; where it fails, whoever comes next tries again. */
  #shared(): Promise<Shared> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<Shared> {
    const {
      client,
      packs,
      mode,
      replay: sources,
      model,
      prices,
      maxOutputTokens,
      countTokens,
      routes = {},
    } = this.#options;
    const texts = await textsOf(sources ?? []);
    const remote: Pack[] =
      client === undefined || mode !== "live"
        ? []
        : [remotePack(client, (await client.manifest.list({})).tools)];
    const own = registerPacks([...remote, ...(packs ?? [])]);
    const adapter = model ?? (await openModelReplay(texts));
    const runModel = (one: ModelAdapter): RunModel => {
      const price = prices !== undefined && Object.hasOwn(prices, one.name) ? prices[one.name] : undefined;
      return { adapter: one, price, maxOutputTokens, countTokens };
    };
    const replay = sources === undefined ? undefined : await openReplay(texts);
    // A trace replays alone: its own contracts stand for the tools that are not given.
    const recorded = (replay?.contracts ?? []).filter(({ name }) => !own.tools.has(name));
    const known =
      recorded.length === 0
        ? own
        : registerPacks([[...own.tools.values()], recorded.map((one) => describedTool(one))]);
    return {
      packs: replay !== undefined && own.tools.size === 0 ? undefined : known,
      known,
      replay,
      model: runModel(adapter),
      routes: Object.fromEntries(Object.entries(routes).map(([routeId, one]) => [routeId, runModel(one)])),
    };
  }
}

export function closed(): InvalidTransitionError {
  return new InvalidTransitionError("this runtime is closed; make another to go on");
}

/** Which model drives a child. */
function modelOf({ model, routes }: Shared, { provider }: RuntimePackage): RunModel {
  const { routeId } = provider ?? {};
  return (routeId === undefined ? undefined : routes[routeId]) ?? model;
}

/** What a run was given less than its runtime; the runtime's own policy is its own, whatever a package says (G3). */
function takenAway({ policies }: RuntimePackage): RunsOptions["levels"] {
  return policies.filter(({ level }) => level === "run" || level === "session");
}
