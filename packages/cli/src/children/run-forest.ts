// Runs as they belong together: a child stands below its parent, one that was let go on its own.
import type { RunDocument } from "@spfunctions/contracts";

/** A run, and its children in the order in which they were started. */
export type Planted<Run> = { readonly run: Run; readonly children: readonly Planted<Run>[] };

type Listed = Pick<RunDocument, "runId" | "parentRunId" | "startedAt">;

/** The newest first. Every run that is given is there once; a child whose parent is not given stands on its own. */
export function forestOf<Run extends Listed>(
  runs: readonly Run[],
  isItsOwn: (run: Run) => boolean,
): Planted<Run>[] {
  const ids = new Set<string>(runs.map(({ runId }) => runId));
  const below = Map.groupBy(runs, (run) =>
    run.parentRunId === undefined || !ids.has(run.parentRunId) || isItsOwn(run) ? "" : run.parentRunId,
  );
  const placed = new Set<string>();
  const plant = (run: Run): Planted<Run>[] => {
    if (placed.has(run.runId)) return [];
    placed.add(run.runId);
    const children = (below.get(run.runId) ?? []).toSorted(byTime);
    return [{ run, children: children.flatMap(plant) }];
  };
  const tops = (below.get("") ?? []).toSorted((one, other) => byTime(other, one)).flatMap(plant);
  // B22: what somebody has listed as standing below itself is not hidden by that.
  return [...tops, ...runs.flatMap(plant)];
}

function byTime(one: Listed, other: Listed): number {
  return Date.parse(one.startedAt) - Date.parse(other.startedAt);
}
