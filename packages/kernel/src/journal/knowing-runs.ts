// Which runs may have been told of a call, and so may quote it: its own from there on, those that follow it in its session, and
// children that were told what was said, with all that comes of them. Each run says which was before it: no clock decides.
import type { JournalRecord, RunId } from "@spfunctions/contracts";

type Opened = Extract<JournalRecord, { kind: "run.opened" }>;
type Started = Extract<JournalRecord, { kind: "subagent.started" }>;

/** How runs hang together, from their records. */
export type RunLinks = {
  readonly opened: readonly Pick<Opened, "runId" | "previous">[];
  readonly started: readonly (Pick<Started, "runId" | "childRunId" | "seq"> & {
    readonly call?: string | undefined;
    readonly handoff: Pick<Started["handoff"], "variant">;
  })[];
};

/** After which of its records a run may quote the call; `isTold`: of a child, which has learnt it by what it was told first. */
export type Knowing = { readonly after: number; readonly isTold: boolean };

/** `named`: the runs in whose records the call is, and in which first. */
export function knowingRuns(
  callId: string,
  named: ReadonlyMap<RunId, number>,
  { opened, started }: RunLinks,
): ReadonlyMap<RunId, Knowing> {
  const followers = Map.groupBy(opened, ({ previous }) => previous);
  const children = Map.groupBy(started, ({ runId }) => runId);
  const knowing = new Map<RunId, Knowing>();
  const learnt: [RunId, Knowing][] = [...named].map(([runId, after]) => [runId, { after, isTold: false }]);
  for (const [runId, one] of learnt) {
    const before = knowing.get(runId);
    if (before !== undefined && before.after <= one.after) continue;
    knowing.set(runId, one);
    for (const next of followers.get(runId) ?? []) learnt.push([next.runId, { after: 0, isTold: false }]);
    for (const child of children.get(runId) ?? []) {
      const isTold = child.call === callId || (child.seq > one.after && child.handoff.variant !== "none");
      if (isTold) learnt.push([child.childRunId, { after: 0, isTold }]);
    }
  }
  return knowing;
}
