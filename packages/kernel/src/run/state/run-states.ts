// Two tables, as data: which record leads a run from which state to which, and at which point of a call a record may follow. Code
// asks them before every record is written and whenever one is read, and so do tests.
import type { JournalRecordKind } from "@spfunctions/contracts";
import { childTransitions } from "../../subagent/child-states.ts";

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

/** Whatever a run is doing, it can be taken over by another process, told something, told to stop, and be let go or taken back. */
const always = (same: RunState): Row => ({
  "run.resumed": [same],
  "run.told": [same],
  "run.owned": [same],
  "run.cancelling": [same],
});

/** What its children do leads no further than this; at which point of a child a record may follow, their own table says. */
const children = (...to: readonly RunState[]): Row =>
  Object.fromEntries(Object.keys(childTransitions).map((kind) => [kind, to]));

/** J4: what a tool says after its time is a note, and changes nothing. */
const late = (same: RunState): Row => ({ "call.late": [same] });

/** Where a state leads, by record. `none`: before there is a run. */
export const runTransitions: { readonly [From in RunState | "none"]: Row } = {
  none: { "run.opened": ["starting"] },
  starting: {
    ...always("starting"),
    ...children("starting"),
    "context.condensed": ["compacting"],
    "model.intended": ["modelling"],
    "run.ended": ["blocked", "failed", "cancelled"],
  },
  assembling: {
    ...always("assembling"),
    ...children("assembling", "calling"),
    ...late("assembling"),
    "run.asked": ["waiting"],
    "context.condensed": ["compacting"],
    "model.intended": ["modelling"],
    "budget.overrun": ["assembling"],
    "run.ended": ["completed", "blocked", "failed", "cancelled"],
  },
  compacting: {
    ...always("compacting"),
    ...children("compacting"),
    ...late("compacting"),
    "model.intended": ["modelling"],
    "run.ended": ["blocked", "failed", "cancelled"],
  },
  modelling: {
    ...always("modelling"),
    ...children("modelling"),
    ...late("modelling"),
    // Its last word may come while its children are under way, or rest.
    "model.settled": ["calling", "assembling", "waiting"],
  },
  calling: {
    ...always("calling"),
    ...children("calling", "waiting", "assembling", "recovery_needed"),
    ...late("calling"),
    "run.told": ["calling", "assembling"],
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
    ...children("waiting", "calling", "assembling"),
    ...late("waiting"),
    "run.told": ["waiting", "assembling"],
    // One that has asked its parent, and is let go, goes on.
    "run.owned": ["waiting", "assembling"],
    "call.refused": ["waiting", "calling", "assembling"],
    "call.intended": ["calling"],
    // One whose child rests is taken up where it waits.
    "call.retried": ["waiting"],
    // Of a child that has asked its parent, and has nothing else to do.
    "run.ended": ["blocked", "cancelled"],
  },
  recovery_needed: {
    ...always("recovery_needed"),
    ...children("recovery_needed", "calling"),
    ...late("recovery_needed"),
    // Of calls that were being judged, or reading, when nobody knew any more what became of another.
    "call.revised": ["recovery_needed"],
    "call.refused": ["recovery_needed"],
    "call.waiting": ["recovery_needed"],
    "call.intended": ["calling"],
    "call.read": ["recovery_needed", "calling"],
    "call.retried": ["recovery_needed"],
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
