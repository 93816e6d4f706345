// Killed agent (J1, X1, B31): a long-lived agent takes turn after turn and is killed again and again, at any record and at any moment of what it
// does. Each time its session opens, the last whole revision is there, and the turn that was left goes on: nothing is done twice, noted
// twice or lost.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "@spfunctions/host/store";
import { CountingServer } from "../crash-truth/counting-server.ts";
import { seededRandom } from "../crash-truth/seeded-random.ts";
import { anyDeath, Life, usualKinds } from "../killed-runtime/life.ts";
import { Person } from "../killed-runtime/person.ts";
import { openAgent } from "./agent.ts";
import { constraints, decided, operationsOf, sessionId } from "./plan.ts";

export type KilledAgentOptions = {
  readonly kills: number;
  readonly seed: number;
  readonly log?: (line: string) => void;
};

export type KilledAgentReport = {
  readonly lives: number;
  readonly kills: number;
  readonly killedAt: Readonly<Record<string, number>>;
  readonly turns: number;
  readonly revisions: number;
  /** What must not be: empty when the promise holds. */
  readonly broken: readonly string[];
};

const turnsOfLife = 3;
const elsewhere = new Set(["context.condensed", "call.revised", "call.waiting", "approval.answered"]);
/** As often at a revision as at any three records. */
const kinds = [
  ...usualKinds.filter((kind) => !elsewhere.has(kind)),
  ...Array(3).fill("agent_revision"),
] as string[];

export async function killedAgent(options: KilledAgentOptions): Promise<KilledAgentReport> {
  const { kills, seed, log = () => {} } = options;
  const folder = mkdtempSync(join(tmpdir(), "simplefunctions-killed-"));
  const world = new CountingServer(["keyed"]);
  const server = await world.listen();
  const random = seededRandom(seed);
  const broken: string[] = [];
  const killedAt: Record<string, number> = {};
  let lives = 0;
  let killed = 0;
  let turns = 0;
  let lastDeath = 0;
  await (await openSqliteStore({ folder })).close();
  const guest = await openSqliteStore({ folder, role: "guest" });
  const isSettled = () => performance.now() - lastDeath > 300;
  const person = new Person({ store: guest, world, random, broken, isSettled });
  try {
    for (let isDone = false; !isDone && broken.length === 0; ) {
      lives += 1;
      const death = killed < kills ? anyDeath(random, kinds) : undefined;
      // Each life has some more to do than the one before, so that nearly every one dies at work.
      turns += turnsOfLife;
      process.env["TURNS"] = String(turns);
      const program = join(import.meta.dirname, "worker.ts");
      const life = new Life({ program, folder, server, world, how: "open", death, broken });
      // oxlint-disable-next-line no-await-in-loop -- one life after the other
      await life.over;
      lastDeath = performance.now();
      isDone = death === undefined && life.killedAt === undefined;
      // It may have done its part before it could die.
      if (life.killedAt === undefined) continue;
      killed += 1;
      killedAt[life.killedAt] = (killedAt[life.killedAt] ?? 0) + 1;
      if (killed % 20 === 0) log(`${killed} of ${kills} deaths, ${turns} turns`);
    }
    const revisions = await lookAt(folder, server, world, turns, broken);
    return { lives, kills: killed, killedAt, turns, revisions, broken };
  } finally {
    await person.close();
    await guest.close();
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function lookAt(
  folder: string,
  server: string,
  world: CountingServer,
  turns: number,
  broken: string[],
): Promise<number> {
  const store = await openSqliteStore({ folder });
  const agent = openAgent(store, server);
  try {
    const session = await agent.open(sessionId);
    const { state, revision } = await session.checkpoint();
    const numbers = Array.from({ length: turns }, (_, index) => index + 1);
    const expected = JSON.stringify(numbers.map(decided));
    if (JSON.stringify(state.decisions) !== expected)
      broken.push(`what was decided is ${state.decisions.join()}`);
    if (JSON.stringify(state.constraints) !== JSON.stringify(constraints))
      broken.push(`the constraints are ${state.constraints.join()}`);
    if (state.openLoops.join() !== `loop ${turns}`) broken.push(`open are ${state.openLoops.join()}`);
    for (const turn of numbers) {
      const [keyed, plain] = operationsOf(turn).map((one) => world.seen.get(one)?.applied ?? 0);
      if (keyed !== 1) broken.push(`the keyed operation of turn ${turn} was done ${keyed} times`);
      if ((plain ?? 0) > 1) broken.push(`the plain operation of turn ${turn} was done ${plain} times`);
    }
    const { isWhole, problems } = await session.verify();
    if (!isWhole) broken.push(`the revisions are not whole: ${JSON.stringify(problems)}`);
    const told: string[] = [];
    for (let before = revision + 1; before > 1; before -= 1000)
      for (const { cause } of await session.history({ limit: 1000, before }))
        if (cause.type === "turn") told.push(cause.runId);
    if (told.length !== turns || new Set(told).size !== turns)
      broken.push(`${told.length} revisions are of turns, and ${new Set(told).size} of different ones`);
    return revision;
  } finally {
    await agent.close();
    await store.close();
  }
}
