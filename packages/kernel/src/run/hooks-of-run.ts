// Where a run asks its hooks. B24: whatever one does, the run comes to its end.
import { type JsonValue, PolicyDeniedError, type StepId } from "@spfunctions/contracts";
import type { Objection } from "../hook/hooks.ts";
import type { ModelTurn } from "./ask-model.ts";
import type { End } from "./decide-run.ts";
import type { LiveRun } from "./live-run.ts";

/** Before a model is asked. */
export async function objectionToTurn(live: LiveRun, turn: ModelTurn): Promise<End | undefined> {
  const { host, unique, run } = live;
  if (!host.runHooks.has("before_model")) return undefined;
  const { step, messages, tools } = turn;
  const { runId } = run.opening;
  const stepId = `step_${unique}-${step}` as StepId;
  const view = { runId, stepId, step, messages, tools: tools.map(({ name }) => name) };
  return ended(await host.runHooks.objection("before_model", Object.freeze(view)));
}

/** After it has answered, and before anything acts on that; once more where the process ended in between. */
export async function objectionToAnswer(live: LiveRun): Promise<End | undefined> {
  const { host, run } = live;
  const last = run.steps.at(-1);
  if (last === undefined || live.heard === last.stepId || !host.runHooks.has("after_model")) return undefined;
  const hasBegun = last.calls.some(({ callId }) => run.shape.calls.get(callId) !== "proposed");
  if (!hasBegun && run.cancelledBy === undefined && !run.isOverrun) {
    const { stepId, text } = last;
    const calls = last.calls.map(({ callId, name, args }) => ({
      callId,
      tool: name,
      input: structuredClone(args),
    }));
    const view = Object.freeze({ runId: run.opening.runId, stepId, text, calls });
    const objection = ended(await host.runHooks.objection("after_model", view));
    if (objection !== undefined) return live.run.cancelledBy === undefined ? objection : undefined;
  }
  live.heard = last.stepId;
  return undefined;
}

/** Before a run ends: only what would be completed can be objected to. */
export async function objectionToEnd({ host, run }: LiveRun, end: End): Promise<End | undefined> {
  if (!host.runHooks.has("on_stop")) return undefined;
  const { status, output, error } = end;
  const view = {
    runId: run.opening.runId,
    status,
    ...(output !== undefined && { output: structuredClone<JsonValue>(output) }),
    ...(error && { error: { code: error.code, message: error.message } }),
  };
  const objection = ended(await host.runHooks.objection("on_stop", Object.freeze(view)));
  return status === "completed" ? objection : undefined;
}

function ended(objection: Objection | undefined): End | undefined {
  if (objection === undefined) return undefined;
  const error = new PolicyDeniedError(`stopped by the hook ${objection.by}: ${objection.reason}`, {
    details: { reason: "hook", hook: objection.by },
  });
  return { type: "end", status: "blocked", error };
}
