import { startPostgres } from "../packages/host/test/start-postgres.ts";
import { adversaries } from "./adversaries/adversaries.ts";
import { agentSoak } from "./agent-soak/agent-soak.ts";
import { canaryOverSuite } from "./canary/whole-suite.ts";
import { crashTruth } from "./crash-truth/crash-truth.ts";
import { killedAgent } from "./killed-agent/killed-agent.ts";
import { killedOrders } from "./killed-orders/killed-orders.ts";
import { killedRuns } from "./killed-runs/killed-runs.ts";
import { killedRuntime } from "./killed-runtime/killed-runtime.ts";
import { killedTree } from "./killed-tree/killed-tree.ts";
import { outageHolds, outages } from "./outage/outage.ts";
import { redaction } from "./redaction/redaction.ts";

type Log = (line: string) => void;
type Proven = { readonly report: object; readonly holds: boolean };

/** A promise, tried for longer than `npm test` has time for. */
export type LongProof = {
  readonly says: string;
  /** How much of it, unless the command line says otherwise. */
  readonly amounts: Readonly<Record<string, number>>;
  /** With an amount for each of its names. */
  readonly prove: (amounts: Readonly<Record<string, number>>, log: Log) => Promise<Proven>;
};

/** One that gives a list of what did not hold. */
function proof<const Amounts extends Readonly<Record<string, number>>>(
  says: string,
  amounts: Amounts,
  run: (
    options: { readonly [Name in keyof Amounts]: number } & { readonly log: Log },
  ) => Promise<{ readonly broken: readonly string[] }>,
): LongProof {
  const prove = async (given: Readonly<Record<string, number>>, log: Log) => {
    const report = await run({ ...(given as Amounts), log });
    return { report, holds: report.broken.length === 0 };
  };
  return { says, amounts, prove };
}

const seed = Date.now() % 1_000_000;

export const proofs: Readonly<Record<string, LongProof>> = {
  "crash-truth": proof(
    "A process that makes governed calls is killed again and again. Its tool counts what it did: no effect twice, none without a record, none silently unknown.",
    { kills: 200, calls: 500, seed },
    crashTruth,
  ),
  "killed-runs": proof(
    "Processes that share runs on one PostgreSQL are killed; the others take over. Nothing is done twice, no run and no approval is lost.",
    { kills: 200, jobs: 200, seed },
    async (options) => {
      const postgres = await startPostgres();
      try {
        return await killedRuns({ ...options, url: (await postgres.newDatabase()).url });
      } finally {
        await postgres.remove();
      }
    },
  ),
  "killed-runtime": proof(
    "Runs with a model, approvals and budgets are killed and taken on: each ends as it does when nobody disturbs it.",
    { kills: 200, jobs: 100, seed },
    killedRuntime,
  ),
  "killed-tree": proof(
    "Runs that start runs, with questions in children and grandchildren, are killed and taken on: the whole tree ends, with nothing done twice.",
    { kills: 100, jobs: 40, seed },
    killedTree,
  ),
  "killed-agent": proof(
    "A long-lived agent is killed within its turns: its session opens, the last complete revision is there, no effect is repeated.",
    { kills: 200, seed },
    killedAgent,
  ),
  "killed-orders": proof(
    "A platform is killed before and after the writes of armed orders that fire: the next one goes on, no order is filled twice, and one that is not filled says why.",
    { kills: 50, seed },
    killedOrders,
  ),
  outage: {
    says: "A PostgreSQL under active runs is stopped hard for 10 s; of three processes one is ended by SIGTERM, one by SIGKILL, and one is stopped for 20 s, with leftovers of another package in the store. All runs go on by themselves: within 15 s after the outage, and within 2 s after a process that ended in order, at the 95th percentile. Nothing happens twice.",
    amounts: { repetitions: 20, runs: 30, leftovers: 100_000 },
    prove: async ({ repetitions = 0, runs = 0, leftovers = 0 }, log) => {
      const postgres = await startPostgres();
      try {
        const times = { outageMs: 10_000, stoppedMs: 20_000, leaseMs: 15_000, renewMs: 5000, sweepMs: 5000 };
        const report = await outages({ postgres, repetitions, runs, leftovers, ...times, log });
        return { report, holds: outageHolds(report) };
      } finally {
        await postgres.remove();
      }
    },
  },
  "agent-soak": {
    says: "A long-lived agent takes ten thousand turns: time and memory of a turn stay level, checkpoints bounded, every revision verifies.",
    amounts: { turns: 10_000 },
    prove: async ({ turns = 0 }, log) => {
      const every = Math.max(1, Math.floor(turns / 20));
      const { looks: _, ...report } = await agentSoak({ turns, every, log });
      // Noisy machines: what grows with the number of turns would be many times as much.
      return { report, holds: report.broken.length === 0 && report.latency < 2 && report.heap < 1.5 };
    },
  },
  adversaries: proof(
    "Models that lie, forge, flood and insist drive runs: nothing runs that the policies do not allow or a person has not approved.",
    { cases: 5000, seed },
    adversaries,
  ),
  redaction: proof(
    "Texts with a secret in them come as text, nested in JSON, in errors, in log lines and percent-encoded: at least 97 % of the secrets are hidden whole, at most 0.5 % of ids and 2 % of images are touched, and at most 0.5 % of ordinary calls that change something stop because a part of them is hidden.",
    { seeds: 3, images: 100, seed: 1 },
    redaction,
  ),
  canary: {
    says: "The whole test suite runs with every key that it makes marked; afterwards all that it wrote is searched for them: as they are, in hex and in base64, also percent-encoded, escaped or broken into lines.",
    amounts: {},
    prove: async (_, log) => {
      const report = await canaryOverSuite(log);
      return { report, holds: report.suitePassed && report.keysInKeyFiles > 0 && report.found.length === 0 };
    },
  },
};
