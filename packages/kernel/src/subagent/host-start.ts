// A child that the host starts is judged as one that its parent's model would start: there is no second path. Where a person would be
// asked it is refused, because host code is no operator.
import {
  canonicalJson,
  type ContextHandoffPolicy,
  contextHandoffPolicySchema,
  IdempotencyConflictError,
  InvalidInputError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NotFoundError,
  parseAtDoor,
} from "@spfunctions/contracts";
import { askPolicy } from "../call/ask-policy.ts";
import { readable, recordedForm } from "../call/payload.ts";
import { policyViewOf } from "../call/policy-view.ts";
import { judgedForm, prepareInput } from "../call/prepare-input.ts";
import { refusalError } from "../call/refusal-error.ts";
import { compileJudge, type Judgement } from "../judge/judge.ts";
import { readPayload } from "../journal/read-payload.ts";
import type { LiveRun } from "../run/driver/live-run.ts";
import { nameCall } from "../time/ids.ts";
import { registerPacks } from "../tool/registry.ts";
import type { Child } from "./fold-child.ts";
import { readContent } from "./parent-history.ts";
import { taskMessage } from "./plan-child.ts";
import { type ChildTask, type SubagentPlan, subagentTool } from "./subagent.ts";

/** What a host starts a child with. */
export type StartChild = ChildTask & {
  /** The name of one of the subagents that there are. */
  readonly subagent: string;
  /** The same key starts the same child, once. */
  readonly key: string;
  /** Exactly what is handed over, in place of what the subagent says. */
  readonly handoff?: ContextHandoffPolicy | undefined;
};

export type HostStart = {
  readonly key: string;
  readonly plan: SubagentPlan;
  readonly task: ChildTask;
  readonly handoff: ContextHandoffPolicy | undefined;
};

/** What is given, read once, and allowed. */
export async function readHostStart(live: LiveRun, given: StartChild): Promise<HostStart> {
  const { value } = readable(given ?? null, "what a child is started with", "");
  if (!isJsonObject(value))
    throw new InvalidInputError("a child is started with an object: subagent, key, task");
  const { subagent, key, handoff: exact, ...task } = value;
  const { subagents } = live.host;
  const known = typeof subagent === "string" ? subagents.get(subagent) : undefined;
  if (known === undefined)
    throw new NotFoundError(
      `there is no subagent ${JSON.stringify(subagent)?.slice(0, 80)} here; there are: ${[...subagents.keys()].join(", ") || "none"}`,
      { details: { reason: "no_subagent" } },
    );
  if (typeof key !== "string" || key.trim() === "")
    throw new InvalidInputError("a child that the host starts has a key: the same key starts it once", {
      details: { path: "/key" },
    });
  const handoff =
    exact === undefined
      ? undefined
      : parseAtDoor(contextHandoffPolicySchema, exact, "handoff", InvalidInputError);
  // It goes on beside its parent, whichever way a call of it would.
  const plan = { ...known, mode: "background" } as const;
  await requireAllowed(live, handoff === undefined ? plan : { ...plan, handoff: { type: "none" } }, task);
  return { key, plan, task: task as ChildTask, handoff };
}

/**
 * By all that its parent must keep to, as whom that acts, and by the host's own rules. A child has no such tool: it is judged as if it had
 * this one alone.
 */
async function requireAllowed({ host, run }: LiveRun, plan: SubagentPlan, task: JsonObject): Promise<void> {
  const tool = subagentTool(plan);
  const { principal, origin, runId } = run.opening;
  const { clock, limits } = host;
  // R1: nobody is asked about what is only replayed.
  const evaluatePreTool = host.replay === undefined ? host.evaluatePreTool : undefined;
  const judge = compileJudge({
    registry: registerPacks([[tool]]),
    levels: host.package.policies,
    principal,
    surface: "agent",
    hasPreTool: evaluatePreTool !== undefined,
    rules: host.package.rules && { names: host.package.rules },
    matchesConfirm: () => false,
  });
  const input = prepareInput(tool, readable(task, "the task", ""), host.keyedHash);
  const judged = { tool: plan.name, origin, input: judgedForm(input) } as const;
  const first = judge.judge(judged);
  if (first.verdict.outcome !== "allow" || evaluatePreTool === undefined || input.type === "unreadable")
    return requireAllow(plan, first);
  const names = { ...nameCall(host.ids.unique()), runId };
  const view = policyViewOf({ ...host, principal, origin }, names, tool, input);
  const preTool = await askPolicy(evaluatePreTool, view, { clock, timeoutMs: limits.policyMs });
  requireAllow(plan, judge.judge({ ...judged, preTool }));
}

function requireAllow({ name }: SubagentPlan, judgement: Judgement): void {
  if (judgement.verdict.outcome !== "allow") throw refusalError(name, judgement);
}

/** The same key is for the same child, and the same task. What was erased can be compared with nothing. */
export async function requireSameStart(
  { host, run }: LiveRun,
  { childRunId, started }: Child,
  { plan, task }: Pick<HostStart, "plan" | "task">,
): Promise<void> {
  const { texts } = await readContent(host.store, run.opening);
  const text = texts.get(started.input.ref);
  const told = text === undefined ? undefined : (readPayload(text) as JsonValue[]).at(-1);
  const said = readable(taskMessage(task), "the task", "");
  const same = recordedForm(said, { publicPaths: [], secretPaths: [] }, host.keyedHash).text;
  const isSame = told === undefined || canonicalJson(told) === same;
  if (isSame && started.subagent === plan.name) return;
  throw new IdempotencyConflictError(
    `${childRunId} was started with this key, and for another task; start another with another key`,
    { details: { childRunId } },
  );
}
