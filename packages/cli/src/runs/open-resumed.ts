import { InvalidPackageError } from "@spfunctions/contracts";
import {
  type Installation,
  type NetworkOptions,
  packageDifferences,
  readKeptPackage,
  type RunHandle,
  Runs,
  runsOptionsOf,
  type Store,
  type Tool,
} from "@spfunctions/kernel";
import { explainStranger } from "../packs/load-packs.ts";
import { drivenElsewhere } from "./driven-elsewhere.ts";
import type { LoadedModel } from "./load-model.ts";
import type { FoundRun } from "./look-at-runs.ts";
import { seeLeases } from "./see-leases.ts";

export type ResumeTerms = Pick<FoundRun, "document" | "options"> &
  LoadedModel & {
    readonly store: Store;
    readonly installation: Installation;
    readonly tools: readonly Tool[];
    readonly network?: NetworkOptions;
    /** Sees what is live only. */
    readonly watch: Parameters<Runs["resume"]>[1];
  };

export type Resumed = { readonly handle: RunHandle; readonly close: () => Promise<void> };

/** Takes a run on here, under the package that it was started with and no other (B3, B7). */
export async function openResumed(terms: ResumeTerms): Promise<Resumed> {
  const { document, options, watch } = terms;
  const { runId } = document;
  const { runs, isHeld } = await openRuns(terms);
  const close = () => runs.close();
  try {
    const handle = await runs.resume(runId, watch);
    if (!isHeld()) return { handle, close };
    throw drivenElsewhere(runId, options);
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

async function openRuns(terms: ResumeTerms): Promise<{ runs: Runs; isHeld: () => boolean }> {
  const { document, installation, tools, ports, network } = terms;
  const { runId, packageFingerprint, starter, parentRunId } = document;
  const kept = await readKeptPackage(terms.store, packageFingerprint);
  const { maxOutputTokens, ...options } = runsOptionsOf(kept);
  const { store, isHeld } = seeLeases(terms.store, false);
  const model = { ...terms.model, maxOutputTokens };
  const common = { ...ports, packs: [tools], model, principal: starter, store, installation, network };
  // What a child was let go with is part of what its parent had.
  const isChild = parentRunId !== undefined;
  const runs = openedOf(
    tools,
    () => new Runs(isChild ? { ...common, package: kept } : { ...common, ...options }),
  );
  const differences = packageDifferences(kept, runs.package);
  if (differences.length === 0) return { runs, isHeld };
  throw new InvalidPackageError(
    `${runId} goes on only with what it was started with; here it would be ${differences.join("; ")}. Name the modules that it was started with in --pack and --model, or stop it: sf runs cancel ${runId}${terms.options}`,
    { details: { reason: "other_package", runId } },
  );
}

function openedOf(tools: readonly Tool[], open: () => Runs): Runs {
  try {
    return open();
  } catch (error) {
    throw explainStranger(error, tools);
  }
}
