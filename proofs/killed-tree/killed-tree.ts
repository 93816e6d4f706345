// Killed tree (J1, J3, A1, X1, S2, B5, B6): a program runs models that have subagents, at once, in the background, asking, let go and taken
// back, and with children of their own, and is killed again and again. Afterwards every tree has come to what it would have come to had
// nobody killed it, nothing was done twice, and no child was begun or counted twice.
import { join } from "node:path";
import type { Runs } from "@spfunctions/kernel";
import { type Life, usualKinds } from "../killed-runtime/life.ts";
import { differences, type Play, type Played, playAll, type PlayOptions } from "../killed-runtime/play.ts";
import { roles, runsOfJob, sessionOf } from "./plan.ts";
import { storyOf, type TreeStory } from "./story.ts";

const treeKinds = [
  "subagent.started",
  "subagent.rested",
  "subagent.woken",
  "subagent.message",
  "subagent.ended",
  "subagent.detaching",
  "subagent.detached",
  "subagent.reclaimed",
  "run.asked",
  "run.told",
  "run.owned",
];
/** What no tree writes. */
const elsewhere = new Set(["context.condensed", "call.revised"]);

const play: Play<TreeStory> = {
  program: join(import.meta.dirname, "worker.ts"),
  // It dies at those of children about as often as at all the others.
  kinds: [...usualKinds.filter((kind) => !elsewhere.has(kind)), ...treeKinds],
  keyed: ["keyed"],
  runsOfJob,
  giveOut,
  storyOf,
};

export type KilledTreeReport = Omit<Played<TreeStory>, "outcomes">;

export async function killedTree(options: PlayOptions): Promise<KilledTreeReport> {
  const undisturbed = await playAll(play, { ...options, kills: 0 });
  const { outcomes, ...report } = await playAll(play, options);
  const broken = [...undisturbed.broken.map((one) => `undisturbed: ${one}`), ...report.broken];
  for (let job = 1; job <= options.jobs; job++) {
    const came = undisturbed.outcomes.get(`job ${job}, prover`) ?? "nothing";
    const isWhole = roles.every((role) => came.includes(`${role} of job ${job}: `));
    if (!isWhole || !came.startsWith("completed")) broken.push(`undisturbed: job ${job} came to ${came}`);
  }
  broken.push(...differences(undisturbed.outcomes, outcomes));
  return { ...report, broken };
}

/** Each job is told to a program that lives, once. How many of all runs have ended. */
async function giveOut(life: Life, runs: Runs, due: number): Promise<number> {
  const listed = await runs.list();
  const begun = new Set<string | undefined>(listed.map(({ sessionId }) => sessionId));
  for (let job = 1; job <= due; job++) if (!begun.has(sessionOf(job))) life.tell({ job });
  return listed.filter(({ seal }) => seal !== undefined).length;
}
