// One of two processes that drive runs on one database: node worker.ts <database> <server>. It starts the jobs it is told on
// stdin, takes over what others leave, and says on stdout what it knows.
import { createInterface } from "node:readline";
import { openPostgresStore } from "@spfunctions/host/store";
import { Runs } from "@spfunctions/kernel";
import { runsOptions } from "./job.ts";

const [url = "", server = ""] = process.argv.slice(2);
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const store = await openPostgresStore({ url, poolSize: 4 });
const runs = new Runs({ ...runsOptions(server), store });
const taken = await runs.open();
say({ ready: true, taken: taken.length });

/** A person who finds out what became of the effects that nobody knows about. */
const resolving = setInterval(() => void resolveUnknown().catch(() => undefined), 200);
async function resolveUnknown(): Promise<void> {
  for (const { runId } of await runs.list({ state: "recovery_needed" })) {
    // oxlint-disable-next-line no-await-in-loop -- a handful
    const { unknown } = await (await runs.get(runId)).result();
    for (const effectId of unknown) {
      // oxlint-disable-next-line no-await-in-loop -- see above
      await runs.resolve(runId, effectId, { status: "completed", note: "looked it up at the server" });
    }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "end") break;
  const job = Number(line);
  try {
    await runs.start({ objective: `${job}`, sessionId: `job-${job}` });
    say({ started: job });
  } catch (error) {
    say({ failed: job, why: String(error) });
  }
}
clearInterval(resolving);
await runs.close();
await store.close();
say({ ended: true });
