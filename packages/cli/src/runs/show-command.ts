import { CancelledError, exitCodes, InvalidInputError } from "@spfunctions/contracts";
import type { RunHandle } from "@spfunctions/kernel";
import { allBelow, type ChildTree, readRunTree } from "../children/run-tree.ts";
import { masterOf } from "../children/whose-run.ts";
import { asBadUsage, badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { columnsOf } from "../trace/fit-line.ts";
import { isNobodys } from "./is-nobodys.ts";
import { atRun } from "./look-at-runs.ts";
import { printRun } from "./print-run.ts";
import { treeNow, withDecisionTimes } from "./questions-now.ts";
import { isOver, stateOf } from "./run-states.ts";
import { readRunStory, withQuestionsOf } from "./run-story.ts";
import { requireRunId, type RunsOptions } from "./runs-options.ts";

export type RunsShowOptions = RunsOptions & {
  readonly wide?: true;
  readonly events?: true;
  readonly cursor?: string;
  readonly follow?: true;
};

export async function showRun(
  runId: string,
  options: RunsShowOptions,
  context: CommandContext,
): Promise<void> {
  requireRunId(runId);
  if (options.events !== true && (options.follow === true || options.cursor !== undefined))
    throw badUsage("--follow and --cursor are of --events: give that as well");
  const { print, io, exit } = context;
  await atRun(runId, options, context, async (found) => {
    const handle = await found.runs.get(runId);
    if (options.events === true) return await printEvents(handle, options, context);
    const read = await readRunTree(async (id) => await found.runs.get(id), runId);
    const tree = await treeNow(read, { ...found, now: Date.now });
    const { result } = tree;
    const asking = { operator: found.operator, now: Date.now };
    const story = await withDecisionTimes(withQuestionsOf(await readRunStory(found), result), asking);
    const { seal: _, ...run } = found.document;
    const master = await masterOf(found.store, options.account, runId);
    const nobodys = !isOver(result) && (await isNobodys(found, options.account, master));
    const children = tree.children.map(childShown);
    const goesOnWith = master === runId ? {} : { goesOnWith: master };
    const told = { result, story, nobodys, family: { tree, parent: run.parentRunId, master } };
    if (options.json === true)
      print.json({ ok: true, where: found.folder, run, ...goesOnWith, result, children, ...story }, 2);
    else printRun(print, told, found, options.wide === true ? Infinity : columnsOf(io));
    if (allBelow(tree).some(({ problem }) => problem !== undefined)) exit(exitCodes.verificationFailed);
  });
}

/** What whoever reads JSON is told of a child. */
function childShown({ result, children, ...child }: ChildTree): object {
  const state = result === undefined ? "starting" : stateOf(result);
  const { spent = {}, approvals = [], unknown = [], asks } = result ?? {};
  const below = children.map(childShown);
  return { ...child, state, spent, approvals, unknown, ...(asks && { asks }), children: below };
}

const never = AbortSignal.abort();

/** One a line. Whoever does not follow waits for nothing that is still to come. */
async function printEvents(
  handle: RunHandle,
  { cursor, follow }: RunsShowOptions,
  { print, io }: CommandContext,
): Promise<void> {
  const signal = follow === true ? io.signal : never;
  try {
    for await (const event of handle.stream({ cursor: cursorOf(handle, cursor), signal })) print.json(event);
    if (follow === true && io.signal.aborted)
      throw new CancelledError(`nobody watches ${handle.runId} any more; it goes on`);
  } catch (error) {
    throw error instanceof InvalidInputError ? asBadUsage(error) : error;
  }
}

/** An event's seq and index, or the same with its run. */
function cursorOf({ runId }: RunHandle, cursor: string | undefined): string | undefined {
  return cursor !== undefined && /^\d+\.\d+$/.test(cursor) ? `${runId}:${cursor}` : cursor;
}
