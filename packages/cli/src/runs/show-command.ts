import { CancelledError, InvalidInputError } from "@spfunctions/contracts";
import type { RunHandle } from "@spfunctions/kernel";
import { asBadUsage, badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { columnsOf } from "../trace/fit-line.ts";
import { isNobodys } from "./is-nobodys.ts";
import { atRun } from "./look-at-runs.ts";
import { printRun } from "./print-run.ts";
import { withQuestionsNow } from "./questions-now.ts";
import { isOver } from "./run-states.ts";
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
  const { print, io } = context;
  await atRun(runId, options, context, async (found) => {
    const handle = await found.runs.get(runId);
    if (options.events === true) return await printEvents(handle, options, context);
    const result = await withQuestionsNow(await handle.result(), { ...found, now: Date.now });
    const story = withQuestionsOf(await readRunStory(found), result);
    const nobodys = !isOver(result) && (await isNobodys(found, options.account, runId));
    const { seal: _, ...run } = found.document;
    if (options.json === true) print.json({ ok: true, where: found.folder, run, result, ...story }, 2);
    else printRun(print, { result, story, nobodys }, found, options.wide === true ? Infinity : columnsOf(io));
  });
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
