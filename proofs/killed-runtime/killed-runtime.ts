// Killed runtime (J1, J3, A1, X1, B4, B20, B21): a program runs models on a data folder, with calls side by side, approvals, sessions, hooks,
// structured answers, a search for tools and less context than it would take, and is killed again and again. Afterwards everything has come
// to what it would have come to had nobody killed it, and nothing was done twice.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { openSqliteStore } from "@spfunctions/host/store";
import type { Runs } from "@spfunctions/kernel";
import { CountingServer } from "../crash-truth/counting-server.ts";
import { seededRandom } from "../crash-truth/seeded-random.ts";
import { anyDeath, Life } from "./life.ts";
import { Person } from "./person.ts";
import { sessionOf } from "./plan.ts";
import { wantedSum } from "./scripted-model.ts";
import { type Story, storyOf } from "./story.ts";

export type KilledRuntimeOptions = {
  readonly kills: number;
  readonly jobs: number;
  readonly seed: number;
  readonly log?: (line: string) => void;
};

export type KilledRuntimeReport = Omit<Story, "outcomes"> & {
  readonly kills: number;
  /** How many of them where. */
  readonly killedAt: Readonly<Record<string, number>>;
  readonly jobs: number;
  /** Answers that a person has given once more. */
  readonly saidAgain: number;
  /** What must not be: empty when the promise holds. */
  readonly broken: readonly string[];
};

export async function killedRuntime(options: KilledRuntimeOptions): Promise<KilledRuntimeReport> {
  const undisturbed = await playAll({ ...options, kills: 0 });
  const { outcomes, ...report } = await playAll(options);
  const broken = [...undisturbed.broken.map((one) => `undisturbed: ${one}`), ...report.broken];
  for (let job = 1; job <= options.jobs; job++)
    for (const part of [1, 2] as const) {
      const came = undisturbed.outcomes.get(`job ${job}, part ${part}`);
      if (came?.includes(String(wantedSum(job, part))) !== true)
        broken.push(`undisturbed: job ${job}, part ${part} came to ${came ?? "nothing"}`);
    }
  for (const [what, came] of undisturbed.outcomes)
    if (outcomes.get(what) !== came)
      broken.push(`${what} came to ${outcomes.get(what) ?? "nothing"}, and undisturbed to ${came}`);
  for (const what of outcomes.keys())
    if (!undisturbed.outcomes.has(what)) broken.push(`${what} is one too many`);
  return { ...report, broken };
}

type Played = Omit<KilledRuntimeReport, keyof Story> & Story & { readonly broken: readonly string[] };

async function playAll({ kills, jobs, seed, log = () => {} }: KilledRuntimeOptions): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), "simplefunctions-killed-"));
  const world = new CountingServer(["keyed", "paper"]);
  const server = await world.listen();
  const random = seededRandom(seed);
  const broken: string[] = [];
  const killedAt: Record<string, number> = {};
  let lastDeath = 0;
  let killed = 0;
  const isSettled = () => performance.now() - lastDeath > 300;
  // There is nothing to look at before somebody has made it.
  await (await openSqliteStore({ folder })).close();
  const store = await openSqliteStore({ folder, role: "guest" });
  const person = new Person({ store, world, random, broken, isSettled });
  const until = performance.now() + 120_000 + kills * 20_000;
  let life: Life | undefined;
  try {
    for (let isDone = false; !isDone && broken.length === 0; ) {
      const death = killed < kills ? anyDeath(random) : undefined;
      const how = random() < 0.5 ? "open" : "resume";
      life = new Life({ folder, server, world, how, death, broken });
      // A part of the jobs for each life that is left, so that every one of them dies at work.
      const due = Math.min(jobs, Math.ceil(((killed + 1) / (kills + 1)) * jobs) + 2);
      // oxlint-disable-next-line no-await-in-loop -- one life after the other
      isDone = await seeThrough(life, person.runs, due, death === undefined, () => {
        if (performance.now() > until) broken.push("it is not over in time");
        return broken.length > 0;
      });
      lastDeath = performance.now();
      if (life.killedAt === undefined) continue;
      killed += 1;
      killedAt[life.killedAt] = (killedAt[life.killedAt] ?? 0) + 1;
      if (killed % 20 === 0) log(`${killed} of ${kills} deaths, ${due} of ${jobs} jobs begun`);
    }
    await person.close();
    const story = await storyOf(store, world, jobs, broken);
    return { kills: killed, killedAt, jobs, saidAgain: person.saidAgain, ...story, broken };
  } finally {
    life?.abandon();
    await life?.over;
    await person.close();
    await store.close();
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Until it is dead, or where it is not to die, until everything has ended. Whether that is so. */
async function seeThrough(
  life: Life,
  runs: Runs,
  due: number,
  isLast: boolean,
  isHopeless: () => boolean,
): Promise<boolean> {
  let isDone = false;
  while (!life.isOver && !isDone) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const ended = await giveOut(life, runs, due);
    isDone = (isLast && ended === 2 * due) || isHopeless();
    // oxlint-disable-next-line no-await-in-loop -- see above
    await Promise.race([life.over, after(25)]);
  }
  if (isDone) life.end();
  await life.over;
  return isDone;
}

/** Each part is told to a program that lives; the second once the first has ended. How many have ended. */
async function giveOut(life: Life, runs: Runs, due: number): Promise<number> {
  const listed = Map.groupBy(await runs.list(), ({ sessionId = "" }) => sessionId);
  let ended = 0;
  for (let job = 1; job <= due; job++) {
    const of = listed.get(sessionOf(job)) ?? [];
    const over = of.filter(({ seal }) => seal !== undefined).length;
    ended += over;
    if (over === of.length && of.length < 2) life.tell(job, of.length === 0 ? 1 : 2);
  }
  return ended;
}
