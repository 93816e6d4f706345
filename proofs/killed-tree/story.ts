// What the journals of every tree, the approvals and the world say in the end. They must tell the same story.
import { canonicalJson, type RunId } from "@spfunctions/contracts";
import { problemsOf, type Store, verifyAccount } from "@spfunctions/kernel";
import type { CountingServer } from "../crash-truth/counting-server.ts";
import { accountId } from "../killed-runtime/plan.ts";
import { installation } from "../killed-runtime/runtime.ts";
import {
  type Counts,
  countsOf,
  lookOutside,
  outcomeOf,
  recordsOf,
  requireOnce,
  tellAll,
  type Told,
} from "../killed-runtime/story.ts";
import { operationsOf, runsOfJob, sessionOf, toolOfRole } from "./plan.ts";

export type TreeStory = Omit<Counts, "condensed" | "revised"> & {
  /** By job and subagent what was answered, and by operation how often it can be seen outside. */
  readonly outcomes: ReadonlyMap<string, string>;
  readonly runs: number;
  /** Of the approvals those inside children, and inside grandchildren. */
  readonly inChildren: number;
  readonly inGrandchildren: number;
  /** How often a child was let go, and taken back. */
  readonly reclaimed: number;
};

export async function storyOf(
  store: Store,
  world: CountingServer,
  jobs: number,
  broken: string[],
): Promise<TreeStory> {
  broken.push(...problemsOf(await verifyAccount(store, accountId, [installation.signer.publicKey])));
  const outcomes = new Map<string, string>();
  const told = await tellAll(store);
  const byParent = Map.groupBy(told, ({ document }) => document.parentRunId);
  for (let job = 1; job <= jobs; job++) {
    const roots = (byParent.get(undefined) ?? []).filter(
      ({ document }) => document.sessionId === sessionOf(job),
    );
    const tree = roots.flatMap((root) => treeOf(root, byParent));
    if (tree.length !== runsOfJob) broken.push(`job ${job} has ${tree.length} runs`);
    for (const run of tree) outcomes.set(`job ${job}, ${run.document.agentId}`, outcomeOf(run));
    for (const operation of operationsOf(job)) lookOutside(operation, world, outcomes, broken);
  }
  for (const operation of world.seen.keys())
    if (!outcomes.has(operation)) broken.push(`${operation} was done, and nobody wanted it`);
  for (const one of told) {
    requireOnce(one, broken);
    requireChildren(one, byParent.get(one.document.runId) ?? [], broken);
  }
  const { condensed: _condensed, revised: _revised, ...counts } = countsOf(told);
  const masons = told.filter(({ document }) => document.agentId === toolOfRole("mason"));
  // No root is asked about anything of its own.
  const { approvals: inGrandchildren } = countsOf(masons);
  return {
    outcomes,
    runs: told.length,
    ...counts,
    inChildren: counts.approvals - inGrandchildren,
    inGrandchildren,
    reclaimed: told.flatMap((one) => recordsOf(one, "subagent.reclaimed")).length,
  };
}

function treeOf(root: Told, byParent: ReadonlyMap<RunId | undefined, readonly Told[]>): Told[] {
  return [root, ...(byParent.get(root.document.runId) ?? []).flatMap((one) => treeOf(one, byParent))];
}

/** J1, S2: each child has begun once, and has ended before its parent, which counts what it has used up once. */
function requireChildren(parent: Told, children: readonly Told[], broken: string[]): void {
  const { runId, seal } = parent.document;
  if (seal === undefined) broken.push(`${runId} has not ended`);
  const endings = recordsOf(parent, "subagent.ended");
  const started = recordsOf(parent, "subagent.started").map(({ childRunId }) => childRunId);
  const begun = children.map(({ document }) => document.runId);
  if (canonicalJson(started.toSorted()) !== canonicalJson(begun.toSorted()))
    broken.push(`${runId} has started ${started.join(", ")}, and ${begun.join(", ")} have begun`);
  for (const child of children) {
    const id = child.document.runId;
    const ended = endings.filter(({ childRunId }) => childRunId === id);
    if (ended.length !== 1) broken.push(`${runId} says ${ended.length} times that ${id} has ended`);
    if (
      ended.some(
        (one) => one.head?.seq !== child.document.seal?.count || one.head?.hash !== child.document.seal?.head,
      )
    )
      broken.push(`${runId} says that ${id} has ended elsewhere than it has`);
    if (ended.some(({ spent }) => spent.steps !== stepsIn(child)))
      broken.push(`${runId} counts other steps of ${id} than the ${stepsIn(child)} that it has taken`);
    for (const kind of ["run.opened", "run.ended"] as const)
      if (recordsOf(child, kind).length !== 1)
        broken.push(`${id} has ${recordsOf(child, kind).length} records ${kind}`);
  }
}

/** A run's own, and those of its children. */
function stepsIn(run: Told): number {
  return [...recordsOf(run, "model.settled"), ...recordsOf(run, "subagent.ended")].reduce(
    (sum, { spent }) => sum + (spent.steps ?? 0),
    0,
  );
}
