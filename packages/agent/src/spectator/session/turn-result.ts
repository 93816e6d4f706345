import type { ErrorCode, RunStatus, Spent } from "@spfunctions/contracts";
import type { RunResult } from "@spfunctions/kernel";
import type { Citations } from "../memory/citations.ts";
import type { AppliedNotes } from "../state/apply-notes.ts";
import type { RefusedAction } from "../state/read-actions.ts";
import type { CondensedSession } from "./condense-session.ts";
import type { SettledTurn } from "./settle-turn.ts";

export type TurnResult = {
  /** That of its run. With `requires_approval` and `recovery_needed` it has no end: somebody must answer, and `resume` goes on. */
  readonly status: RunStatus;
  readonly runId: string;
  /** Everything that was said to the user in it. */
  readonly text: string;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
  readonly approvals: RunResult["approvals"];
  readonly unknownEffects: RunResult["unknown"];
  readonly usage: Spent;
  /** What its notes have changed, and what of them was refused, answer by answer. */
  readonly notes: readonly Pick<AppliedNotes, "changes" | "refused">[];
  readonly refusedActions: readonly RefusedAction[];
  readonly citations: Citations;
  /** Blocks that could not be read. */
  readonly problems: readonly string[];
  readonly condensed?: CondensedSession;
  /** Once it has ended. */
  readonly revision?: number;
  readonly trace?: string;
};

export function turnResultOf(
  { run, folded, text, citations, revision }: SettledTurn,
  result: RunResult,
): TurnResult {
  const { answers } = folded;
  const problems = answers.flatMap((answer) => answer.problems);
  const status = run.end?.status ?? "failed";
  // What it could not say in blocks is told; what it said is said.
  const isSaid =
    status === "failed" && answers.at(-1)?.problems.length !== 0 && result.error?.code === "invalid_output";
  return {
    status: isSaid ? "completed" : status,
    runId: run.opening.runId,
    text,
    ...(result.error && !isSaid && { error: result.error }),
    approvals: [],
    unknownEffects: result.unknown,
    usage: run.spending.total,
    notes: answers.flatMap(({ notes }) =>
      notes ? [{ changes: notes.changes, refused: notes.refused }] : [],
    ),
    refusedActions: answers.flatMap(({ actions }) => actions?.refused ?? []),
    citations,
    problems,
    revision: revision.checkpoint.revision,
  };
}

/** A run that somebody must answer before it goes on. */
type RunAtRest = RunResult & { readonly status: "requires_approval" | "recovery_needed" };

export function restingTurn({ status, runId, approvals, unknown, spent }: RunAtRest): TurnResult {
  const nothing = { notes: [], refusedActions: [], problems: [], citations: { cited: [], unknown: [] } };
  return { status, runId, text: "", approvals, unknownEffects: unknown, usage: spent, ...nothing };
}

export function isAtRest(result: RunResult): result is RunAtRest {
  return result.status === "requires_approval" || result.status === "recovery_needed";
}
