import { setTimeout as after } from "node:timers/promises";
import { CancelledError, NotFoundError, TimeoutError } from "@spfunctions/contracts";
import { type RunResult, unknownEffects } from "@spfunctions/kernel";
import { holderOf, readRunTree } from "../children/run-tree.ts";
import { masterOf } from "../children/whose-run.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { atRun, type FoundRun } from "./look-at-runs.ts";
import { onRuns } from "./on-runs.ts";
import { isOver } from "./run-states.ts";
import { requireEffectId, requireRunId, type RunsOptions } from "./runs-options.ts";
import { sayLeft } from "./say-left.ts";
import { howToResume } from "./what-it-needs.ts";

export type RunsResolveOptions = RunsOptions & {
  readonly status: "completed" | "failed";
  readonly note: string;
  readonly wait: number;
};

export async function resolveInRun(
  runId: string,
  effectId: string,
  options: RunsResolveOptions,
  context: CommandContext,
): Promise<void> {
  requireRunId(runId);
  requireEffectId(effectId);
  const { print } = context;
  await atRun(runId, options, context, async (found) => {
    const tree = await readRunTree(async (id) => await found.runs.get(id), runId);
    requireUnknown(tree.result, effectId);
    // Where a child has it, it is on that one's record.
    const before = holderOf(tree, effectId)?.result ?? tree.result;
    const isLeft = await resolve(before, effectId, found, options, context);
    const master = await masterOf(found.store, options.account, before.runId);
    if (options.json === true)
      print.json({ ok: true, where: found.folder, runId: before.runId, effectId, status: options.status }, 2);
    else {
      print.out(`${effectId} is ${options.status} from now on, by your word`);
      print.out(whatFollows(before, isLeft, master, found.options));
    }
  });
}

function requireUnknown({ runId, unknown }: RunResult, effectId: string): void {
  if (unknown.some((one) => one === effectId)) return;
  const there = unknown.length === 0 ? "it has none" : `it has ${unknown.join(", ")}`;
  throw new NotFoundError(`${runId} has no effect ${effectId} of which nobody knows what became: ${there}`, {
    details: { effectId, runId },
  });
}

/** Whether the process that drives the run has kept it. */
async function resolve(
  { runId }: RunResult,
  effectId: string,
  found: FoundRun,
  { account, status, note, wait }: RunsResolveOptions,
  context: CommandContext,
): Promise<boolean> {
  return await onRuns({ ...found, account }, context, async ({ runs, store, isLeft }) => {
    const isOpen = async () =>
      (await unknownEffects(store, account)).some((effect) => effect.effectId === effectId);
    // What was left before may have been taken since.
    if (!(await isOpen())) return true;
    await runs.resolve(runId, effectId, { status, note });
    if (!isLeft()) return false;
    sayLeft(context.print, runId);
    await untilTaken(isOpen, { runId, waitMs: wait, options: found.options }, context.io.signal);
    return true;
  });
}

const lookEveryMs = 50;

async function untilTaken(
  isOpen: () => Promise<boolean>,
  { runId, waitMs, options }: { readonly runId: string; readonly waitMs: number; readonly options: string },
  signal: AbortSignal,
): Promise<void> {
  const begun = performance.now();
  /* oxlint-disable no-await-in-loop -- until it is taken */
  while (await isOpen()) {
    if (performance.now() - begun >= waitMs)
      throw new TimeoutError(
        `it was left for the process that drives ${runId}, which has not taken it within ${waitMs} ms: whoever drives the run next does. sf runs show ${runId}${options} says whether it is taken`,
        { details: { reason: "not_taken", waitMs } },
      );
    await after(lookEveryMs, undefined, { signal }).catch(() => {
      throw new CancelledError(
        `it was left for the process that drives ${runId}; nobody waits for it any more`,
      );
    });
  }
  /* oxlint-enable no-await-in-loop */
}

function whatFollows(before: RunResult, isLeft: boolean, master: string, options: string): string {
  const { runId, status } = before;
  if (isOver(before)) return `${runId} had ended: ${status}`;
  if (isLeft) return `the process that drives ${runId} goes on by it`;
  return `nobody drives ${runId}: ${howToResume({ runId: master }, options)} takes it on`;
}
