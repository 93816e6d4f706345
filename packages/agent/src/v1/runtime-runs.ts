// What a run is given less than its runtime is part of the package that it goes on under: runs of the same terms share one, and a run
// that is resumed gets the terms that its package was kept with.
import {
  canonicalJson,
  HostConfigurationNeededError,
  InvalidTransitionError,
  type RunDocument,
  type RuntimePackage,
} from "@spfunctions/contracts";
import {
  describedTool,
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
  type ToolRegistry,
  type ToolSelection,
} from "@spfunctions/kernel";
import { remotePack } from "../platform/remote-pack.ts";
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
    return this.#entry(
      canonicalJson(terms),
      shared,
      terms,
      runLevels(this.#options.policy, terms, this.#isSearched),
    );
  }

  /** Those of the runtime itself, that most runs are of: they are there as long as it is. */
  async base(): Promise<Runs> {
    const shared = await this.#shared();
    return this.#entry("{}", shared, {}, runLevels(this.#options.policy, {}, this.#isSearched)).runs;
  }

  /** Those that a run is driven by here; where it is not, any: whoever only looks, or stops it, needs none of its package. */
  async near({ packageFingerprint }: Pick<RunDocument, "packageFingerprint">): Promise<Runs> {
    return this.#known(packageFingerprint)?.[1].runs ?? (await this.base());
  }

  async defaultTools(): Promise<string[]> {
    const { known } = await this.#shared();
    return known.manifest.tools.filter(({ agent }) => agent.defaultEnabled).map(({ name }) => name);
  }

  /** For one that is there: under this runtime's policy, with what was taken away from it then. */
  async borrowFor({ packageFingerprint }: Pick<RunDocument, "packageFingerprint">): Promise<Borrowed> {
    const shared = await this.#shared();
    const known = this.#known(packageFingerprint);
    if (known !== undefined) return this.#lend(...known);
    const kept = await readKeptPackage(this.#options.store, packageFingerprint);
    const levels = [...runLevels(this.#options.policy, {}, this.#isSearched), ...takenAway(kept)];
    return this.#entry(packageFingerprint, shared, { output: kept.outputContract }, levels);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(all.map(async ({ runs }) => await runs.close()));
  }

  #known(fingerprint: string): [string, Entry] | undefined {
    return [...this.#entries].find(([, { runs }]) => runs.package.fingerprint === fingerprint);
  }

  get #isSearched(): boolean {
    return this.#options.tools.mode === "manifest-search";
  }

  #entry(key: string, shared: Shared, terms: RunTerms, levels: RunsOptions["levels"]): Borrowed {
    const known = this.#entries.get(key);
    if (known !== undefined) return this.#lend(key, known);
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
    const runs = new Runs({
      packs: shared.packs,
      replay: shared.replay,
      model: shared.model,
      levels,
      principal,
      agentId,
      store,
      installation,
      hooks,
      onHookFailure,
      strategy,
      limits,
      runLimits,
      clock,
      ids,
      selection: this.#selection(shared, terms),
      output: terms.output,
      process: this.#process,
      evaluatePreTool: this.#options.evaluatePreTool,
      evaluatePostTool: this.#options.evaluatePostTool,
      isStarterValid:
        client === undefined || mode !== "live"
          ? undefined
          : async (_starter, runId) => await client.mayActFor(runId),
    });
    const entry = { runs, users: 0 };
    this.#entries.set(key, entry);
    return this.#lend(key, entry);
  }

  /** What nobody uses any more is closed, but for what most runs use. */
  #lend(key: string, entry: Entry): Borrowed {
    entry.users += 1;
    let isGiven = false;
    const giveBack = async () => {
      if (isGiven) return;
      isGiven = true;
      entry.users -= 1;
      if (entry.users > 0 || key === "{}" || this.#entries.get(key) !== entry) return;
      this.#entries.delete(key);
      await entry.runs.close();
    };
    return { runs: entry.runs, giveBack };
  }

  #selection({ known, replay }: Shared, { tools = [] }: RunTerms): ToolSelection {
    const { mode, preload: given = [], maxCandidateTools } = this.#options.tools;
    const named = mode === "explicit" ? tools : given;
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
    } = this.#options;
    const texts = await Promise.all(
      (sources ?? []).map(async (one) => (typeof one === "string" ? one : await one.text())),
    );
    const remote: Pack[] =
      client === undefined || mode !== "live"
        ? []
        : [remotePack(client, (await client.manifest.list({})).tools)];
    const own = registerPacks([...remote, ...(packs ?? [])]);
    const adapter = model ?? (await openModelReplay(texts));
    const price =
      prices !== undefined && Object.hasOwn(prices, adapter.name) ? prices[adapter.name] : undefined;
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
      model: { adapter, price, maxOutputTokens, countTokens },
    };
  }
}

export function closed(): InvalidTransitionError {
  return new InvalidTransitionError("this runtime is closed; make another to go on");
}

/** What a run was given less than its runtime; the runtime's own policy is its own, whatever a package says (G3). */
function takenAway({ policies }: RuntimePackage): RunsOptions["levels"] {
  return policies.filter(({ level }) => level === "run" || level === "session");
}
