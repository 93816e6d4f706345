import type { RunDocument } from "@spfunctions/contracts";
import type { RunResult, RunState } from "@spfunctions/kernel";
import type { RunsHere } from "./look-at-runs.ts";

/** A run in a list; of one that only a person can take on, also what it needs. */
export type Listed = Omit<RunDocument, "seal"> &
  Partial<Pick<RunResult, "approvals" | "unknown" | "asks">> & {
    readonly where: string;
    readonly state: RunState;
    /** Whether it is known that no process drives it. */
    readonly nobodys?: boolean;
    /** With which it goes on, where that is not itself. */
    readonly goesOnWith?: string;
    /** Why it is not known what it needs. */
    readonly problem?: string;
    /** Its children, but for those that were let go. */
    readonly children: readonly Listed[];
  };

/** `total`: of those that stand below no other. */
export type ListedHere = {
  readonly here: RunsHere;
  readonly runs: readonly Listed[];
  readonly total: number;
};
