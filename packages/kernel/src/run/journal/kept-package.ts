// A package is kept with the first run that it is of, so that a run can be taken on by somebody who has only the store, the tools and
// a model. B22: what is not what its fingerprint says is no package.
import {
  InvalidPackageError,
  isSimpleFunctionsError,
  JournalCorruptError,
  NotFoundError,
  parseJsonStrict,
  type RuntimePackage,
} from "@spfunctions/contracts";
import { safeText } from "../../call/safe-text.ts";
import { activeOf } from "../../package/derive-routes.ts";
import { parseRuntimePackage } from "../../package/seal-package.ts";
import { packageKind } from "../../store/kernel-kinds.ts";
import { installationAccount, type Store } from "../../store/store.ts";
import { subagentSidecarKind } from "../../subagent/bind-subagents.ts";
import type { RunsOptions } from "../open-run-host.ts";
import { isSearchTool } from "../model/search-tool.ts";
import { usualCandidates } from "../model/select-tools.ts";

/** The package that runs of this store were started under. */
export async function readKeptPackage(store: Store, fingerprint: string): Promise<RuntimePackage> {
  const key = { kind: packageKind, accountId: installationAccount, id: fingerprint };
  const document = await store.document(key);
  if (document === undefined)
    throw new NotFoundError(
      `no package ${safeText(fingerprint, 200)} is kept here; look where the run was started, or start another`,
      {
        details: { reason: "no_package" },
      },
    );
  const runtimePackage = read(document.body);
  if (runtimePackage?.fingerprint === fingerprint) return runtimePackage;
  throw new JournalCorruptError(
    `what is kept of ${safeText(fingerprint, 200)} is not that package: nothing goes on by it`,
    { details: { reason: "other_package" } },
  );
}

function read(text: string): RuntimePackage | undefined {
  try {
    return parseRuntimePackage(parseJsonStrict(text));
  } catch (error) {
    if (isSimpleFunctionsError(error)) return undefined;
    throw error;
  }
}

/** What of a package its runs are opened with; tools, but for the one that finds others, hooks and a model are given besides. */
export type PackageOptions = Pick<
  RunsOptions,
  "levels" | "agentId" | "strategy" | "sidecars" | "output" | "selection"
> & {
  /** For the model that is given. */
  readonly maxOutputTokens?: number | undefined;
};

export function runsOptionsOf(runtimePackage: RuntimePackage): PackageOptions {
  const { agentId, policies, sidecars, strategy, outputContract, provider, capabilities } = runtimePackage;
  if (provider === undefined)
    throw new InvalidPackageError("this package has no model, so that it has no runs", {
      details: { reason: "no_model" },
    });
  const isSearched = activeOf(capabilities).some(({ contract }) => isSearchTool(contract));
  return {
    agentId,
    levels: policies,
    strategy,
    // Those of subagents come with their tools.
    sidecars: sidecars.filter(({ kind }) => kind !== subagentSidecarKind),
    output: outputContract,
    maxOutputTokens: provider.maxOutputTokens,
    // What a run is shown is on its record; only the tool to find more with is to be there again.
    ...(isSearched && { selection: { preload: [], candidates: usualCandidates } }),
  };
}
