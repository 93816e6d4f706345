// npm run prove -- [--kills 200] [--calls 500] [--seed N]: the long form of the proofs that `npm test` runs in short.
import { parseArgs } from "node:util";
import { crashTruth } from "./crash-truth/crash-truth.ts";

const { values } = parseArgs({
  options: { kills: { type: "string" }, calls: { type: "string" }, seed: { type: "string" } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
console.log(`crash truth, seed ${seed}`);
const report = await crashTruth({
  kills: Number(values.kills ?? 200),
  calls: Number(values.calls ?? 500),
  seed,
  log: (line) => console.log(`  ${line}`),
});
console.log(report);
process.exit(report.broken.length === 0 ? 0 : 1);
