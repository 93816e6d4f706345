// Parents and children from their beginning to their end, each told once: which rows of the tables they take is counted.
import { askingFamilies } from "./asking-families.ts";
import { atFirst, kindsIn } from "./call-store.ts";
import { settlement, until } from "./call-waiting.ts";
import { childSpec, openFamily, type Parts, start, untilChild } from "./family.ts";
import { type FamilyStory, untilState } from "./family-story.ts";
import { heldFamilies } from "./held-families.ts";
import { restingFamilies } from "./resting-families.ts";
import { call, heldBack, pulledBy, untilKind } from "./run-levers.ts";

const digger = childSpec("digger", { tools: "inherit_allowlist" });
const planner = childSpec("planner", { tools: "inherit_allowlist", budget: { maxChildren: 1 } });

export const familyStories: readonly FamilyStory[] = [
  ...heldFamilies,
  ...restingFamilies,
  ...askingFamilies,
  {
    story: "a child that has said its last word, and waits for a child of its own, is told something",
    takes: ["calling run.told assembling"],
    play: async () => {
      const begun = heldBack<void>();
      const acts = heldBack<object>();
      const parts: Parts = {
        parent: [[start("planner")], "done"],
        planner: async (_input, step) => (step === 1 ? (await begun.held(), "I wait") : "I heard"),
        digger: [[call("held")], "gold"],
      };
      const desk = openFamily(parts, [planner, digger], pulledBy({ held: { acts: acts.held } }));
      const handle = await desk.start();
      const child = await untilChild(desk, handle.runId);
      await desk.runs.startChild(child, { subagent: "subagent.digger", task: "dig", key: "k" });
      begun.let();
      await untilState(desk, child, "calling");
      await desk.runs.tell(child, "hurry");
      acts.let({});
      await handle.wait();
      return desk;
    },
  },
  {
    story: "a child ends while it is let go",
    takes: ["subagent.detaching running", "subagent.ended detaching"],
    play: async () => {
      const gate = heldBack<string>();
      const ending = heldBack<void>();
      const parts: Parts = { parent: [[start("digger")], "done"], digger: gate.held };
      const desk = openFamily(parts, [digger]);
      const handle = await desk.start();
      const child = await untilChild(desk, handle.runId);
      desk.store.fault = atFirst("run.ended", { type: "wait", for: ending.held() });
      gate.let("gold");
      await until(() => desk.store.units.some((unit) => kindsIn(unit).includes("run.ended")));
      const letting = settlement(desk.runs.detach(child, "the night desk looks after it"));
      await untilKind(desk, handle.runId, "subagent.detaching");
      ending.let();
      await letting;
      await handle.wait();
      return desk;
    },
  },
];
