// A parent or a child that stands in a state until it is let go on, and what its host does meanwhile.
import type { RunState } from "../src/run/state/run-states.ts";
import { budget, childSpec, type FamilyOptions, openFamily, type Parts } from "./family.ts";
import { type FamilyStory, untilState } from "./family-story.ts";
import { read, type RunDesk, type Script, saying } from "./run-desk.ts";
import { ask, call, condensing, doubt, heldBack, pulledBy, untilKind } from "./run-levers.ts";

type Hold = {
  readonly script: Script;
  /** How often it is asked whether its starter's key is good, before nobody answers; it is answered at once unless given. */
  readonly asks?: number;
};

type HeldState = Exclude<RunState, "completed" | "blocked" | "failed" | "cancelled">;

/** What a run does that comes to a state and stays there. */
const holds: Readonly<Record<HeldState, (released: Promise<unknown>) => Hold>> = {
  // When it is started.
  starting: () => ({ script: saying("done"), asks: 1 }),
  // And before a step, and its call.
  assembling: () => ({ script: saying([read], "done"), asks: 3 }),
  // And before another, and its call, and before it is condensed.
  compacting: () => ({ script: condensing().script ?? saying("done"), asks: 6 }),
  modelling: (released) => ({
    script: async () => {
      await released;
      return "done";
    },
  }),
  calling: () => ({ script: saying([call("held")], "done") }),
  waiting: () => ({ script: saying([call("asked")], "done") }),
  recovery_needed: () => ({ script: saying([call("doubted")], "done") }),
};
const heldStates = Object.keys(holds) as HeldState[];

type HeldFamily = { readonly desk: RunDesk; readonly go: () => void };

/** A family in which one of the runs, the parent or the child named `held`, stays in a state until it is let go. */
function holdFamily(who: "parent" | "held", state: HeldState): HeldFamily {
  const released = heldBack<boolean>();
  const { script, asks } = holds[state](released.held());
  const { script: parent } = holds.modelling(released.held());
  const parts: Parts = { parent, quick: ["quick"], [who]: script };
  const { levels, model } = condensing({ budget });
  const options: FamilyOptions = {
    ...pulledBy({ held: { acts: released.held }, asked: { judged: ask }, doubted: { acts: doubt } }),
    ...(state === "compacting" && { levels, model }),
    ...(asks !== undefined && { isStarterValid: goodFor(asks, who, released.held()) }),
  };
  const specs = [childSpec("held", { tools: "inherit_allowlist" }), childSpec("quick")];
  return { desk: openFamily(parts, specs, options), go: () => released.let(true) };
}

/** Of a parent, which is there first, or of its children: good so often, and then nobody says for a while. */
function goodFor(
  times: number,
  who: "parent" | "held",
  later: Promise<boolean>,
): NonNullable<FamilyOptions["isStarterValid"]> {
  const asked = new Map<string, number>();
  return (_starter, runId) => {
    const count = (asked.get(runId) ?? 0) + 1;
    asked.set(runId, count);
    const isParent = [...asked.keys()][0] === runId;
    return isParent === (who === "parent") && count > times ? later : true;
  };
}

function childIn(state: HeldState): FamilyStory {
  return {
    story: `a child that is ${state} is told something, let go, and taken back`,
    takes: [
      `${state} run.told ${state}`,
      `${state} run.owned ${state}`,
      "subagent.detached detaching",
      "subagent.reclaimed detached",
    ],
    play: async () => {
      const { desk, go } = holdFamily("held", state);
      const handle = await desk.start();
      await untilState(desk, handle.runId, "modelling");
      const given = { subagent: "subagent.held", task: "look", key: "k" };
      const child = await desk.runs.startChild(handle.runId, given);
      await untilState(desk, child.runId, state);
      if (isRest(state)) await untilKind(desk, handle.runId, "subagent.rested");
      await desk.runs.tell(child.runId, "hurry");
      await desk.runs.detach(child.runId, "the night desk looks after it");
      await desk.runs.reclaim(child.runId);
      await handle.cancel();
      go();
      await handle.wait();
      return desk;
    },
  };
}

function isRest(state: HeldState): boolean {
  return state === "waiting" || state === "recovery_needed";
}

function parentIn(state: HeldState): FamilyStory {
  return {
    story: `a child comes to its end while its parent is ${state}`,
    takes: [`${state} subagent.* ${state}`, "subagent.started none", "subagent.ended running"],
    play: async () => {
      const { desk, go } = holdFamily("parent", state);
      const handle = await desk.start();
      await untilState(desk, handle.runId, state);
      await desk.runs.startChild(handle.runId, { subagent: "subagent.quick", task: "look", key: "k" });
      await untilKind(desk, handle.runId, "subagent.ended");
      await handle.cancel();
      go();
      await handle.wait();
      return desk;
    },
  };
}

export const heldFamilies: readonly FamilyStory[] = [...heldStates.map(childIn), ...heldStates.map(parentIn)];
