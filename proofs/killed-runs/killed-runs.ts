// Killed runs (J1, J3, A1, X1, B4, B20, B21): two processes drive runs with parallel calls and approvals on one PostgreSQL, and one
// of them is killed again and again. Afterwards the world, the approvals and the journals must tell the same story.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as after } from "node:timers/promises";
import { openPostgresStore } from "@spfunctions/host/store";
import {
  openOperator,
  type Operator,
  problemsOf,
  Runs,
  type Store,
  verifyAccount,
} from "@spfunctions/kernel";
import { withPackages } from "../../tests/installed/start-installed.ts";
import { CountingServer } from "../crash-truth/counting-server.ts";
import { seededRandom } from "../crash-truth/seeded-random.ts";
import { accountId, boss, installation, operationsOf, runsOptions } from "./job.ts";

export type KilledRunsOptions = {
  /** A database of its own. */
  readonly url: string;
  readonly kills: number;
  readonly jobs: number;
  readonly seed: number;
  readonly log?: (line: string) => void;
};

export type KilledRunsReport = {
  readonly kills: number;
  readonly jobs: number;
  /** Runs that another process has taken over. */
  readonly takenOver: number;
  readonly approvals: number;
  readonly resolved: number;
  /** What must not be: empty when the promise holds. */
  readonly broken: readonly string[];
};

type Worker = { readonly child: ChildProcess; readonly told: Set<number>; isReady: boolean; isDead: boolean };

/** So long the server may still take the last commit that a process had sent before it was killed. */
const lastCommitMs = 3_000;

export async function killedRuns({
  url,
  kills,
  jobs,
  seed,
  log = () => {},
}: KilledRunsOptions): Promise<KilledRunsReport> {
  const world = new CountingServer();
  const server = await world.listen();
  const random = seededRandom(seed);
  const broken: string[] = [];
  const store = await openPostgresStore({ url, poolSize: 4 });
  const runs = new Runs({ ...runsOptions(server), store });
  const operator = openOperator({ store, principal: boss, installation });
  const workers: Worker[] = [0, 1].map(() => startWorker(url, server, broken));
  let killed = 0;
  /** When what a killed process had been told may be told again, by job. */
  const dyingUntil = new Map<number, number>();
  const over = new AbortController();
  const answering = answerAll(operator, random, broken, over.signal);
  try {
    const until = performance.now() + kills * 20_000 + 60_000;
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- until everything has ended
      const listed = await runs.list();
      const done = listed.filter(({ state }) => state === "completed").length;
      if (killed >= kills && done >= jobs) break;
      if (performance.now() > until) {
        broken.push(
          `not over in time: ${done} of ${jobs} jobs, states ${listed.map(({ state }) => state).join(" ")}`,
        );
        break;
      }
      if (broken.length > 0) break;
      const due = Math.min(jobs, Math.ceil(((killed + 1) / (kills + 1)) * jobs) + 2);
      const started = new Set(listed.map(({ sessionId }) => sessionId ?? ""));
      giveOut(workers, due, { started, dyingUntil });
      // oxlint-disable-next-line no-await-in-loop -- see above
      await after(20 + random() * 150);
      const [index, victim] = pick(workers, random);
      if (killed >= kills || victim === undefined || random() < 0.4) continue;
      victim.isDead = true;
      victim.child.kill("SIGKILL");
      killed += 1;
      for (const job of victim.told) dyingUntil.set(job, performance.now() + lastCommitMs);
      if (killed % 20 === 0) log(`${killed} of ${kills} deaths, ${done} of ${jobs} jobs`);
      workers[index] = startWorker(url, server, broken);
    }
    over.abort();
    await answering;
    for (const { child } of workers) child.stdin?.end("end\n");
    await Promise.all(workers.map(async ({ child }) => await ended(child)));
    return { kills: killed, jobs, ...(await compare(store, runs, world, jobs, broken)), broken };
  } finally {
    over.abort();
    for (const { child } of workers) child.kill("SIGKILL");
    await operator.close();
    await runs.close();
    await store.close();
    await world.close();
  }
}

/** A person who takes their time. */
async function answerAll(
  operator: Operator,
  random: () => number,
  broken: string[],
  over: AbortSignal,
): Promise<void> {
  /* oxlint-disable no-await-in-loop -- one after the other */
  while (!over.aborted) {
    for (const { approvalId } of await operator.list())
      if (random() < 0.5)
        await operator.approve(approvalId).catch((error: unknown) => noteFault(broken, error));
    await after(30 + random() * 100);
  }
  /* oxlint-enable no-await-in-loop */
}

function startWorker(url: string, server: string, broken: string[]): Worker {
  const child = spawn(
    process.execPath,
    [
      ...withPackages,
      "--disable-warning=ExperimentalWarning",
      join(import.meta.dirname, "worker.ts"),
      url,
      server,
    ],
    { stdio: ["pipe", "pipe", "pipe"] },
  );
  const worker: Worker = { child, told: new Set(), isReady: false, isDead: false };
  child.stdin.on("error", () => undefined);
  let errors = "";
  child.stderr.on("data", (text) => {
    errors += String(text);
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const said = JSON.parse(line) as { ready?: true; failed?: number; why?: string };
    if (said.ready === true) worker.isReady = true;
    if (said.failed !== undefined) broken.push(`job ${said.failed} could not be started: ${said.why}`);
  });
  child.on("exit", (code, signal) => {
    if (!worker.isDead && code !== 0)
      broken.push(`a process ended by itself with ${code ?? signal}: ${errors}`);
    worker.isDead = true;
  });
  return worker;
}

/** Every job is told once to a process that lives, and again only once that has died without having started it. */
function giveOut(
  workers: readonly Worker[],
  due: number,
  { started, dyingUntil }: { started: ReadonlySet<string>; dyingUntil: ReadonlyMap<number, number> },
): void {
  const living = workers.filter(({ isReady, isDead }) => isReady && !isDead);
  const told = new Set(workers.filter(({ isDead }) => !isDead).flatMap((worker) => [...worker.told]));
  for (let job = 1; job <= due; job++) {
    const worker = living[job % Math.max(1, living.length)];
    if (worker === undefined || told.has(job) || started.has(`job-${job}`)) continue;
    if (performance.now() < (dyingUntil.get(job) ?? 0)) continue;
    worker.told.add(job);
    worker.child.stdin?.write(`${job}\n`);
  }
}

function pick(workers: readonly Worker[], random: () => number): [number, Worker | undefined] {
  const index = random() < 0.5 ? 0 : 1;
  const worker = workers[index];
  return [index, worker?.isReady === true && !worker.isDead ? worker : undefined];
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => child.once("exit", resolve));
}

/** An answer that comes after a call has been picked up, or has ended, is told so; anything else is a fault. */
function noteFault(broken: string[], error: unknown): void {
  const { code } = error as { code?: string };
  if (code !== "invalid_transition" && code !== "approval_expired")
    broken.push(`an answer failed: ${String(error)}`);
}

async function compare(
  store: Store,
  runs: Runs,
  world: CountingServer,
  jobs: number,
  broken: string[],
): Promise<Pick<KilledRunsReport, "takenOver" | "approvals" | "resolved">> {
  const { signer } = installation;
  broken.push(...problemsOf(await verifyAccount(store, accountId, [signer.publicKey])));
  const listed = await runs.list();
  const sessions = listed
    .map(({ sessionId = "" }) => sessionId)
    .toSorted((one, other) => one.localeCompare(other));
  if (new Set(sessions).size !== jobs || sessions.length !== jobs)
    broken.push(`${sessions.length} runs for ${jobs} jobs: ${sessions.join(" ")}`);
  let takenOver = 0;
  let approvals = 0;
  let resolved = 0;
  for (const { runId, sessionId, state } of listed) {
    const job = Number(sessionId?.slice("job-".length));
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const result = await (await runs.get(runId)).result();
    if (state !== "completed" || result.output !== `job ${job} done`)
      broken.push(`job ${job} ended as ${state} with ${JSON.stringify(result.output)}`);
    // oxlint-disable-next-line no-await-in-loop -- see above
    const stored = await store.readStream({ stream: runId, accountId, limit: 1000 });
    const records = stored.map(({ text }) => JSON.parse(text) as { kind: string; approval?: object });
    const count = (kind: string) => records.filter((one) => one.kind === kind).length;
    if (count("run.resumed") > 0) takenOver += 1;
    resolved += count("call.resolved");
    approvals += records.filter(
      ({ kind, approval }) => kind === "call.intended" && approval !== undefined,
    ).length;
    const wanted = operationsOf(job).flat().length;
    if (count("call.intended") !== wanted)
      broken.push(`job ${job} has ${count("call.intended")} intents for ${wanted} operations`);
  }
  for (let job = 1; job <= jobs; job++)
    for (const operation of operationsOf(job).flat()) {
      const { attempts, applied } = world.seen.get(operation) ?? { attempts: 0, applied: 0 };
      const isOnce = operation.startsWith("plain") ? attempts <= 1 : applied >= 1;
      const isDoubled = operation.startsWith("keyed") && applied !== 1;
      if (!isOnce || isDoubled)
        broken.push(`${operation} was attempted ${attempts} and applied ${applied} times`);
    }
  return { takenOver, approvals, resolved };
}
