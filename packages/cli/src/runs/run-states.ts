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

/** What a state is told with: what a run waits for, as that stands by now. */
type Asking = Partial<Pick<RunResult, "asks" | "unknown">> & {
  /** Whether it is known that no process drives it. */
  readonly nobodys?: boolean | undefined;
  readonly approvals?: readonly Pick<ApprovalOfCall, "status">[] | undefined;
};

/** A state, and what it means where its name does not say it. */
export function stateText(state: RunState, asking: Asking = {}): string {
  const { nobodys = false } = asking;
  const meaning =
    state === "waiting" ? whatFor(asking) : nobodys && isAtWork(state) ? "nobody drives it" : words[state];
  return meaning === undefined ? state : `${state}: ${meaning}`;
}

/** Whether somebody who drives it is at something. */
export function isAtWork(state: RunState): boolean {
  return !hasEnded(state) && state !== "waiting" && state !== "recovery_needed";
}

function whatFor({ approvals = [], unknown = [], asks }: Asking): string | undefined {
  if (asks !== undefined) return "has asked its parent something";
  // Of a child's.
  if (approvals.length === 0 && unknown.length > 0) return words.recovery_needed;
  const isPast = approvals.length > 0 && approvals.every(({ status }) => status !== "pending");
  return isPast ? "is past its question, and has not gone on yet" : words.waiting;
}
