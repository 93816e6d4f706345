// What a run is driven with: its tools, its store, and an operator's desk on that store, which the run never sees (A2).
import { SimpleFunctionsRuntime, type SimpleFunctionsRuntimeOptions } from "@spfunctions/agent/v1";
import type { ContractManifest } from "@spfunctions/contracts";
import { loadInstallation } from "@spfunctions/host/installation";
import { type Operator, openOperator, type TraceStore } from "@spfunctions/kernel";
import type { CommandContext } from "../command-line/command-context.ts";
import { networkOf } from "../command-line/network-options.ts";
import { LateStore } from "../packs/late-store.ts";
import { operatorAt } from "../seat/caller.ts";
import { requireApart } from "../seat/data-folder.ts";
import type { Undo } from "../seat/held.ts";
import { openStore, patienceOf } from "../seat/open-store.ts";
import type { StorePlace } from "../seat/store-place.ts";
import { reachTools } from "./reach-tools.ts";
import type { RunCommandOptions } from "./run-options.ts";
import type { WantedRun } from "./wanted-run.ts";

/** Under which name its runs and sessions are kept, unless they are the demo's. */
const usualAgentId = "sf-run";

export type OpenRun = {
  readonly runtime: SimpleFunctionsRuntime;
  readonly manifest: ContractManifest;
  /** Whose tools they are. */
  readonly where: string;
  /** Whoever answers what runs ask, where somebody is asked. */
  readonly operator?: Operator;
};

/** What a runtime is told of a wanted run, wherever it gets its tools from. */
export function runtimeTerms(
  { agentId = usualAgentId, policy, instructions, input }: WantedRun,
  trace: TraceStore | undefined,
) {
  return {
    agentId,
    policy,
    tools: { mode: input.tools === undefined ? "manifest-search" : "explicit" },
    ...(instructions !== undefined && { instructions }),
    ...(trace && { trace }),
  } as const satisfies Partial<SimpleFunctionsRuntimeOptions>;
}

/** On a journal, with the installation's secret. */
export async function openLiveRun(
  wanted: WantedRun,
  options: RunCommandOptions,
  {
    place,
    trace,
    undo,
  }: { readonly place: StorePlace; readonly trace?: TraceStore | undefined; readonly undo: Undo },
  context: CommandContext,
): Promise<OpenRun> {
  const { installation, path } = loadInstallation({ env: context.io.env });
  if (place.type === "folder") requireApart(place.folder, path);
  const late = new LateStore();
  const { manifest, where, close, ...tools } = await reachTools(options, late, context);
  undo.push(close);
  const store = late.opened(await openStore(place, patienceOf(options.wait, context)), installation);
  undo.push(() => store.close());
  const { adapter, price } = wanted.model ?? {};
  const runtime = new SimpleFunctionsRuntime({
    ...runtimeTerms(wanted, trace),
    ...tools,
    ...networkOf(options),
    store,
    installation,
    ...(adapter && { model: adapter }),
    ...(adapter && price && { prices: { [adapter.name]: price } }),
  });
  undo.push(() => runtime.close());
  const operator = openOperator({ store, installation, principal: operatorAt(options, context.io) });
  undo.push(() => operator.close());
  return { runtime, manifest, where, operator };
}
