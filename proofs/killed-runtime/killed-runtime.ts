// Killed runtime (J1, J3, A1, X1, B4, B20, B21): a program runs models on a data folder, with calls side by side, approvals, sessions, hooks,
// structured answers, a search for tools and less context than it would take, and is killed again and again. Afterwards everything has come
// to what it would have come to had nobody killed it, and nothing was done twice.
import { join } from "node:path";
import type { Runs } from "@spfunctions/kernel";
import { type Life, usualKinds } from "./life.ts";
import { sessionOf } from "./plan.ts";
import { differences, type Played, type Play, playAll, type PlayOptions } from "./play.ts";
import { wantedSum } from "./scripted-model.ts";
import { type Story, storyOf } from "./story.ts";

const play: Play<Story> = {
  program: join(import.meta.dirname, "worker.ts"),
  kinds: usualKinds,
  keyed: ["keyed", "paper"],
  runsOfJob: 2,
  giveOut,
  storyOf,
};

export type KilledRuntimeReport = Omit<Played<Story>, "outcomes">;

export async function killedRuntime(options: PlayOptions): Promise<KilledRuntimeReport> {
  const undisturbed = await playAll(play, { ...options, kills: 0 });
  const { outcomes, ...report } = await playAll(play, options);
  const broken = [...undisturbed.broken.map((one) => `undisturbed: ${one}`), ...report.broken];
  for (let job = 1; job <= options.jobs; job++)
    for (const part of [1, 2] as const) {
      const came = undisturbed.outcomes.get(`job ${job}, part ${part}`);
      if (came?.includes(String(wantedSum(job, part))) !== true)
        broken.push(`undisturbed: job ${job}, part ${part} came to ${came ?? "nothing"}`);
    }
  broken.push(...differences(undisturbed.outcomes, outcomes));
  return { ...report, broken };
}

/** Each part is told to a program that lives; the second once the first has ended. How many have ended. */
async function giveOut(life: Life, runs: Runs, due: number): Promise<number> {
  const listed = Map.groupBy(await runs.list(), ({ sessionId = "" }) => sessionId);
  let ended = 0;
  for (let job = 1; job <= due; job++) {
    const of = listed.get(sessionOf(job)) ?? [];
    const over = of.filter(({ seal }) => seal !== undefined).length;
    ended += over;
    if (over === of.length && of.length < 2) life.tell({ job, part: of.length === 0 ? 1 : 2 });
  }
  return ended;
}
