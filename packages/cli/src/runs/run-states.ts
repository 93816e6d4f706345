import type { ApprovalOfCall } from "@spfunctions/contracts";
import type { RunResult, RunState } from "@spfunctions/kernel";

/** What each state means for whoever looks at a run. */
const words: Readonly<Record<RunState, string | undefined>> = {
  starting: "has just begun",
  assembling: "between two steps",
  compacting: "condenses what its model is shown",
  modelling: "asks its model",
  calling: "makes calls",
  waiting: "waits for a person",
  recovery_needed: "a person must say what became of an effect",
  completed: undefined,
  blocked: undefined,
  failed: undefined,
  cancelled: undefined,
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

/** The state that a result is of: one word for one thing, wherever it is said. */
export function stateOf({ status }: Pick<RunResult, "status">): RunState {
  return status === "requires_approval" ? "waiting" : status;
}

/** A state, and what it means where its name does not say it. `asked`: what it has asked, as that stands by now. */
export function stateText(state: RunState, asked: readonly Pick<ApprovalOfCall, "status">[] = []): string {
  const isPast = asked.length > 0 && asked.every(({ status }) => status !== "pending");
  const meaning =
    state === "waiting" && isPast ? "is past its question, and has not gone on yet" : words[state];
  return meaning === undefined ? state : `${state}: ${meaning}`;
}
