// A program is started, told what to do and killed, again and again, with a person beside it, until everything that it was told has ended.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { openSqliteStore } from "@spfunctions/host/store";
import type { Runs, Store } from "@spfunctions/kernel";
import { CountingServer } from "../crash-truth/counting-server.ts";
import { seededRandom } from "../crash-truth/seeded-random.ts";
import { anyDeath, Life } from "./life.ts";
import { Person } from "./person.ts";

export type PlayOptions = {
  readonly kills: number;
  readonly jobs: number;
  readonly seed: number;
  readonly log?: (line: string) => void;
};

/** By what is named, what became of it. */
export type Outcomes = ReadonlyMap<string, string>;

export type Play<Story extends { readonly outcomes: Outcomes }> = {
  /** The file of the program that is killed. */
  readonly program: string;
  /** The records at which it may die. */
  readonly kinds: readonly string[];
  /** What the world applies once for each key. */
  readonly keyed: readonly string[];
  /** How many runs of a job must have ended. */
  readonly runsOfJob: number;
  /** Tells a program that lives what is to be done of so many jobs. How many of their runs have ended. */
  readonly giveOut: (life: Life, runs: Runs, due: number) => Promise<number>;
  /** What the journals and the world say in the end. */
  readonly storyOf: (store: Store, world: CountingServer, jobs: number, broken: string[]) => Promise<Story>;
};

export type Played<Story> = Story & {
  readonly kills: number;
  /** How many of them where. */
  readonly killedAt: Readonly<Record<string, number>>;
  readonly jobs: number;
  /** Answers that a person has given once more. */
  readonly saidAgain: number;
  /** What must not be: empty when the promise holds. */
  readonly broken: readonly string[];
};

/** What has become of anything other than it would have. */
export function differences(undisturbed: Outcomes, outcomes: Outcomes): string[] {
  const broken: string[] = [];
  for (const [what, came] of undisturbed)
    if (outcomes.get(what) !== came)
      broken.push(`${what} came to ${outcomes.get(what) ?? "nothing"}, and undisturbed to ${came}`);
  for (const what of outcomes.keys()) if (!undisturbed.has(what)) broken.push(`${what} is one too many`);
  return broken;
}

export async function playAll<Story extends { readonly outcomes: Outcomes }>(
  play: Play<Story>,
  { kills, jobs, seed, log = () => {} }: PlayOptions,
): Promise<Played<Story>> {
  const folder = mkdtempSync(join(tmpdir(), "simplefunctions-killed-"));
  const world = new CountingServer(play.keyed);
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
      const death = killed < kills ? anyDeath(random, play.kinds) : undefined;
      const how = random() < 0.5 ? "open" : "resume";
      life = new Life({ program: play.program, folder, server, world, how, death, broken });
      // A part of the jobs for each life that is left, so that every one of them dies at work.
      const due = Math.min(jobs, Math.ceil(((killed + 1) / (kills + 1)) * jobs) + 2);
      // oxlint-disable-next-line no-await-in-loop -- one life after the other
      isDone = await seeThrough(play, life, person.runs, due, death === undefined, () => {
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
    const story = await play.storyOf(store, world, jobs, broken);
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
  { giveOut, runsOfJob }: Pick<Play<never>, "giveOut" | "runsOfJob">,
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
    isDone = (isLast && ended === runsOfJob * due) || isHopeless();
    // oxlint-disable-next-line no-await-in-loop -- see above
    await Promise.race([life.over, after(25)]);
  }
  if (isDone) life.end();
  await life.over;
  return isDone;
}
