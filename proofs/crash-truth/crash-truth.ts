// Crash truth (J1, J2, X1, B20, B22): a program that makes governed calls with side effects is killed again and again, at every
// kind of moment. Afterwards the world and the journal must tell the same story.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openSqliteStore } from "@spfunctions/host/store";
import { problemsOf, type RecoveryReport, unknownEffects, verifyAccount } from "@spfunctions/kernel";
import { withPackages } from "../../tests/installed/start-installed.ts";
import { CountingServer, type Moment } from "./counting-server.ts";
import { seededRandom } from "./seeded-random.ts";

export type CrashTruthOptions = {
  readonly kills: number;
  readonly calls: number;
  readonly seed: number;
  readonly log?: (line: string) => void;
};

export type CrashTruthReport = {
  readonly kills: number;
  readonly calls: number;
  readonly completed: number;
  /** Operations whose end nobody saw, and that say so. */
  readonly unknown: number;
  readonly retried: number;
  /** What must not be: empty when the promise holds. */
  readonly broken: readonly string[];
};

const accountId = "prover";
const kinds = ["keyed", "natural", "plain"] as const;

export async function crashTruth({
  kills,
  calls,
  seed,
  log = () => {},
}: CrashTruthOptions): Promise<CrashTruthReport> {
  const folder = mkdtempSync(join(tmpdir(), "simplefunctions-crash-"));
  const world = new CountingServer();
  const server = await world.listen();
  const random = seededRandom(seed);
  const operations = Array.from({ length: calls }, (_, index) => `${kinds[index % kinds.length]}-${index}`);
  const outcomes = new Map<string, string>();
  const broken: string[] = [];
  let killed = 0;
  let retried = 0;
  try {
    for (let life = 1; ; life++) {
      const isLast = killed >= kills;
      const todo = operations.filter((operation) => !outcomes.has(operation));
      // What is left is spread over the lives that are left, so that nearly every one of them dies at work.
      const share = isLast ? todo : todo.slice(0, Math.ceil(todo.length / (kills - killed)) + 3);
      // oxlint-disable-next-line no-await-in-loop -- one life after the other
      const lived = await live({
        folder,
        server,
        world,
        operations: share,
        deathAt: isLast ? undefined : momentOfDeath(random),
      });
      for (const [operation, outcome] of lived.outcomes) remember(outcomes, operation, outcome, broken);
      retried += lived.recovered?.settled.filter(({ by }) => by === "retry").length ?? 0;
      if (lived.fault !== undefined) broken.push(`life ${life}: ${lived.fault}`);
      if (lived.wasKilled) killed++;
      // oxlint-disable-next-line no-await-in-loop -- after each death
      broken.push(...(await verify(folder)).map((problem) => `life ${life}: ${problem}`));
      if (life % 20 === 0) log(`${killed} of ${kills} deaths, ${outcomes.size} of ${calls} calls ended`);
      if (broken.length > 0 || (isLast && outcomes.size === calls) || life > kills + 20) break;
    }
    const unknown = await compare(folder, world, outcomes, operations, broken);
    const completed = [...outcomes.values()].filter((outcome) => outcome === "completed").length;
    return { kills: killed, calls, completed, unknown, retried, broken };
  } finally {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Either some time after the start, or at a moment of a request that the world sees; once all is done if that comes first. */
type DeathAt =
  | { readonly type: "time"; readonly ms: number }
  | { readonly type: "moment"; readonly moment: Moment; readonly nth: number; readonly afterMs: number };

function momentOfDeath(random: () => number): DeathAt {
  const moments: Moment[] = ["arrived", "applied", "answered"];
  if (random() < 0.25) return { type: "time", ms: 20 + random() * 500 };
  const moment = moments[Math.floor(random() * moments.length)] as Moment;
  return {
    type: "moment",
    moment,
    nth: 1 + Math.floor(random() * 6),
    afterMs: random() < 0.5 ? 0 : random() * 4,
  };
}

type Life = {
  readonly folder: string;
  readonly server: string;
  readonly world: CountingServer;
  readonly operations: readonly string[];
  readonly deathAt: DeathAt | undefined;
};

type Lived = {
  readonly wasKilled: boolean;
  readonly outcomes: ReadonlyMap<string, string>;
  readonly recovered?: RecoveryReport;
  readonly fault?: string;
};

async function live({ folder, server, world, operations, deathAt }: Life): Promise<Lived> {
  const program = join(import.meta.dirname, "worker.ts");
  const child = spawn(process.execPath, [...withPackages, program, folder, server, ...operations], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => undefined);
  const kill = () => child.kill("SIGKILL");
  const timer = deathAt?.type === "time" ? setTimeout(kill, deathAt.ms) : undefined;
  let count = 0;
  world.at = (moment) => {
    if (deathAt?.type !== "moment" || moment !== deathAt.moment || ++count !== deathAt.nth) return;
    if (deathAt.afterMs === 0) kill();
    else setTimeout(kill, deathAt.afterMs);
  };
  const outcomes = new Map<string, string>();
  let recovered: RecoveryReport | undefined;
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  for await (const line of createInterface({ input: child.stdout })) {
    const said = parseLine(line);
    if (said?.recovered !== undefined) recovered = said.recovered;
    if (said?.operation !== undefined && said.outcome !== undefined)
      outcomes.set(said.operation, said.outcome);
    if (said?.isIdle !== true) continue;
    if (deathAt === undefined) child.stdin.end();
    else kill();
  }
  const code = child.exitCode ?? (await new Promise<number | null>((resolve) => child.once("exit", resolve)));
  clearTimeout(timer);
  world.at = () => {};
  const wasKilled = child.signalCode === "SIGKILL";
  const fault =
    wasKilled || code === 0 ? undefined : `the program ended with ${code}: ${errors.slice(0, 500)}`;
  return { wasKilled, outcomes, ...(recovered && { recovered }), ...(fault === undefined ? {} : { fault }) };
}

type Said = {
  readonly recovered?: RecoveryReport;
  readonly operation?: string;
  readonly outcome?: string;
  readonly isIdle?: boolean;
};

/** The last line of a killed program may be half a line. */
function parseLine(line: string): Said | undefined {
  try {
    return JSON.parse(line) as Said;
  } catch {
    return undefined;
  }
}

/** What a program was told once is true for ever. */
function remember(outcomes: Map<string, string>, operation: string, outcome: string, broken: string[]): void {
  if (outcome === "completed" || outcome === "recovery_needed") outcomes.set(operation, outcome);
  else if (outcome !== "idempotency_in_progress") broken.push(`${operation} ended with ${outcome}`);
}

async function verify(folder: string): Promise<string[]> {
  try {
    const store = await openSqliteStore({ folder, role: "guest" });
    const verification = await verifyAccount(store, accountId);
    await store.close();
    return problemsOf(verification);
  } catch (error) {
    // It died before there was anything.
    return error instanceof Error && "code" in error && error.code === "host_configuration_needed"
      ? []
      : [String(error)];
  }
}

/** The world and the journal, operation by operation. */
async function compare(
  folder: string,
  world: CountingServer,
  outcomes: ReadonlyMap<string, string>,
  operations: readonly string[],
  broken: string[],
): Promise<number> {
  const store = await openSqliteStore({ folder, role: "guest" });
  const listed = new Set(
    (await unknownEffects(store, accountId)).map(({ idempotencyKey }) => idempotencyKey),
  );
  await store.close();
  for (const operation of operations) {
    const { attempts, applied } = world.seen.get(operation) ?? { attempts: 0, applied: 0 };
    const outcome = outcomes.get(operation) ?? "none";
    const [kind] = operation.split("-");
    const story = `${operation}: ${outcome}, attempted ${attempts} times, applied ${applied} times`;
    if (outcome === "none") broken.push(`${story}: it has no end`);
    if (outcome === "completed" && applied === 0) broken.push(`${story}: an effect is lost`);
    if (kind === "keyed" && applied > 1) broken.push(`${story}: an effect is doubled`);
    if (kind === "plain" && attempts > 1) broken.push(`${story}: it was attempted again`);
    if (kind !== "plain" && outcome !== "completed") broken.push(`${story}: it could have been repeated`);
    if ((outcome === "recovery_needed") !== listed.has(operation))
      broken.push(`${story}: the list of unknown effects says otherwise`);
  }
  return listed.size;
}
