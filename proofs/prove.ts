// npm run prove -- [crash-truth] [--kills 200] [--calls 500] [--seed N], npm run prove -- killed-runs [--kills 200] [--jobs 200]
// [--seed N], npm run prove -- killed-runtime [--kills 200] [--jobs 100] [--seed N], npm run prove -- killed-tree [--kills 100]
// [--jobs 40] [--seed N], npm run prove -- killed-agent [--kills 200] [--seed N], npm run prove -- agent-soak [--turns 10000], npm run prove -- adversaries [--cases 5000] [--seed N], npm run prove -- canary: the long form of the proofs
// that `npm test` runs in short.
import { parseArgs } from "node:util";
import { adversaries } from "./adversaries/adversaries.ts";
import { agentSoak } from "./agent-soak/agent-soak.ts";
import { canaryOverSuite } from "./canary/whole-suite.ts";
import { startPostgres } from "../packages/host/test/start-postgres.ts";
import { crashTruth } from "./crash-truth/crash-truth.ts";
import { killedAgent } from "./killed-agent/killed-agent.ts";
import { killedRuns } from "./killed-runs/killed-runs.ts";
import { killedRuntime } from "./killed-runtime/killed-runtime.ts";
import { killedTree } from "./killed-tree/killed-tree.ts";

const { values, positionals } = parseArgs({
  options: {
    kills: { type: "string" },
    calls: { type: "string" },
    jobs: { type: "string" },
    turns: { type: "string" },
    cases: { type: "string" },
    seed: { type: "string" },
  },
  allowPositionals: true,
});
const [proof = "crash-truth"] = positionals;
const proofs: Record<string, () => Promise<boolean>> = {
  "crash-truth": proveCrashTruth,
  "killed-runs": proveKilledRuns,
  "killed-runtime": proveKilledRuntime,
  "killed-tree": proveKilledTree,
  "killed-agent": proveKilledAgent,
  "agent-soak": proveAgentSoak,
  adversaries: proveAdversaries,
  canary: proveCanary,
};
const prove = proofs[proof];
if (prove === undefined) {
  console.error(`there is no proof "${proof}"; there are: ${Object.keys(proofs).join(", ")}`);
  process.exit(2);
}
process.exit((await prove()) ? 0 : 1);

async function proveCrashTruth(): Promise<boolean> {
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  console.log(`crash truth, seed ${seed}`);
  const report = await crashTruth({
    kills: Number(values.kills ?? 200),
    calls: Number(values.calls ?? 500),
    seed,
    log: (line) => console.log(`  ${line}`),
  });
  console.log(report);
  return report.broken.length === 0;
}

async function proveKilledRuns(): Promise<boolean> {
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  console.log(`killed runs, seed ${seed}`);
  const postgres = await startPostgres();
  try {
    const { url } = await postgres.newDatabase();
    const report = await killedRuns({
      url,
      kills: Number(values.kills ?? 200),
      jobs: Number(values.jobs ?? 200),
      seed,
      log: (line) => console.log(`  ${line}`),
    });
    console.log(report);
    return report.broken.length === 0;
  } finally {
    await postgres.remove();
  }
}

async function proveKilledRuntime(): Promise<boolean> {
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  console.log(`killed runtime, seed ${seed}`);
  const report = await killedRuntime({
    kills: Number(values.kills ?? 200),
    jobs: Number(values.jobs ?? 100),
    seed,
    log: (line) => console.log(`  ${line}`),
  });
  console.log(report);
  return report.broken.length === 0;
}

async function proveKilledTree(): Promise<boolean> {
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  console.log(`killed tree, seed ${seed}`);
  const report = await killedTree({
    kills: Number(values.kills ?? 100),
    jobs: Number(values.jobs ?? 40),
    seed,
    log: (line) => console.log(`  ${line}`),
  });
  console.log(report);
  return report.broken.length === 0;
}

async function proveKilledAgent(): Promise<boolean> {
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  console.log(`killed agent, seed ${seed}`);
  const report = await killedAgent({
    kills: Number(values.kills ?? 200),
    seed,
    log: (line) => console.log(`  ${line}`),
  });
  console.log(report);
  return report.broken.length === 0;
}

async function proveAgentSoak(): Promise<boolean> {
  const turns = Number(values.turns ?? 10_000);
  const every = Math.max(1, Math.floor(turns / 20));
  const { looks: _, ...report } = await agentSoak({ turns, every, log: (line) => console.log(`  ${line}`) });
  console.log(report);
  // Noisy machines: what grows with the number of turns would be many times as much.
  return report.broken.length === 0 && report.latency < 2 && report.heap < 1.5;
}

async function proveAdversaries(): Promise<boolean> {
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  console.log(`adversaries, seed ${seed}`);
  const report = await adversaries({
    cases: Number(values.cases ?? 5000),
    seed,
    log: (line) => console.log(`  ${line}`),
  });
  console.log(report);
  return report.broken.length === 0;
}

async function proveCanary(): Promise<boolean> {
  const report = await canaryOverSuite((text) => process.stdout.write(text));
  console.log(report);
  return report.suitePassed && report.keysInKeyFiles > 0 && report.found.length === 0;
}
