// Runs what is decided, and decides on what was written: the driver knows nothing of a run that its journal does not say.
import { InternalError, isSimpleFunctionsError } from "@spfunctions/contracts";
import { passed } from "../../time/passed.ts";
import { draftContent, draftRecord } from "../../journal/record-draft.ts";
import { isOutage } from "../../store/is-outage.ts";
import { messageIdOf } from "../../subagent/child-records.ts";
import type { ChildRuns } from "../../subagent/child-runs.ts";
import { contentRef } from "../../time/ids.ts";
import { askModel, type ModelTurn, planTurn } from "../model/ask-model.ts";
import { condensedTurn, condenseRun, type Less } from "../model/condense-run.ts";
import { type Command, decideRun, type End, hasBegun } from "../state/decide-run.ts";
import { endRun } from "./end-run.ts";
import type { LiveRun } from "./live-run.ts";
import { objectionToAnswer, objectionToTurn } from "./hooks-of-run.ts";
import { overBudget } from "../state/run-budget.ts";
import { runCalls } from "./run-calls.ts";

/** Drives a run to its end, or as far as it goes before this process closes. */
export async function driveRun(live: LiveRun, children: ChildRuns): Promise<void> {
  const { host } = live;
  live.mindTime();
  while (live.run.end === undefined && !live.closing.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- each command depends on what the one before has written
    const objection = await objectionToAnswer(live);
    if (live.closing.aborted) break;
    const { changed, run } = live;
    const command = objection ?? stopped(live) ?? decideRun(run, host.runLimits);
    // oxlint-disable-next-line no-await-in-loop -- see above
    const end = await carryOut(live, command, changed);
    // S2: no child outlives its parent, unless it was let go.
    // oxlint-disable-next-line no-await-in-loop -- see above
    if (end !== undefined && (await children.end(live))) await endRun(live, end, run);
  }
  children.requireWell(live);
  await live.journal.flush();
}

/** It was stopped, and not cancelled: what had begun has ended, and nothing begins. What nobody knows of comes first. */
function stopped(live: LiveRun): Command | undefined {
  const { signal, run, withdrawn } = live;
  if (!signal.aborted || run.cancelledBy !== undefined) return undefined;
  if (hasBegun(run) || run.shape.state === "recovery_needed") return undefined;
  return withdrawn === undefined ? timeIsUp(live) : { type: "end", status: "blocked", error: withdrawn };
}

function timeIsUp({ judge, run, activeMs }: LiveRun): End {
  const { maxWallMs = 0 } = judge.budget;
  const error = overBudget(judge.budget, run, {}, {}, Math.max(activeMs, maxWallMs + 1));
  return { type: "end", status: "blocked", ...(error && { error }) };
}

/** How it is to end, where it is. */
async function carryOut(live: LiveRun, command: Command, changed: Promise<void>): Promise<End | undefined> {
  if (command.type === "end") return command;
  if (command.type === "ask_model") return await takeTurn(live, command);
  if (command.type === "call") await runCalls(live, command.calls);
  if (command.type === "ask_parent") await askParent(live, command.question);
  if (command.type === "rest") await changed;
  return undefined;
}

/** What it asks, its parent finds here. */
async function askParent({ host, run, journal, unique }: LiveRun, question: string): Promise<void> {
  const { runId } = run.opening;
  const name = `${unique}-${run.steps.length}`;
  const { row, digest } = draftContent(contentRef(name, "question"), host.ids.salt(), question);
  const body = { runId, messageId: messageIdOf(name), output: digest };
  const records = [draftRecord("run.asked", body, { content: [row] })];
  await journal.append({ durability: "process", records });
}

async function takeTurn(
  live: LiveRun,
  command: Extract<Command, { type: "ask_model" }>,
): Promise<End | undefined> {
  const { host, judge } = live;
  const { failures } = live.run;
  if (failures > 0) await passed(host.clock, Math.max(1, pauseOf(live)), [live.signal, host.closing]);
  // Told to stop meanwhile, or left: whoever looks next decides on that.
  if (host.closing.aborted || !(await live.mayGoOn()) || host.closing.aborted) return undefined;
  const planned = await plan(live, command);
  if ("type" in planned) return planned;
  const { turn, less } = planned;
  // Then it is looked at anew.
  if (less !== undefined) {
    await condenseRun(live, turn, less);
    return undefined;
  }
  const error = overBudget(judge.budget, live.run, live.used("turn"), turn.worst, live.activeMs);
  if (error !== undefined) return { type: "end", status: "blocked", error };
  // From here on nothing else can begin on what it may cost.
  live.setAside("turn", turn.worst);
  try {
    const objection = await objectionToTurn(live, turn);
    if (host.closing.aborted || live.signal.aborted) return undefined;
    if (objection !== undefined) return objection;
    await askModel(live, turn);
    return undefined;
  } finally {
    live.dropAside("turn");
  }
}

/** Twice as long each time, and no shorter than its provider asks for, within reason. */
function pauseOf({ host, run, patienceMs }: LiveRun): number {
  const own = host.runLimits.backoffMs * 2 ** (run.failures - 1);
  return Math.max(own, Math.min(patienceMs, longestPatienceMs));
}

/**
 * How long a provider may ask to be left alone between two attempts.
 * @limit run.longestRetryAfterMs | it is asked after this | fixed: a run that is driven holds a lease
 */
const longestPatienceMs = 120_000;

/** B24: where what a model is shown cannot be put together, no later attempt can either; but for a store that is away for a while. */
async function plan(
  live: LiveRun,
  command: Pick<ModelTurn, "step" | "attempt">,
): Promise<{ readonly turn: ModelTurn; readonly less: Less | undefined } | End> {
  try {
    await live.recall();
    const turn = await planTurn(live, command, live.shown.upTo(live.run));
    return { turn, less: condensedTurn(live, turn) };
  } catch (cause) {
    if (isOutage(cause)) throw cause;
    const error = isSimpleFunctionsError(cause)
      ? cause
      : new InternalError("what the model is to be shown could not be put together", { cause });
    return { type: "end", status: "failed", error };
  }
}
