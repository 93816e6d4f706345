// One of the processes that drive runs on one database: node worker.ts <database> <ledger> <name> <times>. It starts the runs that it
// is told on stdin, says on stdout which, and ends in order when it is told so by SIGTERM.
import { createInterface } from "node:readline";
import { openPostgresStore } from "@spfunctions/host/store";
import { Runs } from "@spfunctions/kernel";
import { runsOptions, type Times } from "./job.ts";

const [url = "", ledger = "", name = "", given = "{}"] = process.argv.slice(2);
const { leaseMs, renewMs, sweepMs } = JSON.parse(given) as Times;
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const store = await openPostgresStore({ url, poolSize: 4, leaseMs, renewMs });
const runs = new Runs({ ...runsOptions(ledger, name, sweepMs), store });
await runs.open();

let isEnding = false;
process.on("SIGTERM", () => {
  isEnding = true;
  void end();
});
say({ ready: true });
for await (const job of createInterface({ input: process.stdin })) {
  try {
    const { runId } = await runs.start({ objective: job });
    say({ started: job, runId });
  } catch (error) {
    say({ failed: job, why: String(error) });
  }
}
if (!isEnding) await end();

async function end(): Promise<void> {
  await runs.close();
  await store.close();
  process.exit(0);
}
