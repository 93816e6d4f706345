import {
  type AgentRevision,
  type AgentState,
  type Checkpoint,
  decodeCheckpoint,
} from "@spfunctions/contracts";
import { withOperatorConstraints } from "../state/operator-constraints.ts";

/** What is new in a revision. */
export type RevisionContent = Pick<Checkpoint, "state" | "recentMessages" | "traceTail"> &
  Pick<AgentRevision, "importedMessages">;

/** A revision as it was written, and as it counts. */
export type Revision = AgentRevision & {
  /** With the constraints that the operator has now, and without those of earlier times. Whatever goes on, goes on from this. */
  readonly current: Checkpoint;
};

export const emptyContent: RevisionContent = Object.freeze({
  state: Object.freeze({
    goals: [],
    openLoops: [],
    decisions: [],
    constraints: [],
    episodeSummary: "",
    memoryTags: [],
    memoryRefs: [],
    capabilitiesGranted: [],
    capabilitiesPending: [],
  }),
  recentMessages: [],
});

/** B31: only the configuration says what the operator demands. */
export function asItCounts(revision: AgentRevision, operatorConstraints: readonly string[]): Revision {
  const checkpoint = decodeCheckpoint(revision.checkpoint);
  const others = checkpoint.state.constraints.slice(revision.operatorConstraints);
  const constraints = withOperatorConstraints(others, operatorConstraints);
  return { ...revision, current: { ...checkpoint, state: { ...checkpoint.state, constraints } } };
}

/** G3: the lists of capabilities are told from the grants there are. What was restored or brought along grants nothing. */
export function withCapabilities(
  content: RevisionContent,
  {
    capabilitiesGranted,
    capabilitiesPending,
  }: Pick<AgentState, "capabilitiesGranted" | "capabilitiesPending">,
): RevisionContent {
  return { ...content, state: { ...content.state, capabilitiesGranted, capabilitiesPending } };
}

export function contentOf({ current, importedMessages }: Revision): RevisionContent {
  const { state, recentMessages, traceTail } = current;
  return { state, recentMessages, importedMessages, ...(traceTail !== undefined && { traceTail }) };
}
