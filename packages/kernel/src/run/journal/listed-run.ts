import type { RunDocument } from "@spfunctions/contracts";
import type { RunState } from "../state/run-states.ts";

/** A run as the list of runs has it. */
export type ListedRun = {
  readonly document: RunDocument;
  readonly revision: number;
  readonly state: RunState;
};
