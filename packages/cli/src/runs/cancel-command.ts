import { isSimpleFunctionsError, TimeoutError } from "@spfunctions/contracts";
import type { RunHandle, RunResult, RunState } from "@spfunctions/kernel";
import { masterOf } from "../children/whose-run.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { atRun, type FoundRun } from "./look-at-runs.ts";
import { onRuns } from "./on-runs.ts";
import { sayLeft } from "./say-left.ts";
import { hasEnded } from "./run-states.ts";
import { requireRunId, type RunsOptions } from "./runs-options.ts";
import { howToResume } from "./what-it-needs.ts";

export type RunsCancelOptions = RunsOptions & { readonly wait: number };

export async function cancelRun(
  runId: string,
  options: RunsCancelOptions,
  context: CommandContext,
): Promise<void> {
  requireRunId(runId);
  const { account, wait, json } = options;
  const { io, print } = context;
  await atRun(runId, options, context, async (found) => {
    const { parentRunId } = found.document;
    const { result, before } = await onRuns({ ...found, account }, context, async ({ runs, isLeft }) => {
      const handle = await runs.get(runId);
      const state = await handle.state();
      if (hasEnded(state)) return { result: await handle.result(), before: state };
      await runs.cancel(runId);
      if (isLeft()) sayLeft(print, runId);
      return { result: await endOf(handle, { ...found, waitMs: wait }, io.signal), before: state };
    });
    if (json === true) print.json({ ok: true, where: found.folder, result }, 2);
    else {
      print.out(outcomeOf(result, before));
      if (parentRunId !== undefined && !hasEnded(before))
        print.out(await whoIsTold(found, parentRunId, account));
    }
  });
}

async function endOf(
  handle: RunHandle,
  { waitMs, options }: Pick<FoundRun, "options"> & { readonly waitMs: number },
  signal: AbortSignal,
): Promise<RunResult> {
  try {
    return await handle.wait({ timeoutMs: waitMs, signal });
  } catch (error) {
    if (!isSimpleFunctionsError(error) || error.code !== "timeout") throw error;
    throw new TimeoutError(
      `${handle.runId} was told to stop, and has not ended within ${waitMs} ms: it does when what it has begun has ended, or when somebody takes it on. sf runs show ${handle.runId}${options} says whether it has; give it longer with --wait`,
      { details: { reason: "not_taken", waitMs } },
    );
  }
}

/** A parent goes on without its child. */
async function whoIsTold(
  { store, document: { runId }, options }: FoundRun,
  parentRunId: string,
  account: string,
): Promise<string> {
  const master = await masterOf(store, account, runId);
  if (master === runId) return `${parentRunId} had let it go, and goes on as before`;
  return `${parentRunId}, whose child it is, is told when it goes on; where nobody drives it: ${howToResume({ runId: master }, options)}`;
}

/** Where nothing was under way, nothing has ended either. */
const meanings: { readonly [State in RunState]?: string } = {
  waiting: ", and what it had asked with it",
  recovery_needed: "",
};

/** It may have come to its own end meanwhile. */
function outcomeOf({ runId, status, unknown }: RunResult, before: RunState): string {
  if (hasEnded(before) || status !== "cancelled") return `${runId} had ended already: ${status}`;
  const open = unknown.length === 0 ? "" : `; of ${unknown.join(", ")} nobody knows what became`;
  return `${runId} is cancelled${meanings[before] ?? "; what had begun has ended"}${open}`;
}
