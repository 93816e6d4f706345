// Which runs have seen a call, and from which of their records on: its own, those that were told of it by a parent or a child, and turns of
// long-lived agents that were shown what came of it.
import type { RunId } from "@spfunctions/contracts";
import type { RunFacts } from "./run-facts.ts";

/** After which of its records a run may say what the call said. */
export type Exposed = ReadonlyMap<RunId, number>;

export function exposedRuns(runs: ReadonlyMap<RunId, RunFacts>, shown: Iterable<RunId>): Map<RunId, number> {
  const exposed = new Map<RunId, number>();
  const found: [RunId, number][] = [...shown].map((runId) => [runId, 0]);
  for (const [runId, { named }] of runs) if (named !== undefined) found.push([runId, named]);
  for (const [runId, after] of found) {
    const facts = runs.get(runId);
    const before = exposed.get(runId);
    if (facts === undefined || (before !== undefined && before <= after)) continue;
    exposed.set(runId, after);
    for (const { childRunId, seq, isTold } of facts.children)
      if (isTold && seq > after) found.push([childRunId, 0]);
    const parent = facts.opening.parent && runs.get(facts.opening.parent.runId);
    const heard = parent?.heard.get(runId);
    if (parent !== undefined && heard !== undefined) found.push([parent.opening.runId, heard - 1]);
  }
  return exposed;
}

/** Runs of long-lived agents, and all that hang on them. What other runs keep is erased by their own rules. */
export function runsOfAgents(runs: ReadonlyMap<RunId, RunFacts>): ReadonlySet<RunId> {
  const agents = new Set<string>();
  for (const { opening } of runs.values()) if (opening.origin === "spectator") agents.add(opening.agentId);
  const isTop = ({ opening }: RunFacts) =>
    opening.origin === "spectator" || agents.has(opening.agentId.replace(/\.condense$/, ""));
  const found = new Set<RunId>();
  for (const [runId, facts] of runs) {
    let top = facts;
    for (const seen = new Set<RunId>([runId]); top.opening.parent !== undefined; ) {
      const parent = runs.get(top.opening.parent.runId);
      if (parent === undefined || seen.has(parent.opening.runId)) break;
      seen.add(parent.opening.runId);
      top = parent;
    }
    if (isTop(top)) found.add(runId);
  }
  return found;
}
