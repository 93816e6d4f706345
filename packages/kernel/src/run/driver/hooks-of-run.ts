// Where a run asks its hooks. B24: whatever one does, the run comes to its end.
import { PolicyDeniedError, type StepId } from "@spfunctions/contracts";
import type { Objection } from "../../hook/hooks.ts";
import type { HookViews } from "../../hook/run-hook.ts";
import type { ModelTurn } from "../model/ask-model.ts";
import type { End } from "../state/decide-run.ts";
import type { LiveRun } from "./live-run.ts";

/** Before a model is asked. */
export async function objectionToTurn(live: LiveRun, turn: ModelTurn): Promise<End | undefined> {
  const { host, unique, run } = live;
  if (!host.runHooks.has("before_model")) return undefined;
  const { step, messages, tools } = turn;
  const { runId } = run.opening;
  const stepId = `step_${unique}-${step}` as StepId;
  const view = { runId, stepId, step, messages, tools: tools.map(({ name }) => name) };
  return ended(await objectionOf(live, "before_model", view));
}

/** After it has answered, and before anything acts on that; once more where the process ended in between. */
export async function objectionToAnswer(live: LiveRun): Promise<End | undefined> {
  const { host, run } = live;
  const last = run.steps.at(-1);
  if (last === undefined || live.heard === last.stepId || !host.runHooks.has("after_model")) return undefined;
  const hasBegun = last.calls.some(({ callId }) => run.shape.calls.get(callId) !== "proposed");
  if (!hasBegun && run.cancelledBy === undefined && !run.isOverrun) {
    const { stepId, text } = last;
    const calls = last.calls.map(({ callId, name, args }) => ({ callId, tool: name, input: args }));
    const view = { runId: run.opening.runId, stepId, text, calls };
    const objection = await objectionOf(live, "after_model", view);
    // Told to stop meanwhile: that is decided on first. Left meanwhile: it is asked again by whoever goes on.
    if (live.halted.aborted) return undefined;
    if (objection !== undefined) return ended(objection);
  }
  live.heard = last.stepId;
  return undefined;
}

/** How a run ends, by what hooks say: only what would be completed can be objected to. Nothing where it was told to stop meanwhile. */
export async function endByHooks(live: LiveRun, end: End): Promise<End | undefined> {
  const { runHooks } = live.host;
  if (end.status !== "completed" || !runHooks.has("on_stop")) return end;
  const objection = await objectionOf(live, "on_stop", endView(live, end));
  return live.halted.aborted ? undefined : (ended(objection) ?? end);
}

/** Whatever else it came to is told once it is on record, so that nobody holds it up. A run of another package is none of theirs. */
export async function tellEnd(live: LiveRun, end: End): Promise<void> {
  if (end.status !== "completed" && !live.isForeign)
    await live.host.runHooks.tell("on_stop", endView(live, end));
}

/** What a hook is asked about is on record. One that hangs holds up nobody who closes: it is asked again where the run goes on. */
async function objectionOf<Point extends "before_model" | "after_model" | "on_stop">(
  { journal, host, halted }: LiveRun,
  point: Point,
  view: HookViews[Point],
): Promise<Objection | undefined> {
  await journal.flush();
  return await host.runHooks.objection(point, view, halted);
}

function endView({ run }: LiveRun, { status, output, error }: End): HookViews["on_stop"] {
  return {
    runId: run.opening.runId,
    status,
    ...(output !== undefined && { output }),
    ...(error && { error: { code: error.code, message: error.message } }),
  };
}

function ended(objection: Objection | undefined): End | undefined {
  if (objection === undefined) return undefined;
  const error = new PolicyDeniedError(`stopped by the hook ${objection.by}: ${objection.reason}`, {
    details: { reason: "hook", hook: objection.by },
  });
  return { type: "end", status: "blocked", error };
}
