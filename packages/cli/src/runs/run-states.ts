import type { RunResult, RunState } from "@spfunctions/kernel";

/** What each state means for whoever looks at a run. */
const words: Readonly<Record<RunState, string>> = {
  starting: "has just begun",
  assembling: "between two steps",
  modelling: "asks its model",
  calling: "makes calls",
  waiting: "waits for a person",
  recovery_needed: "a person must say what became of an effect",
  completed: "completed",
  blocked: "blocked",
  failed: "failed",
  cancelled: "cancelled",
};

export const runStates = Object.keys(words) as readonly RunState[];

const ends: ReadonlySet<RunState> = new Set(["completed", "blocked", "failed", "cancelled"]);

export function hasEnded(state: RunState): boolean {
  return ends.has(state);
}

/** Whether a run has come to its end: one that waits for a person has not. */
export function isOver({ status }: Pick<RunResult, "status">): boolean {
  return status !== "requires_approval" && hasEnded(status);
}

export function stateText(state: RunState): string {
  return words[state];
}
