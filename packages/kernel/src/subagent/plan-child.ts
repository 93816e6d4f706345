// What a child is started with, put together before anything of it is written: what it may use up, the package that it runs on, and
// what it is told.
import {
  type ContentRef,
  type ContentRow,
  type ContextHandoffPolicy,
  HostConfigurationNeededError,
  type JsonObject,
  type JsonValue,
  parsePolicy,
  type PolicyLevel,
  type Principal,
  type RunId,
  type RuntimePackage,
} from "@spfunctions/contracts";
import { readable, recordedForm } from "../call/payload.ts";
import { keptLevels } from "../judge/kept-policy.ts";
import { readPayload } from "../journal/read-payload.ts";
import { draftContent, draftRecord, type RecordDraft } from "../journal/record-draft.ts";
import type { ModelMessage } from "../model/model-adapter.ts";
import { activeOf } from "../package/derive-routes.ts";
import type { LiveRun } from "../run/driver/live-run.ts";
import { draftTold } from "../run/model/conversation.ts";
import type { RunModel } from "../run/run-host.ts";
import { sessionHistory } from "../run/model/session-history.ts";
import { contentRef } from "../time/ids.ts";
import {
  buildChildRuntimePackage,
  stripManifestDigest,
  stripRecursiveDefaults,
} from "./build-child-package.ts";
import { type BudgetLeft, type ChildBudget, childBudget } from "./child-budget.ts";
import { type HandedOver, handOver } from "./hand-over.ts";
import { answersOf, readContent, type RunContent, toldIn } from "./parent-history.ts";
import { howToAsk } from "./question.ts";
import { type ChildTask, handoffPolicyRef, type SubagentPlan } from "./subagent.ts";

export type ChildStart = {
  readonly childRunId: RunId;
  readonly plan: SubagentPlan;
  readonly task: ChildTask;
  /** Exactly what is handed over, in place of what the plan says. */
  readonly handoff?: ContextHandoffPolicy | undefined;
  readonly call?: string | undefined;
  readonly by: Principal;
};

type PlannedChild = { readonly package: RuntimePackage; readonly record: RecordDraft };

/** What it may use up is set aside when this is back: whoever does not start it gives that up. */
export async function planChild(live: LiveRun, start: ChildStart): Promise<PlannedChild> {
  const { host, run } = live;
  const { plan, childRunId, task } = start;
  const summary = summaryOf(live, start);
  const { policy, handed } = await handedOver(live, start, summary?.row);
  // Nothing is waited for from here on, so that what is left now is there.
  const depth = run.opening.depth ?? { currentDepth: 0, maxDepth: 0, maxChildren: 0 };
  const { activeMs, judge } = live;
  const budget = childBudget(
    { budget: judge.budget, depth, ...leftBeside(live, start), activeMs },
    plan.budget,
    plan.policy?.budget,
  );
  live.setAside(childRunId, budget.reserved);
  const child = buildChildRuntimePackage(host.package, {
    childAgentId: plan.name,
    route: plan.route,
    handoff: policy,
    tools: plan.tools,
    policy: {
      ...stripRecursiveDefaults(host.package.fingerprint),
      allowedRouteOverrides: [...host.routes.keys()],
    },
    levels: keptLevels(levelsOf(live, plan, budget), host.proves),
    outputContract: plan.output,
    createdAt: new Date(host.clock.now()).toISOString(),
  });
  const unique = childRunId.slice("run_".length);
  const said = recorded(live, openingOf(plan, task, handed.messages));
  const input = draftContent(contentRef(unique, "opening"), host.ids.salt(), said.text, said.hash);
  const told = draftTold(unique, host.ids.salt(), handed.digest);
  const record = draftRecord(
    "subagent.started",
    {
      runId: run.opening.runId,
      childRunId,
      subagent: plan.name,
      agentId: child.package.agentId,
      mode: plan.mode,
      ...(start.call !== undefined && { call: start.call as never }),
      by: start.by,
      packageFingerprint: child.fingerprint,
      stripManifest: stripManifestDigest(child.stripManifest),
      depth: budget.depth,
      reserved: budget.reserved,
      handoff: handed.audit,
      told: told.digest,
      ...(summary && { summary: summary.digest }),
      input: input.digest,
    },
    { content: [input.row, ...(summary ? [summary.row] : []), told.row] },
  );
  return { package: child.package, record };
}

/** What is used up, and how many others are about to start a child. */
function leftBeside(live: LiveRun, { childRunId, call }: ChildStart): Pick<BudgetLeft, "used" | "others"> {
  const { toStart } = live;
  const { children = 0, ...used } = live.used(childRunId);
  const isOneOfThem = call !== undefined && toStart > 0;
  return { used: { ...used, children: children - toStart }, others: toStart - (isOneOfThem ? 1 : 0) };
}

/** S1: what its parent's model has put into words is told as it is kept. */
function summaryOf(live: LiveRun, { plan, task, handoff, childRunId }: ChildStart) {
  if (handoff !== undefined || plan.handoff.type !== "summary_only") return undefined;
  const { text } = recorded(live, task.summary ?? "");
  const ref = contentRef(childRunId.slice("run_".length), "summary");
  return draftContent(ref, live.host.ids.salt(), readPayload(text) as string);
}

function recorded({ host }: LiveRun, value: JsonValue) {
  const said = readable(value, "what a child is told", "");
  return recordedForm(said, { publicPaths: [], secretPaths: [] }, host.keyedHash);
}

async function handedOver(
  live: LiveRun,
  { plan, handoff: exact }: ChildStart,
  summary: ContentRow | undefined,
): Promise<{ readonly policy: ContextHandoffPolicy; readonly handed: HandedOver }> {
  const { run, host } = live;
  const needsContent = (exact ?? plan.handoff).type === "selected_refs" || exact?.type === "summary_only";
  if (needsContent) await live.journal.flush();
  const content = needsContent ? await readContent(host.store, run.opening) : nothing;
  const policy = exact ?? policyOf(plan, content, summary);
  const session = policy.type === "full_history_with_policy" ? await sessionOf(live) : [];
  const textOf = (ref: ContentRef) =>
    ref === summary?.ref && "text" in summary ? summary.text : content.texts.get(ref);
  return { policy, handed: handOver(policy, { textOf, told: () => toldIn(run, session) }) };
}

const nothing: RunContent = { calls: new Map(), texts: new Map() };

function policyOf(
  plan: SubagentPlan,
  content: RunContent,
  summary: ContentRow | undefined,
): ContextHandoffPolicy {
  const { handoff } = plan;
  const policyRef = handoffPolicyRef(plan);
  if (handoff.type === "full_history_with_policy")
    return { type: handoff.type, policyRef, projectionAuditRequired: true };
  if (handoff.type === "summary_only")
    return {
      type: handoff.type,
      summaryRef: summary?.ref as ContentRef,
      maxTokens: handoff.maxTokens,
      policyRef,
    };
  const refs = handoff.type === "selected_refs" ? answersOf(content, handoff.results) : [];
  // Where they have answered nothing yet, there is nothing to hand over.
  return refs.length === 0 ? { type: "none" } : { type: "selected_refs", refs, policyRef };
}

async function sessionOf({ run, host }: LiveRun): Promise<readonly ModelMessage[]> {
  const { previous, accountId } = run.opening;
  if (previous === undefined) return [];
  const { store, contextTokens = 0, requireProven } = host;
  return await sessionHistory(previous, { store, accountId, mostBytes: 4 * contextTokens, requireProven });
}

/** What its parent gives it on top of all that its parent itself must keep to: everything that it has, and so much of it. */
function levelsOf({ host }: LiveRun, { policy }: SubagentPlan, { budget }: ChildBudget): PolicyLevel[] {
  const given = parsePolicy({
    maxSideEffect: "paper_trade",
    maxCostEffect: "llm_cost",
    allowTools: [
      ...new Set([
        ...activeOf(host.package.capabilities).map(({ contract }) => contract.name),
        // What only the host starts of them, it may.
        ...host.subagents.keys(),
      ]),
    ],
    budget,
  });
  return [{ level: "parent", policy: given }, ...(policy ? [{ level: "run", policy } as const] : [])];
}

/** The model that drives a child, as its package says. */
export function requireModel({ host }: LiveRun, { provider }: RuntimePackage): RunModel {
  const { routeId, model: name } = provider ?? {};
  const isParents = routeId === undefined || routeId === host.package.provider?.routeId;
  const model = isParents ? host.model : host.routes.get(routeId);
  if (model !== undefined && model.adapter.name === name) return model;
  throw new HostConfigurationNeededError(
    `the route ${routeId ?? "of its parent"} has ${model?.adapter.name ?? "no model"} here, and a child is to be driven by ${name ?? "none"}; give that one`,
    { details: { reason: "no_route" } },
  );
}

function openingOf(
  { objective, mayAsk }: SubagentPlan,
  task: ChildTask,
  handed: readonly ModelMessage[],
): JsonValue {
  return [
    { role: "system", text: mayAsk ? `${objective}\n\n${howToAsk}` : objective },
    ...handed.map(({ role, text }) => ({ role, text })),
    taskMessage(task),
  ];
}

/** The last that it is told. */
export function taskMessage({ task, data }: ChildTask): JsonObject {
  return { role: "user", text: task, ...(data && { data }) };
}
