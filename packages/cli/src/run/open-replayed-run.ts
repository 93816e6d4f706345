// R1: on recorded traces, in memory. No data folder is touched, no tool runs and no model is asked over the network.
import { SimpleFunctionsRuntime } from "@spfunctions/agent/v1";
import { modelPrices, priceFor } from "@spfunctions/host/models";
import {
  describedTool,
  type ModelPrice,
  openReplay,
  registerPacks,
  type TraceStore,
} from "@spfunctions/kernel";
import type { CommandContext } from "../command-line/command-context.ts";
import { loadPacks } from "../packs/load-packs.ts";
import { callerOf } from "../seat/caller.ts";
import type { Undo } from "../seat/held.ts";
import { installationIfAny } from "../seat/installation-if-any.ts";
import { traceTexts } from "../trace/open-trace.ts";
import { requireWholeTraces } from "../trace/read-trace-file.ts";
import { type OpenRun, runtimeTerms } from "./open-run.ts";
import type { RunCommandOptions } from "./run-options.ts";
import type { WantedRun } from "./wanted-run.ts";

export async function openReplayedRun(
  wanted: WantedRun,
  { pack, account, replayTrace = [] }: RunCommandOptions,
  { trace, undo }: { readonly trace?: TraceStore | undefined; readonly undo: Undo },
  context: CommandContext,
): Promise<OpenRun> {
  const files = await traceTexts(replayTrace, context);
  await requireWholeTraces(files);
  // R1: in a replay nobody is asked, and so no rule.
  const tools = pack === undefined ? undefined : (await loadPacks(pack, context.io)).tools;
  const installation = installationIfAny(context.io);
  const replay = files.map(({ text }) => text);
  const { model } = wanted;
  const runtime = new SimpleFunctionsRuntime({
    ...runtimeTerms(wanted, trace),
    mode: "replayOnly",
    replay,
    principal: callerOf(account),
    prices: knownPrices(),
    ...(tools && { packs: [tools] }),
    ...(installation && { installation }),
    ...(model === undefined ? { modelReplay: true } : { model: model.adapter }),
  });
  undo.push(() => runtime.close());
  const { manifest } = registerPacks(tools === undefined ? await recordedTools(replay) : [tools]);
  return { runtime, manifest, where: replayTrace.join(", ") };
}

/** A trace replays alone: it has the contracts that it was recorded under. */
async function recordedTools(texts: readonly string[]) {
  return (await openReplay(texts)).contracts.map((contract) => describedTool(contract));
}

/** By the names that records have: which model it was, the traces say. */
function knownPrices(): Record<string, ModelPrice> {
  const names = Object.keys(modelPrices).flatMap((name) => [name, `openai:${name}`, `anthropic:${name}`]);
  const known = names.map((name) => [name, priceFor(name)] as const);
  return Object.fromEntries(known.filter((one): one is [string, ModelPrice] => one[1] !== undefined));
}
