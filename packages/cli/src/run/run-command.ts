import type { SimpleFunctionsRuntime } from "@spfunctions/agent/v1";
import {
  exitCodes,
  HostConfigurationNeededError,
  isSimpleFunctionsError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import type { RunsSource } from "../children/told-children.ts";
import { parentOf } from "../children/whose-run.ts";
import { asBadUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { optionsFor } from "../effects/what-to-do.ts";
import { inCommands } from "../io/in-commands.ts";
import { reportError } from "../io/report-error.ts";
import { closedWith } from "../seat/closed-with.ts";
import { held } from "../seat/held.ts";
import { traceFileFor } from "../trace/record-trace.ts";
import { askAtTerminal } from "./ask-at-terminal.ts";
import { demoContext } from "./demo.ts";
import { driveRun } from "./drive-run.ts";
import { exitOfRun } from "./exit-of-run.ts";
import { sayHowToGoOn } from "./how-to-go-on.ts";
import { openLiveRun } from "./open-run.ts";
import { openReplayedRun } from "./open-replayed-run.ts";
import type { RunCommandOptions } from "./run-options.ts";
import { askedPlaceOf, journalOf } from "./run-place.ts";
import { runViewFor } from "./run-view-for.ts";
import { LackingTools, sayWhatIsWanted } from "./say-what-is-wanted.ts";
import { wantedRun } from "./wanted-run.ts";

/** How `sf` is to exit. */
export async function run(
  objective: string | undefined,
  options: RunCommandOptions,
  given: CommandContext,
): Promise<number> {
  const context = options.demo === true ? demoContext(given) : given;
  const { io, print } = context;
  const journal = journalOf(options, io);
  const place = askedPlaceOf(journal, options, io);
  const view = runViewFor(options, { print, io, options: optionsFor(place) });
  view.begun();
  const wanted = await wantedRun(objective, options, io);
  const trace = await traceFileFor(options.recordTrace, io);
  try {
    return await held(async (undo, close) => {
      if (trace !== undefined) undo.push(() => trace.end());
      const open =
        options.replayTrace === undefined
          ? await openLiveRun(wanted, options, { place: journal, trace, undo }, context)
          : await openReplayedRun(wanted, options, { trace, undo }, context);
      const { runtime, manifest, where } = open;
      const source = sourceOf(runtime, options);
      view.opened({ manifest, where, wanted, policyName: policyNameOf(options), source });
      const ask = askAtTerminal(open, options, journal.called, context);
      io.signal.addEventListener("abort", view.cancelling, { once: true });
      io.entering?.({ type: "tool", name: "a tool of this run" });
      const lacking = new LackingTools(view);
      const result = await driveRun(runtime, { ...wanted.input, signal: io.signal }, lacking, ask);
      view.ended(result);
      await sayWhatIsWanted(result, open, { options, place, lacking }, print);
      await sayHowToGoOn(result, open, { options, place }, print);
      return await closedWith(exitOfRun(result, io.signal), close, context);
    });
  } catch (error) {
    return refusedBy(error, options, { ...context, added: optionsFor(place) });
  }
}

function sourceOf(runtime: SimpleFunctionsRuntime, { account }: RunCommandOptions): RunsSource {
  return {
    get: async (runId) => await runtime.get(runId),
    parentOf: async (runId) => await parentOf(runtime.store, account, runId),
  };
}

function policyNameOf({ demo, policy }: RunCommandOptions): string | undefined {
  return demo === true ? "the demo's own" : policy;
}

const usages: ReadonlySet<unknown> = new Set(["bad_schema", "bad_option", "subagent_cost"]);

/** What was wrong with what was given is for whoever gave it to mend; a session that has a run under way takes no other. */
function refusedBy(
  error: unknown,
  options: RunCommandOptions,
  { print, io, added }: CommandContext & { readonly added: string },
): number {
  if (!isSimpleFunctionsError(error)) throw error;
  if (options.demo === true && error.code === "unknown_tool")
    throw new HostConfigurationNeededError(
      `the platform that is up here has no markets, which the demo needs (${error.message}); stop it, or go to another folder`,
      { details: { reason: "no_markets" }, cause: error },
    );
  if (usages.has(error.details?.reason)) throw asBadUsage(error);
  if (!isOfSession(error)) throw error;
  const mode = options.ndjson === true ? "ndjson" : options.json === true ? "json" : "human";
  reportError(print, inCommands(error, added), mode, io.env);
  return exitCodes.refused;
}

function isOfSession({ code, details }: SimpleFunctionsError): boolean {
  return code === "invalid_transition" && details?.sessionId !== undefined;
}
