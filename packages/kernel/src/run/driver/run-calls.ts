// The calls of one step, by the package's strategy. Each goes the governed path, as any other call.
import { type AgentEvent, hasPlaceholder, InvalidInputError } from "@spfunctions/contracts";
import type { Idle, Watch } from "../../call/call-in-progress.ts";
import { seesItThrough } from "../../call/executors.ts";
import { GovernedCalls } from "../../call/governed-calls.ts";
import { refuseCall } from "../../call/refuse-call.ts";
import { Unfinished } from "../../call/run-once.ts";
import { untilAnswered } from "../../call/until-answered.ts";
import { settlePending } from "../../recovery/settle-pending.ts";
import { isOutage } from "../../store/is-outage.ts";
import { nameCall, uniqueOf } from "../../time/ids.ts";
import { mayBegin } from "../state/decide-run.ts";
import { readBefore } from "../state/read-before.ts";
import { giveUpCall } from "./give-up-call.ts";
import type { LiveRun } from "./live-run.ts";
import { type Place, runBatch } from "./run-batch.ts";
import type { ProposedCall } from "../state/run-step.ts";

const never = new AbortController().signal;

/** Takes every call to where it ends, or to where only a person can take it on. */
export async function runCalls(live: LiveRun, calls: readonly ProposedCall[]): Promise<void> {
  const { strategy } = live.host.package;
  const faults: unknown[] = [];
  await runBatch(
    strategy,
    calls,
    async (call, _index, place) => {
      live.places.set(call.callId, place);
      await unlessUnfinished(takeOn(live, call, place)).finally(() => live.places.delete(call.callId));
    },
    (outcome) => {
      if (outcome.status !== "failed") return;
      faults.push(outcome.error);
      live.leave();
    },
    // What has begun ends also where nothing more is to begin.
    never,
  );
  if (faults.length > 0) throw faults[0];
}

/** A call that this process cannot see through has no end yet: whoever goes on with the run sees to that. */
async function unlessUnfinished(taking: Promise<void>): Promise<void> {
  try {
    await taking;
  } catch (error) {
    if (!(error instanceof Unfinished)) throw error;
    if (error.cause !== undefined) throw error.cause;
  }
}

async function takeOn(live: LiveRun, call: ProposedCall, place: Place): Promise<void> {
  const { host, isForeign } = live;
  const phase = live.run.shape.calls.get(call.callId);
  if (phase === "proposed") {
    // X1: it begins once every effect is known, also while others of its step wait for a person.
    await live.untilKnown();
    const mayGoOn = !live.closing.aborted && (await live.mayGoOn());
    return mayGoOn && mayBegin(live.run, host.runLimits) ? await propose(live, call, place) : undefined;
  }
  if (phase !== "waiting" && phase !== "running") return;
  if (isForeign || (phase === "waiting" && live.run.isOverrun)) return await giveUpCall(live, call.callId);
  // No tool runs again for a run that was told to stop, or whose starter's key has ended.
  if (phase === "running" && !isSeenThrough(live, call) && !(await live.mayGoOn()))
    return await giveUpCall(live, call.callId);
  // What was approved meanwhile goes on as it would have when it was approved.
  if (phase === "waiting") await idleOf(live, place)(async () => undefined);
  if (!live.closing.aborted) await pickUp(live, call, place);
}

/** It is told to stop, and comes to its own end. */
function isSeenThrough({ host }: LiveRun, { name }: ProposedCall): boolean {
  const tool = host.registry.tools.get(name);
  return tool !== undefined && seesItThrough(tool);
}

async function propose(live: LiveRun, call: ProposedCall, place: Place): Promise<void> {
  const { callId, name, args } = call;
  const host = live.hostOf(callId);
  const { runId, traceId } = live.run.opening;
  const given = live.argsOf(callId);
  if (given === undefined && isIncomplete(call)) return await refuseIncomplete(live, call);
  const request = { tool: name, input: given ?? args, signal: live.signal, traceId };
  const placed = {
    unique: uniqueOf({ callId }),
    runId,
    idle: idleOf(live, place),
    readBefore: readBefore(live.run, callId),
  };
  live.begun.add(callId);
  try {
    await new GovernedCalls(host).call(request, liveOnly(live.watch), undefined, placed);
  } finally {
    live.dropAside(callId);
  }
}

/** Whether what is kept of it is not what the model has proposed. */
function isIncomplete({ args, isErased }: ProposedCall): boolean {
  return isErased === true || hasPlaceholder(JSON.stringify(args));
}

/** Only what a model has proposed is called: where that is kept nowhere, it is told to propose it again. */
async function refuseIncomplete(live: LiveRun, { callId, name }: ProposedCall): Promise<void> {
  const { runId, traceId } = live.run.opening;
  const unique = uniqueOf({ callId });
  const names = { ...nameCall(unique, traceId), runId };
  const { verdict } = live.judge.judge({ tool: name, origin: "model" });
  const error = new InvalidInputError(
    `${name}: the process ended before it began, and what it was to be called with held a secret, or was erased; propose it again`,
    { details: { reason: "redacted_value_in_input" } },
  );
  const call = { request: { tool: name }, unique, names, watch: undefined };
  await refuseCall(live.hostOf(callId), call, { verdict, error, tool: live.host.registry.tools.get(name) });
}

/** What has a place in the journal is seen there. */
function liveOnly(watch: Watch | undefined): Watch | undefined {
  if (watch === undefined) return undefined;
  return (event: AgentEvent) => ("live" in event ? watch(event) : undefined);
}

/**
 * X1: a call that a person lets run waits on while nobody knows what became of another. Left where it is, if this process closes, or
 * nothing further may start.
 */
function idleOf(live: LiveRun, place: Place): Idle {
  return async <Seen>(wait: () => Promise<Seen>) => {
    const seen = await place.idle(async () => {
      const waited = await wait();
      await live.untilKnown();
      return waited;
    });
    await live.mayGoOn();
    return live.closing.aborted || live.run.isOverrun ? (undefined as Seen) : seen;
  };
}

/** A call that was begun by a process that is no more. */
async function pickUp(live: LiveRun, { callId }: ProposedCall, place: Place): Promise<void> {
  const host = live.hostOf(callId);
  const idle = idleOf(live, place);
  for (;;) {
    const call = live.run.calls.get(callId);
    if (call === undefined) return;
    // oxlint-disable-next-line no-await-in-loop -- again once a person has answered
    const settled = await settlePending(host, live.journal.segment, call, {
      content: live.run.content,
      signal: live.signal,
    }).catch(async (error: unknown) => {
      // A store that does not answer for a while ends no waiting.
      if (!isOutage(error) || live.run.shape.calls.get(callId) !== "waiting" || live.signal.aborted)
        throw error;
      await host.waits.pause(pauseMs, [live.signal, host.closing]);
      return undefined;
    });
    if (live.closing.aborted) return;
    if (settled === undefined) continue;
    if (settled.outcome !== "left") return;
    const { waitsFor } = settled;
    // Nobody else can settle it either: under this package it is not allowed now.
    // oxlint-disable-next-line no-await-in-loop -- see above
    if (waitsFor === undefined) return await giveUpCall(live, callId);
    // oxlint-disable-next-line no-await-in-loop -- see above
    const isAnswered = await idle(
      async () => await untilAnswered(host, waitsFor, [live.signal, host.closing]),
    );
    if (!isAnswered && !live.signal.aborted) return;
  }
}

const pauseMs = 1000;
