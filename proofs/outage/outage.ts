// Outages (J1, J2, J3, X1): three processes drive runs on one PostgreSQL. The server is stopped hard, then one process after the other is
// ended by SIGTERM, by SIGKILL, and stopped by SIGSTOP for a while. All runs go on by themselves, and what they do is done once.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as after } from "node:timers/promises";
import { openPostgresStore } from "@spfunctions/host/store";
import { problemsOf, Runs, type Store, verifyAccount } from "@spfunctions/kernel";
import type { TestDatabase, TestPostgres } from "../../packages/host/test/start-postgres.ts";
import { withPackages } from "../../tests/installed/start-installed.ts";
import { accountId, installation, runsOptions, type Times } from "./job.ts";
import { Ledger } from "./ledger.ts";
import { insertLeftovers, removeLeftovers } from "./leftovers.ts";

export type OutageOptions = Times & {
  readonly postgres: TestPostgres;
  readonly repetitions: number;
  /** Active at once, in three processes. */
  readonly runs: number;
  /** Runs of another package that a dead process has left. */
  readonly leftovers: number;
  /** How long the server is away. */
  readonly outageMs: number;
  /** How long a process is stopped. */
  readonly stoppedMs: number;
  readonly log?: (line: string) => void;
};

/** In milliseconds. */
type Spread = { readonly median: number; readonly p95: number; readonly most: number };

export type OutageReport = {
  readonly repetitions: number;
  readonly runs: number;
  readonly leftovers: number;
  /** Calls of tools that happened. */
  readonly effects: number;
  /** From the first answer of the server to the next call of each run. */
  readonly onAfterOutageMs: Spread;
  /** From the signal to the end of the process, which lets its tools end. */
  readonly endedAfterTermMs: Spread;
  /** From the signal to the record by which another process has taken on each run. */
  readonly takenOnAfterTermMs: Spread;
  readonly takenOnAfterKillMs: Spread;
  readonly takenOnAfterStopMs: Spread;
  /** Runs that the stopped process drove, and how many of them another has taken on meanwhile. */
  readonly stopped: number;
  readonly succeeded: number;
  /** Calls that were run again with their key by a successor. */
  readonly retried: number;
  /** What must not be: empty when the promise holds. */
  readonly broken: readonly string[];
};

type Worker = { readonly name: string; readonly child: ChildProcess; isReady: boolean; isExpected: boolean };
type Kept = { readonly kind: string; readonly ts: string; readonly [more: string]: unknown };

const processes = 3;
const afterOutageMs = 5000;
/** Longer than anything may take: what takes longer is stuck. */
const stuckMs = 90_000;

export async function outages(options: OutageOptions): Promise<OutageReport> {
  const database = await options.postgres.newDatabase();
  const proof = await Proof.open(options, database);
  try {
    for (let repetition = 1; repetition <= options.repetitions && proof.broken.length === 0; repetition++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await proof.repeat(repetition);
    }
    return await proof.end();
  } finally {
    await proof.close();
  }
}

class Proof {
  readonly broken: string[] = [];
  readonly #options: OutageOptions;
  readonly #database: TestDatabase;
  readonly #store: Store;
  readonly #runs: Runs;
  readonly #ledger: Ledger;
  readonly #address: string;
  readonly #log: (line: string) => void;
  #workers: Worker[] = [];
  #born = 0;
  /** Ids of the runs of this repetition, by their names. */
  #started = new Map<string, string>();
  readonly #all = new Map<string, string>();
  readonly #outage: number[] = [];
  readonly #termEnd: number[] = [];
  readonly #term: number[] = [];
  readonly #kill: number[] = [];
  readonly #stop: number[] = [];
  #stopped = 0;
  #effects = 0;
  #retried = 0;

  static async open(options: OutageOptions, database: TestDatabase): Promise<Proof> {
    const ledger = new Ledger();
    const address = await ledger.listen();
    const store = await openPostgresStore({ url: database.url, poolSize: 2 });
    return new Proof(options, database, store, ledger, address);
  }

  private constructor(
    options: OutageOptions,
    database: TestDatabase,
    store: Store,
    ledger: Ledger,
    address: string,
  ) {
    this.#options = options;
    this.#database = database;
    this.#store = store;
    this.#ledger = ledger;
    this.#address = address;
    this.#log = options.log ?? (() => {});
    // It only looks: it opens no runs, and so takes none on.
    this.#runs = new Runs({ ...runsOptions(address, "onlooker", options.sweepMs), store });
  }

  async repeat(repetition: number): Promise<void> {
    const { postgres, runs, outageMs, stoppedMs } = this.#options;
    this.#ledger.isOver = false;
    this.#started = new Map();
    this.#workers = Array.from({ length: processes }, () => this.#spawn());
    await this.#until("every process is ready", () => this.#workers.every(({ isReady }) => isReady));
    for (let at = 0; at < runs; at++)
      this.#workers[at % processes]?.child.stdin?.write(`${repetition}-${at}\n`);
    await this.#until("every run has started", () => this.#started.size === runs);
    if (repetition === 1) await this.#leaveLeftovers();
    await this.#allActive();

    await postgres.stop("immediate");
    await after(outageMs);
    await postgres.start();
    this.#outage.push(...(await this.#allActive()));
    // Whoever has just regained its session takes nothing over for a while.
    await after(Math.min(afterOutageMs, outageMs));

    const term = this.#busiest();
    const ofTerm = this.#drivenBy(term);
    const termAt = Date.now();
    this.#signal(term, "SIGTERM");
    await ended(term.child);
    this.#termEnd.push(Date.now() - termAt);
    await this.#allActive();
    this.#term.push(...(await this.#takenOn(ofTerm, termAt)));
    await this.#replace(term);

    const killed = this.#busiest();
    const ofKilled = this.#drivenBy(killed);
    const killedAt = Date.now();
    this.#signal(killed, "SIGKILL");
    await this.#activeElsewhere(ofKilled, killed, killedAt);
    this.#kill.push(...(await this.#takenOn(ofKilled, killedAt)));
    await this.#replace(killed);

    const stopped = this.#busiest();
    const ofStopped = this.#drivenBy(stopped);
    const stoppedAt = Date.now();
    stopped.child.kill("SIGSTOP");
    await after(stoppedMs);
    const continuedAt = Date.now();
    stopped.child.kill("SIGCONT");
    await this.#allActive();
    this.#stopped += ofStopped.length;
    this.#stop.push(...(await this.#takenOn(ofStopped, stoppedAt, continuedAt)));
    this.#begunLate(stopped, stoppedAt, continuedAt);

    this.#ledger.isOver = true;
    await this.#until("every run has ended", async () => await this.#haveEnded());
    for (const worker of this.#workers) this.#signal(worker, "SIGTERM");
    await Promise.all(this.#workers.map(async ({ child }) => await ended(child)));
    await this.#compare();
    this.#log(
      `repetition ${repetition}: ${this.#effects} effects, ${ofTerm.length}, ${ofKilled.length} and ${ofStopped.length} runs left`,
    );
  }

  async end(): Promise<OutageReport> {
    const { repetitions, runs, leftovers } = this.#options;
    await removeLeftovers(this.#database);
    const { publicKey } = installation.signer;
    this.broken.push(...problemsOf(await verifyAccount(this.#store, accountId, [publicKey])));
    return {
      repetitions,
      runs,
      leftovers,
      effects: this.#effects,
      onAfterOutageMs: spreadOf(this.#outage),
      endedAfterTermMs: spreadOf(this.#termEnd),
      takenOnAfterTermMs: spreadOf(this.#term),
      takenOnAfterKillMs: spreadOf(this.#kill),
      takenOnAfterStopMs: spreadOf(this.#stop),
      stopped: this.#stopped,
      succeeded: this.#stop.length,
      retried: this.#retried,
      broken: this.broken,
    };
  }

  async close(): Promise<void> {
    for (const { child } of this.#workers) {
      child.kill("SIGCONT");
      child.kill("SIGKILL");
    }
    await this.#runs.close();
    await this.#store.close();
    await this.#ledger.close();
  }

  #spawn(): Worker {
    const { leaseMs, renewMs, sweepMs } = this.#options;
    const name = `process-${++this.#born}`;
    const child = spawn(
      process.execPath,
      [
        ...withPackages,
        "--disable-warning=ExperimentalWarning",
        join(import.meta.dirname, "worker.ts"),
        this.#database.url,
        this.#address,
        name,
        JSON.stringify({ leaseMs, renewMs, sweepMs }),
      ],
      { stdio: ["pipe", "pipe", "pipe"] },
    );
    const worker: Worker = { name, child, isReady: false, isExpected: false };
    child.stdin.on("error", () => undefined);
    let errors = "";
    child.stderr.on("data", (text) => {
      errors += String(text);
    });
    createInterface({ input: child.stdout }).on("line", (line) => {
      const said = JSON.parse(line) as {
        ready?: true;
        started?: string;
        runId?: string;
        failed?: string;
        why?: string;
      };
      if (said.ready === true) worker.isReady = true;
      if (said.started !== undefined) this.#started.set(said.started, said.runId ?? "");
      if (said.failed !== undefined) this.broken.push(`${said.failed} could not be started: ${said.why}`);
    });
    child.on("exit", (code, signal) => {
      if (!worker.isExpected || (signal === null && code !== 0))
        this.broken.push(`${name} ended by itself with ${code ?? signal}: ${errors.slice(0, 1000)}`);
    });
    return worker;
  }

  #signal(worker: Worker, signal: "SIGTERM" | "SIGKILL"): void {
    worker.isExpected = true;
    worker.child.kill(signal);
  }

  async #replace(worker: Worker): Promise<void> {
    const next = this.#spawn();
    this.#workers = this.#workers.map((one) => (one === worker ? next : one));
    await this.#until("a new process is ready", () => next.isReady);
  }

  /** The process that drives the most runs, as the ledger has seen it. */
  #busiest(): Worker {
    const [first] = this.#workers.toSorted(
      (one, other) => this.#drivenBy(other).length - this.#drivenBy(one).length,
    );
    return first as Worker;
  }

  #drivenBy({ name }: Worker): string[] {
    return [...this.#started.keys()].filter((job) => this.#ledger.last.get(job)?.process === name);
  }

  /** Until every run has begun a call after now: how long each took. */
  async #allActive(): Promise<number[]> {
    const since = Date.now();
    return await this.#active([...this.#started.keys()], since, () => true);
  }

  async #activeElsewhere(jobs: readonly string[], { name }: Worker, since: number): Promise<void> {
    await this.#active(jobs, since, ({ process }) => process !== name);
  }

  async #active(
    jobs: readonly string[],
    since: number,
    counts: (last: { readonly process: string }) => boolean,
  ): Promise<number[]> {
    const times = new Map<string, number>();
    const look = () => {
      for (const job of jobs) {
        const last = this.#ledger.last.get(job);
        if (!times.has(job) && last !== undefined && last.begunAt >= since && counts(last))
          times.set(job, last.arrivedAt - since);
      }
      return times.size === jobs.length;
    };
    await this.#until("every run goes on", look, () => {
      const left = jobs.filter((job) => !times.has(job));
      return `${left.map((job) => `${job} (${this.#started.get(job)})`).join(" ")} stand still`;
    });
    return [...times.values()];
  }

  /** When others have taken runs on, after a moment and before another one. */
  async #takenOn(
    jobs: readonly string[],
    since: number,
    until = Number.POSITIVE_INFINITY,
  ): Promise<number[]> {
    const times: number[] = [];
    for (const job of jobs) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const resumed = (await this.#recordsOf(job)).find(
        ({ kind, ts }) => kind === "run.resumed" && Date.parse(ts) >= since && Date.parse(ts) < until,
      );
      if (resumed !== undefined) times.push(Date.parse(resumed.ts) - since);
      else if (until === Number.POSITIVE_INFINITY) this.broken.push(`${job} was taken on by nobody`);
    }
    return times;
  }

  /** What a process that was stopped has begun afterwards although another had begun it by then. */
  #begunLate({ name }: Worker, stoppedAt: number, continuedAt: number): void {
    const { begun } = this.#ledger;
    const byOthers = new Map<string, number>();
    for (const { key, process, begunAt } of begun)
      if (process !== name && begunAt >= stoppedAt)
        byOthers.set(key, Math.min(begunAt, byOthers.get(key) ?? begunAt));
    for (const { key, operation, process, begunAt } of begun) {
      const other = byOthers.get(key);
      if (process === name && begunAt >= continuedAt && other !== undefined && other <= begunAt)
        this.broken.push(
          `${name} began ${operation} after it had been stopped, and its successor had run it`,
        );
    }
  }

  async #haveEnded(): Promise<boolean> {
    for (const [, runId] of this.#started) {
      // oxlint-disable-next-line no-await-in-loop -- the first that has not ended is enough
      const state = await (await this.#runs.get(runId)).state();
      if (state !== "completed") {
        if (["failed", "blocked", "cancelled"].includes(state))
          this.broken.push(`${runId} ended as ${state}`);
        return false;
      }
    }
    return true;
  }

  /** The ledger and the journals tell the same story of every run. */
  async #compare(): Promise<void> {
    for (const [job, runId] of this.#started) {
      this.#all.set(job, runId);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const result = await (await this.#runs.get(runId)).result();
      if (result.output !== `${job} done`)
        this.broken.push(`${job} ended as ${result.status} with ${JSON.stringify(result.output)}`);
      if (result.unknown.length > 0)
        this.broken.push(`${job} has unknown effects: ${result.unknown.join(" ")}`);
      // oxlint-disable-next-line no-await-in-loop -- see above
      const records = await this.#recordsOf(job);
      this.#retried += records.filter(({ kind }) => kind === "call.retried").length;
      const keys = new Map(
        records
          .filter(({ kind }) => kind === "call.intended")
          .map(({ callId, idempotencyKey }) => [callId, idempotencyKey as string]),
      );
      const completed = records
        .filter(({ kind, status }) => kind === "call.settled" && status === "completed")
        .map(({ callId }) => keys.get(callId) ?? "");
      this.#effects += completed.length;
      const applied = [...this.#ledger.applied].filter(([operation]) => operation.startsWith(`${job}/`));
      for (const [operation, ofOperation] of applied)
        if (ofOperation.size !== 1) this.broken.push(`${operation} happened ${ofOperation.size} times`);
      const seen = applied.flatMap(([, ofOperation]) => [...ofOperation]);
      if (seen.toSorted().join() !== completed.toSorted().join())
        this.broken.push(`${job} has ${completed.length} completed calls, and the ledger ${seen.length}`);
    }
  }

  async #recordsOf(job: string): Promise<Kept[]> {
    const stream = this.#started.get(job) ?? "";
    const stored = await this.#store.readStream({ stream, accountId, limit: 100_000 });
    return stored.map(({ text }) => JSON.parse(text) as Kept);
  }

  async #leaveLeftovers(): Promise<void> {
    const [runId = ""] = this.#started.values();
    const { leftovers } = this.#options;
    await insertLeftovers(this.#database, runId, leftovers);
    this.#log(`${leftovers} leftovers of another package are there`);
  }

  async #until(
    what: string,
    isSo: () => boolean | Promise<boolean>,
    why: () => string = () => "",
  ): Promise<void> {
    const until = performance.now() + stuckMs;
    /* oxlint-disable no-await-in-loop -- until it is so */
    while (!(await isSo())) {
      if (this.broken.length > 0) throw new Error(this.broken.join("\n"));
      if (performance.now() > until) throw new Error(`not in time: ${what}. ${why()}`);
      await after(20);
    }
    /* oxlint-enable no-await-in-loop */
  }
}

/** Whether it kept the times that were promised, too, and every ending has left runs that others have taken on. */
export function outageHolds(report: OutageReport): boolean {
  const { broken, onAfterOutageMs, takenOnAfterTermMs, takenOnAfterKillMs, succeeded } = report;
  const isTried = takenOnAfterTermMs.most > 0 && takenOnAfterKillMs.most > 0 && succeeded > 0;
  return broken.length === 0 && isTried && onAfterOutageMs.most <= 15_000 && takenOnAfterTermMs.p95 <= 2000;
}

function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0);
  return { median: at(0.5), p95: at(0.95), most: at(1) };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => child.once("exit", resolve));
}
