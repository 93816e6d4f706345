// Two tables, as data: which record leads a run from which state to which, and at which point of a call a record may follow. Code
// asks them before every record is written and whenever one is read, and so do tests.
import type { JournalRecordKind } from "@spfunctions/contracts";

export const runStates = [
  "starting",
  "assembling",
  "compacting",
  "modelling",
  "calling",
  "waiting",
  "recovery_needed",
  "completed",
  "blocked",
  "failed",
  "cancelled",
] as const;
export type RunState = (typeof runStates)[number];

const runEnds = ["completed", "blocked", "failed", "cancelled"] as const satisfies readonly RunState[];

export function hasEnded(state: RunState): boolean {
  return (runEnds as readonly RunState[]).includes(state);
}

type Row = { readonly [Kind in JournalRecordKind]?: readonly RunState[] };

/** Whatever a run is doing, it can be taken over by another process, and told to stop. */
const always = (same: RunState): Row => ({ "run.resumed": [same], "run.cancelling": [same] });

/** J4: what a tool says after its time is a note, and changes nothing. */
const late = (same: RunState): Row => ({ "call.late": [same] });

/** Where a state leads, by record. `none`: before there is a run. */
export const runTransitions: { readonly [From in RunState | "none"]: Row } = {
  none: { "run.opened": ["starting"] },
  starting: {
    ...always("starting"),
    "context.condensed": ["compacting"],
    "model.intended": ["modelling"],
    "run.ended": ["blocked", "failed", "cancelled"],
  },
  assembling: {
    ...always("assembling"),
    ...late("assembling"),
    "context.condensed": ["compacting"],
    "model.intended": ["modelling"],
    "budget.overrun": ["assembling"],
    "run.ended": ["completed", "blocked", "failed", "cancelled"],
  },
  compacting: {
    ...always("compacting"),
    ...late("compacting"),
    "model.intended": ["modelling"],
    "run.ended": ["blocked", "failed", "cancelled"],
  },
  modelling: {
    ...always("modelling"),
    ...late("modelling"),
    "model.settled": ["calling", "assembling"],
  },
  calling: {
    ...always("calling"),
    ...late("calling"),
    "budget.overrun": ["calling"],
    "call.revised": ["calling"],
    "call.refused": ["calling", "waiting", "assembling"],
    "call.waiting": ["calling", "waiting"],
    "call.intended": ["calling"],
    "call.read": ["calling", "waiting", "assembling"],
    "call.settled": ["calling", "waiting", "assembling", "recovery_needed"],
    "call.released": ["calling", "waiting", "assembling", "recovery_needed"],
    "call.withheld": ["calling", "waiting", "assembling", "recovery_needed"],
    "call.retried": ["calling"],
    "call.resolved": ["calling"],
    "run.ended": ["blocked", "failed", "cancelled"],
  },
  waiting: {
    ...always("waiting"),
    ...late("waiting"),
    "call.refused": ["waiting", "calling", "assembling"],
    "call.intended": ["calling"],
  },
  recovery_needed: {
    ...always("recovery_needed"),
    ...late("recovery_needed"),
    // Of calls that were being judged, or reading, when nobody knew any more what became of another.
    "call.revised": ["recovery_needed"],
    "call.refused": ["recovery_needed"],
    "call.waiting": ["recovery_needed"],
    "call.intended": ["calling"],
    "call.read": ["recovery_needed", "calling"],
    "call.resolved": ["recovery_needed", "calling", "waiting", "assembling"],
    "run.ended": ["cancelled"],
  },
  completed: late("completed"),
  blocked: late("blocked"),
  failed: late("failed"),
  // What became of an effect may be found out after its run was given up.
  cancelled: { ...late("cancelled"), "call.resolved": ["cancelled"] },
};

export function canFollow(from: RunState | "none", kind: JournalRecordKind, to: RunState): boolean {
  return runTransitions[from][kind]?.includes(to) === true;
}

/** Where a call of a run stands, as far as the run goes on by it. */
export type CallPhase = "proposed" | "waiting" | "running" | "unknown" | "ended";

/** From where each record of a call may follow: of a call that no model has proposed there is none. */
export const phaseTransitions: { readonly [Kind in JournalRecordKind]?: readonly CallPhase[] } = {
  "call.revised": ["proposed"],
  "call.refused": ["proposed", "waiting"],
  "call.waiting": ["proposed"],
  "call.intended": ["proposed", "waiting"],
  "call.read": ["proposed"],
  "call.retried": ["running"],
  "call.settled": ["running"],
  "call.released": ["running"],
  "call.withheld": ["running"],
  "call.resolved": ["unknown"],
};
